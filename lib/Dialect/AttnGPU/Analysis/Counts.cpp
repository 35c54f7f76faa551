//===- Counts.cpp - Numbers that a kernel counts by -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An induction over the steps of a loop: all values that begin at a constant
// distance are taken to keep it, and those that a step moves apart are
// separated, until nothing is left to separate.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Counts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

bool Counts::isFollowed(Operation *op) {
  return isa<scf::ForOp, WorkLoopOp>(op);
}

/// The loop that carries `value`: into its body, or out of it.
static LoopLikeOpInterface getCarrier(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    op = argument.getOwner()->getParentOp();
    if (!op || !Counts::isFollowed(op) ||
        !llvm::is_contained(cast<LoopLikeOpInterface>(op).getRegionIterArgs(),
                            argument))
      return {};
  }
  return op && Counts::isFollowed(op) ? cast<LoopLikeOpInterface>(op)
                                      : LoopLikeOpInterface();
}

Count Counts::get(Value value) {
  if (auto at = known.find(value); at != known.end())
    return at->second;
  if (LoopLikeOpInterface loop = getCarrier(value)) {
    relate(loop);
    return known.find(value)->second;
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {Value(), constant.getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (!op)
    return {value};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
          arith::ExtSIOp, arith::TruncIOp>(op))
    return get(op->getOperand(0));
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    Count left = get(op->getOperand(0)), right = get(op->getOperand(1));
    if (!right.root)
      return left + (isa<arith::AddIOp>(op) ? right.offset : -right.offset);
    if (!left.root && isa<arith::AddIOp>(op))
      return right + left.offset;
  }
  if (isa<scf::IfOp>(op))
    return getOfCondition(cast<OpResult>(value));
  return {value};
}

Count Counts::getOfCondition(OpResult result) {
  auto branch = cast<scf::IfOp>(result.getOwner());
  auto at = [&](unsigned n) {
    return std::pair(get(branch.thenYield().getOperand(n)),
                     get(branch.elseYield().getOperand(n)));
  };
  auto [thenCount, elseCount] = at(result.getResultNumber());
  if (thenCount == elseCount)
    return thenCount;
  // The first result that is as far away in both arms.
  for (unsigned n = 0; n < result.getResultNumber(); ++n) {
    if (!branch.getResult(n).getType().isIntOrIndex())
      continue;
    auto [otherThen, otherElse] = at(n);
    std::optional<int64_t> distance = thenCount.minus(otherThen);
    if (distance && distance == elseCount.minus(otherElse))
      return {branch.getResult(n), *distance};
  }
  return {result};
}

void Counts::forgetInside(LoopLikeOpInterface loop) {
  loop->walk([&](Operation *op) {
    if (op == loop)
      return;
    for (Value result : op->getResults())
      known.erase(result);
    if (auto inner = dyn_cast<LoopLikeOpInterface>(op))
      for (Value argument : inner.getRegionIterArgs())
        known.erase(argument);
  });
}

void Counts::relate(LoopLikeOpInterface loop) {
  auto arguments = loop.getRegionIterArgs();
  auto inits = loop.getInits();
  auto yields = loop.getYieldedValues();
  auto results = *loop.getLoopResults();
  SmallVector<Count> starts;
  SmallVector<SmallVector<size_t>> groups;
  llvm::MapVector<Value, SmallVector<size_t>> byRoot;
  for (size_t n = 0; n < arguments.size(); ++n) {
    starts.push_back({});
    if (!arguments[n].getType().isIntOrIndex()) {
      known[arguments[n]] = {arguments[n]};
      known[results[n]] = {results[n]};
      continue;
    }
    starts[n] = get(inits[n]);
    byRoot[starts[n].root].push_back(n);
  }
  for (auto &[root, group] : byRoot)
    groups.push_back(group);
  for (bool changed = true; changed;) {
    changed = false;
    forgetInside(loop);
    for (ArrayRef<size_t> group : groups)
      for (size_t n : group)
        known[arguments[n]] = {arguments[group.front()],
                               starts[n].offset - starts[group.front()].offset};
    SmallVector<SmallVector<size_t>> finer;
    for (ArrayRef<size_t> group : groups) {
      llvm::MapVector<std::pair<Value, int64_t>, SmallVector<size_t>> parts;
      for (size_t n : group) {
        Count end = get(yields[n]);
        parts[{end.root, end.offset - starts[n].offset}].push_back(n);
      }
      changed |= parts.size() > 1;
      for (auto &[key, part] : parts)
        finer.push_back(part);
    }
    groups = std::move(finer);
  }
  for (ArrayRef<size_t> group : groups)
    for (size_t n : group)
      known[results[n]] = {results[group.front()],
                           starts[n].offset - starts[group.front()].offset};
}
