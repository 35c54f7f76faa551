//===- RoleEquivalence.cpp - Values that two roles agree on ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assumes that what two loops carry is equal, and then shows that it starts so
// and stays so. Nothing is taken back: one difference decides the whole
// question.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/RoleEquivalence.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
class Comparison {
public:
  bool isSame(Value a, Value b) {
    if (a == b || assumed.contains({a, b}))
      return true;
    if (a.getType() != b.getType())
      return false;
    auto aArgument = dyn_cast<BlockArgument>(a);
    auto bArgument = dyn_cast<BlockArgument>(b);
    auto aResult = dyn_cast<OpResult>(a), bResult = dyn_cast<OpResult>(b);
    bool same =
        (aArgument && bArgument && isSameArgument(aArgument, bArgument)) ||
        (aResult && bResult && isSameResult(aResult, bResult));
    // Each pair once, however often expressions share it. One difference ends
    // the whole comparison, so what was found under an assumption stands or
    // falls with it.
    if (same)
      assumed.insert({a, b});
    return same;
  }

  bool isSameWork(WorkLoopOp a, WorkLoopOp b) {
    return a.getSchedule() == b.getSchedule() &&
           a.getDescending() == b.getDescending() &&
           areSame(a.getExtents(), b.getExtents()) &&
           !a.getGroup() == !b.getGroup() &&
           (!a.getGroup() || isSame(a.getGroup(), b.getGroup()));
  }

private:
  using Chain = SmallVector<scf::ForOp>;

  bool areSame(ValueRange as, ValueRange bs) {
    return as.size() == bs.size() &&
           llvm::all_of(llvm::zip_equal(as, bs), [&](auto pair) {
             return isSame(std::get<0>(pair), std::get<1>(pair));
           });
  }

  bool isSameResult(OpResult a, OpResult b) {
    Operation *aOp = a.getOwner(), *bOp = b.getOwner();
    if (aOp->getName() != bOp->getName())
      return false;
    if (auto aLoop = dyn_cast<scf::ForOp>(aOp))
      return isSameCarried(getChain(aLoop, a.getResultNumber()),
                           a.getResultNumber(),
                           getChain(cast<scf::ForOp>(bOp), b.getResultNumber()),
                           b.getResultNumber());
    if (auto aLoop = dyn_cast<WorkLoopOp>(aOp))
      return isSameCarried(aLoop, a.getResultNumber(), cast<WorkLoopOp>(bOp),
                           b.getResultNumber());
    if (auto aBranch = dyn_cast<scf::IfOp>(aOp)) {
      auto bBranch = cast<scf::IfOp>(bOp);
      auto at = [](scf::YieldOp yield, OpResult result) {
        return yield.getOperand(result.getResultNumber());
      };
      return isSame(aBranch.getCondition(), bBranch.getCondition()) &&
             isSame(at(aBranch.thenYield(), a), at(bBranch.thenYield(), b)) &&
             isSame(at(aBranch.elseYield(), a), at(bBranch.elseYield(), b));
    }
    return aOp->getNumRegions() == 0 && isMemoryEffectFree(aOp) &&
           a.getResultNumber() == b.getResultNumber() &&
           aOp->getAttrDictionary() == bOp->getAttrDictionary() &&
           areSame(aOp->getOperands(), bOp->getOperands());
  }

  bool isSameArgument(BlockArgument a, BlockArgument b) {
    Operation *aOp = a.getOwner()->getParentOp();
    Operation *bOp = b.getOwner()->getParentOp();
    if (auto aLoop = dyn_cast<WorkLoopOp>(aOp)) {
      auto bLoop = dyn_cast<WorkLoopOp>(bOp);
      unsigned points = aLoop.getExtents().size();
      if (!bLoop || points != bLoop.getExtents().size())
        return false;
      if (a.getArgNumber() < points || b.getArgNumber() < points)
        return a.getArgNumber() == b.getArgNumber() && isSameWork(aLoop, bLoop);
      return isSameCarried(aLoop, a.getArgNumber() - points, bLoop,
                           b.getArgNumber() - points);
    }
    auto aLoop = dyn_cast<scf::ForOp>(aOp), bLoop = dyn_cast<scf::ForOp>(bOp);
    if (!aLoop || !bLoop)
      return false;
    if (a.getArgNumber() == 0 || b.getArgNumber() == 0)
      return a.getArgNumber() == b.getArgNumber() &&
             isSameRange({aLoop}, {bLoop});
    unsigned aIndex = a.getArgNumber() - 1, bIndex = b.getArgNumber() - 1;
    return isSameCarried(getChain(aLoop, aIndex), aIndex,
                         getChain(bLoop, bIndex), bIndex);
  }

  /// `last`, and the loops before it that it was split from, as far as what is
  /// carried as number `index` goes.
  static Chain getChain(scf::ForOp last, unsigned index) {
    Chain chain = {last};
    for (scf::ForOp loop = last;;) {
      auto before = loop.getInitArgs()[index].getDefiningOp<scf::ForOp>();
      if (!before || loop.getInitArgs()[index] != before.getResult(index) ||
          before.getUpperBound() != loop.getLowerBound() ||
          before.getStep() != loop.getStep())
        break;
      chain.insert(chain.begin(), before);
      loop = before;
    }
    return chain;
  }

  bool isSameRange(Chain a, Chain b) {
    return isSame(a.front().getLowerBound(), b.front().getLowerBound()) &&
           isSame(a.back().getUpperBound(), b.back().getUpperBound()) &&
           isSame(a.front().getStep(), b.front().getStep());
  }

  bool isSameCarried(Chain a, unsigned aIndex, Chain b, unsigned bIndex) {
    for (scf::ForOp aLoop : a)
      for (scf::ForOp bLoop : b)
        assumed.insert(
            {aLoop.getRegionIterArg(aIndex), bLoop.getRegionIterArg(bIndex)});
    if (!isSameRange(a, b) || !isSame(a.front().getInitArgs()[aIndex],
                                      b.front().getInitArgs()[bIndex]))
      return false;
    for (scf::ForOp aLoop : a)
      for (scf::ForOp bLoop : b)
        if (!isSame(aLoop.getYieldedValues()[aIndex],
                    bLoop.getYieldedValues()[bIndex]))
          return false;
    return true;
  }

  bool isSameCarried(WorkLoopOp a, unsigned aIndex, WorkLoopOp b,
                     unsigned bIndex) {
    assumed.insert(
        {a.getRegionIterArgs()[aIndex], b.getRegionIterArgs()[bIndex]});
    return isSameWork(a, b) &&
           isSame(a.getInits()[aIndex], b.getInits()[bIndex]) &&
           isSame((*a.getYieldedValuesMutable())[aIndex].get(),
                  (*b.getYieldedValuesMutable())[bIndex].get());
  }

  llvm::DenseSet<std::pair<Value, Value>> assumed;
};
} // namespace

bool attn_gpu::isSameInBothRoles(Value a, Value b) {
  return Comparison().isSame(a, b);
}

bool attn_gpu::isSameWorkInBothRoles(WorkLoopOp a, WorkLoopOp b) {
  return Comparison().isSameWork(a, b);
}
