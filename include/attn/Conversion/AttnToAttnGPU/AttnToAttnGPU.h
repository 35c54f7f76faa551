//===- AttnToAttnGPU.h - attn to attn_gpu -----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that takes the iteration level to kernels on tiles.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOATTNGPU_ATTNTOATTNGPU_H
#define ATTN_CONVERSION_ATTNTOATTNGPU_ATTNTOATTNGPU_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn {
class AttentionOp;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnToAttnGPU/Passes.h.inc"

/// Fails, with all reasons at once, where no kernel computes `op` yet.
LogicalResult checkKernelSupport(AttentionOp op);

/// Fails, at each operation at fault, where `function` at the user level does
/// something to tensors that is not attention: they are on a device.
LogicalResult checkDeviceFunction(func::FuncOp function);

/// What can be chosen of a kernel: the pass's options.
struct KernelOptions {
  /// How far a row's `m` may stay behind its maximum, as a power of 2; below 0:
  /// as the walk's schedule and the element type say.
  double rescaleSlack = -1;
  /// Keep the queries in registers, whatever the schedule says.
  bool queriesInRegisters = false;
};

/// Replaces `loop`, over query tiles, by a kernel named `name` in the module
/// and its launch. Fails with an error at the operation that has no kernel yet.
LogicalResult convertToKernel(RewriterBase &rewriter, scf::ForallOp loop,
                              StringRef name,
                              const KernelOptions &options = {});

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOATTNGPU_ATTNTOATTNGPU_H
