//===- Divergence.cpp - What threads must do together ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that threads, warpgroups or blocks run together, held against what
// decides about them.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;

/// What all threads of a warpgroup run together: it names barriers, is done by
/// a warp or a warpgroup as one, or exchanges values between lanes.
static bool isOfWarpgroup(Operation *op) {
  return isa<MmaOp, MmaWaitOp, RowReduceOp, LoadFragmentOp, StoreFragmentOp,
             CopyOutOp, CopyWaitOp>(op);
}

/// What all warpgroups of the kernel run alike.
static bool isOfBlock(Operation *op) {
  return isa<ReadOp, RingFillOp, RingWaitOp, RingReleaseOp, TurnWaitOp,
             TurnPassOp, WorkLoopOp>(op);
}

/// What all thread blocks of a cluster run alike.
static bool isOfCluster(Operation *op) {
  if (!isa<RingFillOp, RingWaitOp, RingReleaseOp>(op))
    return false;
  auto ring = op->getOperand(0).getDefiningOp<RingCreateOp>();
  return ring && ring.getMulticast();
}

void attn_gpu::findDivergenceFaults(KernelOp kernel, KernelFaults &faults) {
  Uniformity uniformity(kernel);
  kernel.getBody().walk([&](Operation *op) {
    Sharing control = uniformity.getControl(op);
    bool ofBlock = isOfBlock(op), ofCluster = isOfCluster(op);
    auto noteDecision = [&] {
      for (Operation *parent = op->getParentOp(); parent;
           parent = parent->getParentOp())
        if (!isa<KernelOp>(parent) &&
            uniformity.getDecision(parent) == control) {
          faults.back().notes.push_back({parent, "decided here"});
          return;
        }
    };
    if (control == Sharing::None && (ofBlock || isOfWarpgroup(op))) {
      faults.push_back({op, "needs all threads of a warpgroup, which may "
                            "decide differently whether they come here"});
      noteDecision();
    } else if (control == Sharing::Warpgroup && ofBlock) {
      faults.push_back({op, "is run by all warpgroups alike, which may decide "
                            "differently whether, or how often, they come "
                            "here"});
      noteDecision();
    } else if (control == Sharing::Block && ofCluster) {
      faults.push_back({op, "is of a multicast ring: all thread blocks of a "
                            "cluster run it alike, which may decide "
                            "differently whether, or how often, they come "
                            "here"});
      noteDecision();
    }
    if (!ofBlock)
      return;
    for (Value operand : op->getOperands()) {
      Sharing sharing = uniformity.get(operand);
      if (sharing > Sharing::Block)
        faults.push_back({op, "expected operands that are the same in all "
                              "warpgroups, got one that may differ"});
      else if (sharing == Sharing::Block && ofCluster)
        faults.push_back({op, "is of a multicast ring: expected operands that "
                              "are the same in all thread blocks of a "
                              "cluster, got one that may differ"});
      else
        continue;
      if (Operation *maker = operand.getDefiningOp())
        faults.back().notes.push_back({maker, "made here"});
    }
  });
}
