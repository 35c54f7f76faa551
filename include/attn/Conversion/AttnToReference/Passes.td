//===- Passes.td - The reference lowering ------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that lowers attn.attention by its definition, to compare with.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOREFERENCE_PASSES
#define ATTN_CONVERSION_ATTNTOREFERENCE_PASSES

include "mlir/Pass/PassBase.td"

def AttnToReferencePass : Pass<"attn-lower-to-reference", "::mlir::ModuleOp"> {
  let summary = "Lower attn.attention by its definition, as an oracle";
  let description = [{
    Every `attn.attention` becomes loops on buffers that follow the definition:
    for each query row, all scores of the visible keys, their maximum, the
    weights, the weighted sum of values. Nothing is shared with the optimised
    path but the dialect, so that one checks the other.

    The loops read the tensor operands through `bufferization.to_buffer`, and
    write new buffers, which become tensors again: what stands around attention
    stays as it is, and is bufferized later, with the function's arguments and
    results. Whoever lowers on frees the buffers, as those of bufferization.

    * C1: regions of attention hold operations of `arith`, `math`, `index`,
      `scf` and `affine` on scalars, `tensor.extract` and `tensor.dim` of a
      tensor passed whole.
    * C2: no call that gives a tensor.
    * C3: functions stand in the module itself.

    `precision=f64` computes attention in f64 on the inputs as they are stored,
    natural base. f32 in regions becomes f64. Every result of the function that
    is of floats becomes f64: what attention computed without being rounded,
    other tensors widened. Where another operation reads what attention computed
    it is rounded to the user's type, as it is in the user's program. The result
    is the value that every other path is held against.

    `precision=plain` is the yardstick: Q*K and softmax in f32, probabilities
    rounded to the element type, P*V in f32, outputs rounded once, in the user's
    types. Products of Q*K are summed in up to 32 lanes, in both precisions.

    The types of results in `attn.signature` follow.

    In both precisions functions (exp, log, the `math` operations of regions) are
    computed in f64 and rounded to their type, so that no target's approximation
    enters, and fast-math flags in regions are dropped. Numerics are those of `docs/Numerics.md`. Rows run in parallel
    (`scf.parallel`); each allocates scratch linear in the keys.

    ```mlir
    func.func @f(%q: tensor<?x4x?x64xf32>, %k: tensor<?x4x?x64xf32>,
                 %v: tensor<?x4x?x64xf32>) -> tensor<?x4x?x64xf32> {
      %out = attn.attention %q, %k, %v mask (#attn.causal)
          : tensor<?x4x?x64xf32>, tensor<?x4x?x64xf32>, tensor<?x4x?x64xf32>
          -> tensor<?x4x?x64xf32>
      return %out : tensor<?x4x?x64xf32>
    }
    ```
    becomes, in outline,
    ```
    func.func @f(%q: tensor<?x4x?x64xf32>, %k: tensor<?x4x?x64xf32>,
                 %v: tensor<?x4x?x64xf32>) -> tensor<?x4x?x64xf64> {
      %qb = bufferization.to_buffer %q read_only ...
      %outb = memref.alloc(...) : memref<?x4x?x64xf64>
      scf.parallel (%b, %h, %i) = ...
      %out = bufferization.to_tensor %outb restrict writable ...
      return %out : tensor<?x4x?x64xf64>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"precision", "precision", "::mlir::attn::ReferencePrecision",
           "::mlir::attn::ReferencePrecision::F64",
           "what is computed: f64 (the oracle) or plain (the yardstick)", [{
             ::llvm::cl::values(
               clEnumValN(::mlir::attn::ReferencePrecision::F64, "f64",
                          "all in f64, results not rounded"),
               clEnumValN(::mlir::attn::ReferencePrecision::Plain, "plain",
                          "f32 sums, rounded probabilities and results"))
           }]>
  ];
}

#endif // ATTN_CONVERSION_ATTNTOREFERENCE_PASSES
