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
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// What is needed, found backwards from the roots. Values carried by loops and
/// scf.if are needed one by one.
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
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!loop ||
          !llvm::is_contained(llvm::make_pointer_range(loop.getInitsMutable()),
                              &operand))
        need(operand.get());
    // Anything inside an operation of another kind.
    if (!isa<scf::ForOp, scf::IfOp, WorkLoopOp>(op))
      for (Region &inner : op->getRegions())
        inner.walk([&](Operation *nested) { need(nested); });
    need(op->getParentOp());
  }

  void trace(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<LoopLikeOpInterface>(owner)) {
        auto carried = loop.getRegionIterArgs();
        auto *place = llvm::find(carried, argument);
        if (place != carried.end())
          needCarried(loop, place - carried.begin());
      }
      need(owner);
      return;
    }
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (!region.isAncestor(op->getParentRegion()))
      return;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      needCarried(loop, index);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.thenYield().getOperand(index));
      need(branch.elseYield().getOperand(index));
    }
    need(op);
  }

  void needCarried(LoopLikeOpInterface loop, unsigned index) {
    need(loop.getInits()[index]);
    need(loop.getYieldedValues()[index]);
    need(loop.getRegionIterArgs()[index]);
    need(loop->getResult(index));
  }

  Region &region;
  llvm::SetVector<Operation *> operations;
  llvm::SetVector<Value> seen;
  SmallVector<Value> values;
};

} // namespace

/// `loop` without its body, carrying `inits`.
static LoopLikeOpInterface createAlike(RewriterBase &rewriter,
                                       LoopLikeOpInterface loop,
                                       ArrayRef<Value> inits) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  if (auto steps = dyn_cast<scf::ForOp>(*loop)) {
    auto smaller =
        scf::ForOp::create(rewriter, loc, steps.getLowerBound(),
                           steps.getUpperBound(), steps.getStep(), inits);
    if (inits.empty())
      rewriter.eraseOp(smaller.getBody()->getTerminator());
    return smaller;
  }
  auto work = cast<WorkLoopOp>(*loop);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto smaller = WorkLoopOp::create(rewriter, loc, types, work.getExtents(),
                                    work.getGroup(), inits,
                                    work.getDescending(), work.getSchedule());
  SmallVector<Type> arguments(work.getExtents().getTypes());
  llvm::append_range(arguments, types);
  SmallVector<Location> locs(arguments.size(), loc);
  rewriter.createBlock(&smaller.getBody(), {}, arguments, locs);
  return smaller;
}

/// Drops what `loop` carries without need.
static void dropCarried(RewriterBase &rewriter, LoopLikeOpInterface loop,
                        const Slice &slice) {
  SmallVector<unsigned> kept;
  SmallVector<Value> inits, yields;
  for (unsigned n = 0, e = loop->getNumResults(); n < e; ++n) {
    if (!slice.isNeeded(loop.getRegionIterArgs()[n]))
      continue;
    kept.push_back(n);
    inits.push_back(loop.getInits()[n]);
    yields.push_back(loop.getYieldedValues()[n]);
  }
  if (kept.size() == loop->getNumResults())
    return;
  LoopLikeOpInterface smaller = createAlike(rewriter, loop, inits);
  Block *from = &loop.getLoopRegions().front()->front();
  Block *to = &smaller.getLoopRegions().front()->front();
  // Values that nobody needs have no use left.
  SmallVector<Value> arguments(from->getNumArguments());
  unsigned first = from->getNumArguments() - loop->getNumResults();
  for (unsigned n = 0; n < first; ++n)
    arguments[n] = to->getArgument(n);
  for (auto [index, n] : llvm::enumerate(kept))
    arguments[first + n] = smaller.getRegionIterArgs()[index];
  Operation *terminator = from->getTerminator();
  rewriter.modifyOpInPlace(terminator,
                           [&] { terminator->setOperands(yields); });
  for (auto [argument, value] :
       llvm::zip_equal(from->getArguments(), arguments))
    if (value)
      rewriter.replaceAllUsesWith(argument, value);
  to->getOperations().splice(to->end(), from->getOperations());
  for (auto [index, n] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(loop->getResult(n), smaller->getResult(index));
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
  // Of two loops the later one first: it may begin with what the other gives.
  SmallVector<Operation *> carriers;
  region.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, WorkLoopOp>(op) && slice.isNeeded(op) &&
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
        if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
          (*loop.getYieldedValuesMutable())[n].set(loop.getRegionIterArgs()[n]);
      }
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    rewriter.eraseOp(op);
  }
  for (Operation *op : carriers) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      dropCarried(rewriter, loop, slice);
    else
      dropResults(rewriter, cast<scf::IfOp>(op), slice);
  }
}
