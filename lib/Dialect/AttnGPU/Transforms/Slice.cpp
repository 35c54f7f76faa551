//===- Slice.cpp - The part of a program that some operations need --------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices regions by dataflow.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// What is needed, found backwards from the roots. Values carried by scf.for
/// and scf.if are needed one by one.
class Slice {
public:
  Slice(Region &region, llvm::function_ref<bool(Operation *)> isRoot)
      : region(region) {
    region.walk([&](Operation *op) {
      if (isRoot(op))
        need(op);
    });
    while (!values.empty())
      trace(values.pop_back_val());
  }

  bool isNeeded(Operation *op) const { return operations.contains(op); }
  bool isNeeded(Value value) const { return seen.contains(value); }

private:
  void need(Value value) {
    if (seen.insert(value))
      values.push_back(value);
  }

  void need(Operation *op) {
    if (!region.isAncestor(op->getParentRegion()) || !operations.insert(op))
      return;
    // Of what it carries only that which is asked for.
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        need(bound);
    } else {
      for (Value operand : op->getOperands())
        need(operand);
    }
    // Anything inside an operation of another kind.
    if (!isa<scf::ForOp, scf::IfOp, WorkLoopOp>(op))
      for (Region &inner : op->getRegions())
        inner.walk([&](Operation *nested) { need(nested); });
    need(op->getParentOp());
  }

  void trace(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(owner);
      if (loop && argument != loop.getInductionVar())
        needCarried(loop, argument.getArgNumber() - 1);
      need(owner);
      return;
    }
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (!region.isAncestor(op->getParentRegion()))
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      needCarried(loop, index);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.thenYield().getOperand(index));
      need(branch.elseYield().getOperand(index));
    }
    need(op);
  }

  void needCarried(scf::ForOp loop, unsigned index) {
    need(loop.getInitArgs()[index]);
    need(loop.getYieldedValues()[index]);
    need(loop.getRegionIterArg(index));
    need(loop.getResult(index));
  }

  Region &region;
  llvm::SetVector<Operation *> operations;
  llvm::SetVector<Value> seen;
  SmallVector<Value> values;
};

} // namespace

/// Drops what `loop` carries without need.
static void dropCarried(RewriterBase &rewriter, scf::ForOp loop,
                        const Slice &slice) {
  SmallVector<unsigned> kept;
  SmallVector<Value> inits, yields;
  for (unsigned n = 0, e = loop.getNumResults(); n < e; ++n) {
    if (!slice.isNeeded(loop.getRegionIterArg(n)))
      continue;
    kept.push_back(n);
    inits.push_back(loop.getInitArgs()[n]);
    yields.push_back(loop.getYieldedValues()[n]);
  }
  if (kept.size() == loop.getNumResults())
    return;
  rewriter.setInsertionPoint(loop);
  auto smaller =
      scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  Block *body = smaller.getBody();
  if (inits.empty())
    rewriter.eraseOp(body->getTerminator());
  // Values that nobody needs have no use left.
  SmallVector<Value> arguments(loop.getBody()->getNumArguments());
  arguments.front() = smaller.getInductionVar();
  for (auto [index, n] : llvm::enumerate(kept))
    arguments[n + 1] = smaller.getRegionIterArg(index);
  auto *terminator = loop.getBody()->getTerminator();
  rewriter.modifyOpInPlace(terminator,
                           [&] { terminator->setOperands(yields); });
  for (auto [argument, value] :
       llvm::zip_equal(loop.getBody()->getArguments(), arguments))
    if (value)
      rewriter.replaceAllUsesWith(argument, value);
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  for (auto [index, n] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(loop.getResult(n), smaller.getResult(index));
  rewriter.eraseOp(loop);
}

/// Drops the results of `branch` without need.
static void dropResults(RewriterBase &rewriter, scf::IfOp branch,
                        const Slice &slice) {
  SmallVector<unsigned> kept;
  SmallVector<Type> types;
  for (OpResult result : branch.getResults()) {
    if (!slice.isNeeded(result))
      continue;
    kept.push_back(result.getResultNumber());
    types.push_back(result.getType());
  }
  if (kept.size() == branch.getNumResults())
    return;
  rewriter.setInsertionPoint(branch);
  auto smaller =
      scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(),
                        /*addThenBlock=*/true,
                        /*addElseBlock=*/true);
  for (auto [from, to] : {std::pair(branch.thenBlock(), smaller.thenBlock()),
                          std::pair(branch.elseBlock(), smaller.elseBlock())}) {
    Operation *yield = from->getTerminator();
    SmallVector<Value> values;
    for (unsigned n : kept)
      values.push_back(yield->getOperand(n));
    yield->setOperands(values);
    if (!to->empty())
      rewriter.eraseOp(to->getTerminator());
    to->getOperations().splice(to->end(), from->getOperations());
  }
  for (auto [index, n] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(branch.getResult(n), smaller.getResult(index));
  rewriter.eraseOp(branch);
}

void attn_gpu::sliceRegion(RewriterBase &rewriter, Region &region,
                           llvm::function_ref<bool(Operation *)> isRoot) {
  Slice slice(region, isRoot);
  // Uses first: what is carried without need, then the operations themselves.
  SmallVector<Operation *> carriers;
  region.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) && slice.isNeeded(op) &&
        op->getNumResults() != 0)
      carriers.push_back(op);
  });
  SmallVector<Operation *> dead;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (slice.isNeeded(op) || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    dead.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : carriers)
    for (auto [n, result] : llvm::enumerate(op->getResults()))
      if (!slice.isNeeded(result)) {
        // Yields of dead values must not keep them.
        if (auto loop = dyn_cast<scf::ForOp>(op))
          loop.getBody()->getTerminator()->setOperand(n,
                                                      loop.getRegionIterArg(n));
      }
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    rewriter.eraseOp(op);
  }
  for (Operation *op : carriers) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      dropCarried(rewriter, loop, slice);
    else
      dropResults(rewriter, cast<scf::IfOp>(op), slice);
  }
}
