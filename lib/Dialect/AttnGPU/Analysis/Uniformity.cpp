//===- Uniformity.cpp - What scalars depend on ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources spread from operands to results, and from conditions to what they
// decide, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;

Uniformity::Uniformity(KernelOp kernel)
    : numSources(getBit(Sharing::None) + 1) {
  kernel.getBody().walk([&](WorkLoopOp work) {
    firstDimension[work] = numSources;
    numSources += work.getExtents().size();
  });
  for (bool changed = true; changed;) {
    changed = false;
    kernel.getBody().walk([&](Operation *op) { changed |= visit(op); });
  }
}

Sharing Uniformity::getSharing(const Sources &sources) {
  for (Sharing sharing : {Sharing::None, Sharing::Warpgroup, Sharing::Block})
    if (sources.test(getBit(sharing)))
      return sharing;
  return Sharing::Cluster;
}

llvm::BitVector Uniformity::getPointDimensions(WorkLoopOp work,
                                               Value value) const {
  llvm::BitVector dimensions(work.getExtents().size());
  Sources sources = getSources(value);
  unsigned first = firstDimension.lookup(work);
  for (unsigned dim = 0; dim < dimensions.size(); ++dim)
    if (sources.test(first + dim))
      dimensions.set(dim);
  return dimensions;
}

bool Uniformity::raise(Value value, const Sources &sources) {
  auto [known, isNew] = sourcesOf.try_emplace(value, getNothing());
  if (!sources.test(known->second)) // nothing that is not known
    return false;
  known->second |= sources;
  return true;
}

bool Uniformity::raise(Value value, Sharing sharing) {
  Sources sources = getNothing();
  sources.set(getBit(sharing));
  return raise(value, sources);
}

Uniformity::Sources Uniformity::getDecisionSources(Operation *op) const {
  Sources sources = getNothing();
  auto add = [&](ValueRange values) {
    for (Value value : values)
      sources |= getSources(value);
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.getCondition());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getCondition());
  } else if (auto work = dyn_cast<WorkLoopOp>(op)) {
    add(work.getExtents());
    if (work.getGroup())
      add(work.getGroup());
    // All warpgroups run the same points, or the loop itself is reported.
    bool differs = getSharing(sources) != Sharing::Cluster;
    sources.reset(getBit(Sharing::Block), getBit(Sharing::None) + 1);
    if (differs)
      sources.set(getBit(Sharing::Block));
  } else if (op->getNumRegions() != 0 && !isa<WarpSpecializeOp, KernelOp>(op)) {
    add(op->getOperands());
  }
  return sources;
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
  if (isa<ClusterRankOp>(op))
    return raise(op->getResult(0), Sharing::Block);
  if (isa<WarpgroupIndexOp>(op))
    return raise(op->getResult(0), Sharing::Warpgroup);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop);
  if (op->getNumRegions() != 0)
    return false; // its terminators give its results
  if (Operation *parent = op->getParentOp();
      op->hasTrait<OpTrait::IsTerminator>() && !isa<KernelOp>(parent))
    return visitTerminator(op, parent);
  // What vectors hold is not followed: an element may come from anywhere.
  Sources sources = getNothing();
  if (isSpread(op))
    sources.set();
  for (Value operand : op->getOperands())
    if (!isa<VectorType>(operand.getType()))
      sources |= getSources(operand);
  bool changed = false;
  for (Value result : op->getResults())
    if (!isa<VectorType>(result.getType()))
      changed |= raise(result, sources);
  return changed;
}

/// A terminator hands its operands to what the operation around it gives.
bool Uniformity::visitTerminator(Operation *op, Operation *parent) {
  ValueRange operands = op->getOperands();
  if (auto condition = dyn_cast<scf::ConditionOp>(op))
    operands = condition.getArgs();
  Sources decision = getDecisionSources(parent);
  bool changed = false;
  auto join = [&](ValueRange to) {
    for (auto [from, value] : llvm::zip(operands, to)) {
      Sources sources = decision;
      sources |= getSources(from);
      changed |= raise(value, sources);
    }
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

/// What a loop carries begins as its operands; its step or point is its own.
bool Uniformity::visitLoop(LoopLikeOpInterface loop) {
  bool changed = false;
  for (auto [init, argument] :
       llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
    changed |= raise(argument, getSources(init));
  if (auto results = loop.getLoopResults();
      results && !isa<scf::WhileOp>(loop.getOperation()))
    for (auto [init, result] : llvm::zip(loop.getInits(), *results))
      changed |= raise(result, getSources(init));
  if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation()))
    changed |= raise(counted.getInductionVar(), getDecisionSources(loop));
  if (auto work = dyn_cast<WorkLoopOp>(loop.getOperation()))
    for (auto [dim, index] : llvm::enumerate(work.getPoint())) {
      Sources sources = getDecisionSources(work);
      sources.set(firstDimension.lookup(work) + dim);
      changed |= raise(index, sources);
    }
  return changed;
}
