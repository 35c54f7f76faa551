//===- KernelPlan.h - What a kernel needs of a thread block -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides where a kernel's tiles stand in shared memory and which barriers
// guard them, before any of it is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNGPUTONVVM_KERNELPLAN_H
#define ATTN_CONVERSION_ATTNGPUTONVVM_KERNELPLAN_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::attn {

/// What a synchronous read needs.
struct ReadPlan {
  /// Bytes from the start of dynamic shared memory, a multiple of 1024.
  int64_t offset = 0;
  /// Whether a barrier before it waits for the readers of its buffer, and of
  /// those of the reads that follow.
  bool barrierBefore = true;
  /// Whether a barrier after it makes its tile, and those of the reads before
  /// it, ready.
  bool barrierAfter = true;
};

class KernelPlan {
public:
  /// Shared memory that a block may have on sm_90 (CUDA C++ Programming Guide,
  /// compute capabilities: 227 KB).
  static constexpr int64_t kMaxSharedBytes = 232448;
  /// Tiles start at multiples of this, so that the swizzle does.
  static constexpr int64_t kTileAlignment = 1024;

  /// Fails with an error at `kernel`, and notes at its tiles, if these do not
  /// fit.
  static FailureOr<KernelPlan> get(attn_gpu::KernelOp kernel);

  int64_t getThreads() const { return threads; }
  int64_t getSharedBytes() const { return sharedBytes; }
  const ReadPlan &getRead(attn_gpu::ReadOp op) const {
    return reads.find(op)->second;
  }

private:
  void planBarriers(Block &block);

  int64_t threads = 0, sharedBytes = 0;
  llvm::DenseMap<Operation *, ReadPlan> reads;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNGPUTONVVM_KERNELPLAN_H
