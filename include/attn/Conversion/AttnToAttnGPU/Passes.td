//===- Passes.td - attn to attn_gpu ------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration level on a GPU: a kernel on tiles for each loop over query tiles.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOATTNGPU_PASSES
#define ATTN_CONVERSION_ATTNTOATTNGPU_PASSES

include "mlir/Pass/PassBase.td"

def CheckKernelSupportPass : Pass<"attn-check-kernel-support"> {
  let summary = "Refuses attention that no kernel computes yet, and all else";
  let description = [{
    At the user level, after inlining, before anything is generated: an
    `attn.attention` that kernels do not cover is an error that names each operand
    and attribute at fault, what was expected, and what was got. So is what stands
    around attention in a function on tensors: these are on a device, and the CPU
    cannot reach them.

    Constraints:
    * C1: operands are bf16 or f16, and dense (no `cu_seqlens`, no `seqused`).
    * C2: head dimensions are 64, 128 or 256.
    * C3: no score region, no sinks.
    * C4: the mask is given by attributes alone: no region, no documents, and a
      prefix of constant length.
    * C5: a function on tensors has attention.
    * C6: what else it does to tensors is casts, reshapes, slices, extents, and
      `scf.if` around attention.
    * C7: attention reads arguments, and results are those of attention, each
      one once, whole, in the shape that attention gives it or with dimensions
      collapsed: a kernel writes them at their place, and nothing is copied.
    * C8: static extents are at most 2^31 - 1, as the copy engine counts.

    Changes nothing.

    ```
    error: attention has no kernel for a GPU:
      'q', 'k', 'v': expected bf16 or f16, got f32
    ```
  }];
}

def ConvertAttnToAttnGPUPass
    : Pass<"convert-attn-to-attn-gpu", "::mlir::ModuleOp"> {
  let summary = "Turns loops over query tiles into synchronous kernels";
  let description = [{
    A `scf.forall` over query tiles, as `attn-tile`, `attn-fuse-online-softmax`
    and `attn-classify-blocks` leave it, becomes an `attn_gpu.kernel` and an
    `attn_gpu.launch`. In the kernel

    * the loop is an `attn_gpu.work_loop`; each warpgroup has 64 rows of the
      query tile;
    * the walk over keys is one `scf.for` over the tiles of all its segments,
      the last one first, so that under a causal mask the tiles that need it
      come first; what differs between segments is selected by comparisons with
      their ends, so that a later pass can make a copy of the loop for each;
    * `attn.partial` is two products with online softmax between them, on
      fragments; `l` is kept as one partial sum a lane until the end;
    * a row's `m` stays behind the maximum by up to `rescale-slack`, so that its
      state is seldom rescaled: weights are up to `2^rescale-slack` then, which
      neither f32 nor the element type notices. With 0 `m` is the maximum.

    The program is synchronous: every copy and every product is waited for where
    it is started. Results differ from those of the CPU by the order of f32 sums
    only, and by the precision of the hardware's base-2 exponential and
    logarithm.

    What has no kernel yet is an error at the operation, all reasons at once.

    ```
    scf.forall (%b, %h, %g, %i) in (...) { attn.walk ... { attn.partial } }
    // becomes
    attn_gpu.kernel @f_kernel(...) warpgroups 2 {
      attn_gpu.work_loop (%b, %h, %g, %t) in (...) { scf.for ... { attn_gpu.mma } }
    }
    attn_gpu.launch @f_kernel blocks %n ins(...) outs(...)
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::attn_gpu::AttnGPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"rescaleSlack", "rescale-slack", "double", /*default=*/"-1",
           "How far m may stay behind the maximum, as a power of 2; below 0: 0, "
           "or with a schedule of lazy_rescale 8 for bf16, 4 for f16">,
    Option<"queriesInRegisters", "queries-in-registers", "bool",
           /*default=*/"false", "Load a warpgroup's queries into registers once a "
           "query tile, where the schedule does not say so, too">
  ];
}

#endif // ATTN_CONVERSION_ATTNTOATTNGPU_PASSES
