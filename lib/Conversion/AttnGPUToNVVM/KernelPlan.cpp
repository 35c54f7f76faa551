//===- KernelPlan.cpp - What a kernel needs of a thread block -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each read a buffer, and shares barriers among reads that follow each
// other.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnGPUToNVVM/KernelPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

FailureOr<KernelPlan> KernelPlan::get(KernelOp kernel) {
  KernelPlan plan;
  plan.threads = kernel.getWarpgroups() * AttnGPUDialect::kWarpgroupThreads;

  SmallVector<ReadOp> ops;
  kernel.walk([&](ReadOp op) {
    ops.push_back(op);
    plan.reads[op].offset = plan.sharedBytes;
    plan.sharedBytes = llvm::alignTo(
        plan.sharedBytes + op.getTile().getType().getBytes(), kTileAlignment);
  });
  if (plan.sharedBytes > kMaxSharedBytes) {
    InFlightDiagnostic error = kernel.emitOpError("expected tiles of at most ")
                               << kMaxSharedBytes << " bytes in all, got "
                               << plan.sharedBytes;
    for (ReadOp op : ops)
      error.attachNote(op.getLoc()) << op.getTile().getType() << " has "
                                    << op.getTile().getType().getBytes();
    return failure();
  }
  kernel.walk([&](Block *block) { plan.planBarriers(*block); });
  return plan;
}

void KernelPlan::planBarriers(Block &block) {
  ReadOp last;
  for (Operation &op : block) {
    auto read = dyn_cast<ReadOp>(op);
    if (read && last) {
      reads[last].barrierAfter = false;
      reads[read].barrierBefore = false;
    }
    // What has no effects uses no tile.
    if (read || !isMemoryEffectFree(&op))
      last = read;
  }
}
