//===- Divergence.cpp - What threads must do together ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing spreads from operands to results, and from conditions to what they
// decide, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Uniformity
//===----------------------------------------------------------------------===//

Uniformity::Uniformity(KernelOp kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    kernel.getBody().walk([&](Operation *op) { changed |= visit(op); });
  }
}

Sharing Uniformity::get(Value value) const {
  return sharings.lookup_or(value, Sharing::Cluster);
}

bool Uniformity::raise(Value value, Sharing sharing) {
  Sharing &known = sharings[value];
  if (known >= sharing)
    return false;
  known = sharing;
  return true;
}

Sharing Uniformity::getDecision(Operation *op) const {
  Sharing sharing = Sharing::Cluster;
  auto add = [&](Value value) { sharing = std::max(sharing, get(value)); };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.getCondition());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      add(bound);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getCondition());
  } else if (auto work = dyn_cast<WorkLoopOp>(op)) {
    for (Value extent : work.getExtents())
      add(extent);
    if (work.getGroup())
      add(work.getGroup());
    // All warpgroups run the same points, or the loop itself is reported.
    sharing = std::min(sharing, Sharing::Block);
  } else if (op->getNumRegions() != 0 && !isa<WarpSpecializeOp, KernelOp>(op)) {
    for (Value operand : op->getOperands())
      add(operand);
  }
  return sharing;
}

Sharing Uniformity::getControl(Operation *op) const {
  Sharing sharing = Sharing::Cluster;
  for (Operation *parent = op->getParentOp();
       parent && !isa<KernelOp, WarpSpecializeOp>(parent);
       parent = parent->getParentOp())
    sharing = std::max(sharing, getDecision(parent));
  return sharing;
}

/// Whether a scalar that `op` gives may be another one in each thread.
static bool isSpread(Operation *op) {
  return !isa<AttnGPUDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<VectorType>);
}

bool Uniformity::visit(Operation *op) {
  bool changed = false;
  if (isa<ClusterRankOp>(op))
    return raise(op->getResult(0), Sharing::Block);
  if (isa<WarpgroupIndexOp>(op))
    return raise(op->getResult(0), Sharing::Warpgroup);
  if (op->getNumRegions() == 0) {
    // A terminator hands its operands to those of the operation around it.
    auto *parent =
        op->hasTrait<OpTrait::IsTerminator>() ? op->getParentOp() : nullptr;
    if (parent && !isa<KernelOp>(parent)) {
      ValueRange operands = op->getOperands();
      if (auto condition = dyn_cast<scf::ConditionOp>(op))
        operands = condition.getArgs();
      Sharing decision = getDecision(parent);
      auto join = [&](ValueRange to) {
        for (auto [from, value] : llvm::zip(operands, to))
          changed |= raise(value, std::max(get(from), decision));
      };
      if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        if (isa<scf::ConditionOp>(op)) {
          join(loop.getAfterArguments());
          join(loop.getResults());
        } else {
          join(loop.getBeforeArguments());
        }
        return changed;
      }
      join(parent->getResults());
      if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
        join(ValueRange(loop.getRegionIterArgs()));
      return changed;
    }
    Sharing sharing = isSpread(op) ? Sharing::None : Sharing::Cluster;
    for (Value operand : op->getOperands())
      if (!isa<VectorType>(operand.getType()))
        sharing = std::max(sharing, get(operand));
    for (Value result : op->getResults())
      if (!isa<VectorType>(result.getType()))
        changed |= raise(result, sharing);
    return changed;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return changed;
  for (auto [init, argument] :
       llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
    changed |= raise(argument, get(init));
  if (auto results = loop.getLoopResults(); results && !isa<scf::WhileOp>(op))
    for (auto [init, result] : llvm::zip(loop.getInits(), *results))
      changed |= raise(result, get(init));
  if (auto counted = dyn_cast<scf::ForOp>(op))
    changed |= raise(counted.getInductionVar(), getDecision(op));
  if (auto work = dyn_cast<WorkLoopOp>(op))
    for (Value index : work.getPoint())
      changed |= raise(index, getDecision(op));
  return changed;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

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
