//===- Pipeline.cpp - Products of two steps side by side ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delays the last product of a loop's step by one step.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINEPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

MmaWaitOp attn_gpu::findWait(MmaOp product) {
  if (!product->hasOneUse())
    return {};
  auto wait = dyn_cast<MmaWaitOp>(*product->user_begin());
  return wait && wait->getBlock() == product->getBlock() ? wait : MmaWaitOp();
}

namespace {

/// Which operations of a loop's step are delayed, and the order of a step of
/// the rotated loop.
class Rotation {
public:
  explicit Rotation(scf::ForOp loop) : loop(loop) {}

  /// Fails where no product of a step depends on another.
  LogicalResult plan() {
    Block *body = loop.getBody();
    SmallVector<MmaOp> products(body->getOps<MmaOp>());
    if (products.size() != 2)
      return failure();
    late = products.back();
    early = products.front();
    llvm::SetVector<Operation *> needs = getSliceOf(late);
    if (!needs.contains(early))
      return failure();
    lateWait = findWait(late);
    earlyWait = findWait(early);
    if (!lateWait || !earlyWait)
      return failure();
    delayed.insert(late);
    delayed.insert(lateWait);
    // The ring that the late product reads, if nothing else reads the tile.
    if (auto wait = late.getB().getDefiningOp<RingWaitOp>();
        wait && wait->hasOneUse()) {
      delayed.insert(wait);
      for (Operation &op : *body)
        if (isOnRing(&op, wait.getRing(), wait.getCount()))
          delayed.insert(&op);
    }
    order();
    return success();
  }

  bool isDelayed(Operation *op) const { return delayed.contains(op); }
  /// The step's operations in their new order.
  ArrayRef<Operation *> getOrder() const { return ordered; }
  MmaWaitOp getEarlyWait() const { return earlyWait; }

private:
  static bool isOnRing(Operation *op, Value ring, Value count) {
    if (auto fill = dyn_cast<RingFillOp>(op))
      return fill.getRing() == ring && fill.getCount() == count;
    if (auto release = dyn_cast<RingReleaseOp>(op))
      return release.getRing() == ring && release.getCount() == count;
    return false;
  }

  /// What `op` needs in the loop's body, itself not included.
  llvm::SetVector<Operation *> getSliceOf(Operation *op) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.omitUsesFromAbove = false;
    options.filter = [&](Operation *other) {
      return other->getBlock() == loop.getBody();
    };
    (void)getBackwardSlice(op, &slice, options);
    return slice;
  }

  /// Whether `op`, in the step after, needs what the late product gives.
  bool needsLateResult(Operation *op) {
    Value result = lateWait.getFragment();
    return llvm::any_of(
        loop.getYieldedValuesMutable().value(), [&](OpOperand &y) {
          return y.get() == result &&
                 llvm::is_contained(
                     op->getOperands(),
                     loop.getRegionIterArg(y.getOperandNumber()));
        });
  }

  void order() {
    // Early product, late product, elementwise work, late wait, the rest: what
    // feeds the late product from registers, and what its result goes into.
    llvm::SetVector<Operation *> rest;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isDelayed(&op))
        continue;
      bool feeds = &op == late.getA().getDefiningOp() && !isa<MmaWaitOp>(op);
      bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
        return rest.contains(operand.getDefiningOp());
      });
      if (feeds || follows || needsLateResult(&op))
        rest.insert(&op);
    }
    llvm::SetVector<Operation *> upToProduct = getSliceOf(early);
    upToProduct.insert(early);
    // Copies first: they take longest.
    for (auto fill : loop.getBody()->getOps<RingFillOp>())
      if (!isDelayed(fill)) {
        upToProduct.insert_range(getSliceOf(fill));
        upToProduct.insert(fill);
      }
    auto append = [&](auto &&isWanted) {
      for (Operation &op : loop.getBody()->without_terminator())
        if (isWanted(&op) && !llvm::is_contained(ordered, &op))
          ordered.push_back(&op);
    };
    auto now = [&](Operation *op) {
      return !isDelayed(op) && !rest.contains(op);
    };
    append([&](Operation *op) { return now(op) && upToProduct.contains(op); });
    append([&](Operation *op) {
      return isDelayed(op) && (op == late || op->isBeforeInBlock(late));
    });
    append(now);
    append([&](Operation *op) { return isDelayed(op); });
    append([](Operation *) { return true; });
  }

  scf::ForOp loop;
  MmaOp early, late;
  MmaWaitOp earlyWait, lateWait;
  llvm::SetVector<Operation *> delayed;
  SmallVector<Operation *> ordered;
};

/// Builds the rotated loop.
class Rotator {
public:
  Rotator(RewriterBase &b, scf::ForOp loop, const Rotation &rotation)
      : b(b), loop(loop), loc(loop.getLoc()), rotation(rotation) {}

  SmallVector<Value> run() {
    collectCrossing();
    // The first step, without what is delayed.
    IRMapping first;
    first.map(loop.getInductionVar(), loop.getLowerBound());
    first.map(loop.getRegionIterArgs(), loop.getInitArgs());
    for (Operation *op : rotation.getOrder())
      if (!rotation.isDelayed(op))
        b.clone(*op, first);

    SmallVector<Value> inits;
    for (auto [index, yielded] : llvm::enumerate(loop.getYieldedValues()))
      inits.push_back(isLate(yielded) ? loop.getInitArgs()[index]
                                      : first.lookupOrDefault(yielded));
    for (Value value : crossing)
      inits.push_back(first.lookupOrDefault(value));
    Value begin =
        arith::AddIOp::create(b, loc, loop.getLowerBound(), loop.getStep());
    unsigned carried = loop.getNumRegionIterArgs();
    auto rotated = scf::ForOp::create(b, loc, begin, loop.getUpperBound(),
                                      loop.getStep(), inits);
    b.setInsertionPointToStart(rotated.getBody());
    ValueRange arguments = rotated.getRegionIterArgs();
    // `now` is this step; `before` is what was delayed of the one before.
    IRMapping now, before;
    now.map(loop.getInductionVar(), rotated.getInductionVar());
    now.map(loop.getRegionIterArgs(), arguments.take_front(carried));
    mapBefore(before, arguments);
    for (Operation *op : rotation.getOrder()) {
      if (!rotation.isDelayed(op)) {
        Operation *copy = b.clone(*op, now);
        // The late product was started after this one.
        if (op == rotation.getEarlyWait())
          cast<MmaWaitOp>(copy).setPending(1);
        continue;
      }
      b.clone(*op, before);
      for (auto [index, yielded] : llvm::enumerate(loop.getYieldedValues()))
        if (yielded.getDefiningOp() == op)
          now.map(loop.getRegionIterArg(index), before.lookup(yielded));
    }
    SmallVector<Value> yields;
    for (Value yielded : loop.getYieldedValues())
      yields.push_back(isLate(yielded) ? before.lookup(yielded)
                                       : now.lookupOrDefault(yielded));
    for (Value value : crossing)
      yields.push_back(now.lookupOrDefault(value));
    scf::YieldOp::create(b, loc, yields);

    // What was delayed of the last step.
    b.setInsertionPointAfter(rotated);
    IRMapping last;
    mapBefore(last, rotated.getResults());
    for (Operation *op : rotation.getOrder())
      if (rotation.isDelayed(op))
        b.clone(*op, last);
    SmallVector<Value> results;
    for (auto [index, yielded] : llvm::enumerate(loop.getYieldedValues()))
      results.push_back(isLate(yielded) ? last.lookup(yielded)
                                        : Value(rotated.getResult(index)));
    return results;
  }

private:
  bool isLate(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && rotation.isDelayed(op);
  }

  /// Values of a step that its delayed operations use.
  void collectCrossing() {
    for (Operation *op : rotation.getOrder()) {
      if (!rotation.isDelayed(op))
        continue;
      for (Value operand : op->getOperands()) {
        bool inLoop = loop.getRegion().isAncestor(operand.getParentRegion());
        if (inLoop && !isLate(operand))
          crossing.insert(operand);
      }
    }
  }

  void mapBefore(IRMapping &mapping, ValueRange carried) {
    for (auto [value, argument] : llvm::zip_equal(
             crossing, carried.drop_front(loop.getNumRegionIterArgs())))
      mapping.map(value, argument);
  }

  RewriterBase &b;
  scf::ForOp loop;
  Location loc;
  const Rotation &rotation;
  llvm::SetVector<Value> crossing;
};

} // namespace

/// Whether `loop` is known to make a step: it begins below a number that its
/// upper bound is not below.
static bool makesStep(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  Value upper = loop.getUpperBound();
  auto isAbove = [&](Value value) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    return constant && *constant > *lower;
  };
  if (!lower)
    return false;
  auto maximum = upper.getDefiningOp<arith::MaxSIOp>();
  return isAbove(upper) ||
         (maximum && llvm::any_of(maximum->getOperands(), isAbove));
}

LogicalResult attn_gpu::rotateLoop(RewriterBase &rewriter, scf::ForOp loop) {
  Rotation rotation(loop);
  if (failed(rotation.plan()))
    return failure();
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  if (makesStep(loop)) {
    rewriter.replaceOp(loop, Rotator(rewriter, loop, rotation).run());
    return success();
  }
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  auto guard = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), any,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(rewriter, loc, loop.getInitArgs());
  rewriter.setInsertionPointToStart(guard.thenBlock());
  SmallVector<Value> results = Rotator(rewriter, loop, rotation).run();
  scf::YieldOp::create(rewriter, loc, results);
  rewriter.replaceOp(loop, guard.getResults());
  return success();
}

namespace {
struct PipelinePass : attn_gpu::impl::AttnGPUPipelinePassBase<PipelinePass> {
  using AttnGPUPipelinePassBase::AttnGPUPipelinePassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      (void)rotateLoop(rewriter, loop);
    if (!flatten || !getOperation().getWantedFlatten().value_or(true))
      return;
    SmallVector<WorkLoopOp> works;
    getOperation().walk([&](WorkLoopOp work) { works.push_back(work); });
    for (WorkLoopOp work : works)
      (void)flattenWork(rewriter, work);
  }
};
} // namespace
