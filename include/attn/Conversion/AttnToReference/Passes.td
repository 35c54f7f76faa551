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
    Every function that holds `attn.attention` becomes a function over buffers
    and loops that follow the definition: for each query row, all scores
    of the visible keys, their maximum, the weights, the weighted sum of values.
    Nothing is shared with the optimised path but the dialect, so that one
    checks the other.

    Tensors become buffers: an argument `tensor<..xT>` becomes
    `memref<..xT, strided<[?, .., 1], offset: ?>>`, a result a buffer argument
    of that form after all others, in order. Other arguments and results stay.

    * C1: attention stands directly in a function of one block; its operands are
      arguments of the function (or `tensor.cast` of them), its results are
      returned (or not used), each once.
    * C2: beside attention only `tensor.dim`, `tensor.cast`, `tensor.extract`
      of arguments, and operations without tensors.
    * C3: regions of attention hold operations of `arith`, `math`, `index`,
      `scf` and `affine` on scalars, `tensor.extract` and `tensor.dim` of a
      tensor passed whole.
    * C4: no call to such a function.

    `precision=f64` computes everything in f64 on the inputs as they are stored,
    natural base, and gives results in f64, not rounded: result buffers of
    attention have element type f64. f32 in regions becomes f64. The result is
    the value that every other path is held against.

    `precision=plain` is the yardstick: Q*K and softmax in f32, probabilities
    rounded to the element type, P*V in f32, outputs rounded once, in the user's
    types. Products of Q*K are summed in up to 32 lanes, in both precisions.

    A function with `attn.signature` becomes the private `@NAME_impl` behind the
    entry that `attn-emit-host-entry` makes, the signature adapted.

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
    becomes, with `!in = memref<?x4x?x64xf32, strided<[?, ?, ?, 1], offset: ?>>`
    and `!out` the same of f64,
    ```
    func.func @f(%q: !in, %k: !in, %v: !in, %out: !out) {
      scf.parallel (%b, %h, %i) = ...
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
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
