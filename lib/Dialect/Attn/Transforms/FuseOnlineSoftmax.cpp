//===- FuseOnlineSoftmax.cpp - Keeps the state inside the query tile ------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves neutral states and finalizations into the loop over query tiles.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNFUSEONLINESOFTMAXPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

using Folds = SmallVector<OpFoldResult>;

namespace {

/// What stands around a loop over query tiles.
struct Surroundings {
  NeutralOp neutral;
  FinalizeOp finalize;
  WalkOp walk;
  /// The slice of `acc` that a tile writes: names the tile's place.
  tensor::ParallelInsertSliceOp stored;
};

} // namespace

/// Finds neutral, walk and finalize of `loop`, or says what is missing.
static FailureOr<Surroundings> findSurroundings(RewriterBase &rewriter,
                                                scf::ForallOp loop) {
  auto fail = [&](const char *reason) {
    return rewriter.notifyMatchFailure(loop, reason);
  };
  Surroundings found;
  if (loop.getNumResults() != 3)
    return fail("the loop does not make one state");
  found.neutral = loop.getOutputs()[2].getDefiningOp<NeutralOp>();
  if (!found.neutral || found.neutral->getResults() != loop.getOutputs())
    return fail("the loop does not start from a neutral state");
  for (Operation *user : loop->getUsers()) {
    if (found.finalize && user != found.finalize)
      return fail("the state has several users");
    found.finalize = dyn_cast<FinalizeOp>(user);
  }
  if (!found.finalize ||
      ValueRange{found.finalize.getM(), found.finalize.getL(),
                 found.finalize.getAcc()} != ValueRange(loop.getResults()))
    return fail("the state is not finalized as it is");
  for (Operation &op : *loop.getBody())
    if (auto walk = dyn_cast<WalkOp>(op)) {
      if (found.walk)
        return fail("the tile has several walks");
      found.walk = walk;
    }
  if (!found.walk || found.walk.getNumResults() != 3)
    return fail("the tile has no walk that carries a state");
  for (Operation &op : loop.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    if (insert.getDest() == loop.getRegionIterArgs()[2])
      found.stored = insert;
  }
  if (!found.stored)
    return fail("the tile does not store its accumulator");
  return found;
}

LogicalResult attn::fuseOnlineSoftmax(RewriterBase &rewriter,
                                      scf::ForallOp loop) {
  FailureOr<Surroundings> surroundings = findSurroundings(rewriter, loop);
  if (failed(surroundings))
    return failure();
  auto [neutral, finalize, walk, stored] = *surroundings;
  Location loc = finalize.getLoc();

  // The new loop stands where the finalization stood: its destinations exist.
  rewriter.setInsertionPoint(finalize);
  SmallVector<Value> destinations = llvm::to_vector(finalize.getDpsInits());
  auto fused =
      scf::ForallOp::create(rewriter, loop.getLoc(), loop.getMixedLowerBound(),
                            loop.getMixedUpperBound(), loop.getMixedStep(),
                            destinations, loop.getMapping());
  fused->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));

  // The tile: all but the stores of its state, from a neutral state.
  rewriter.setInsertionPointToStart(fused.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVars(), fused.getInductionVars());
  mapping.map(loop.getRegionIterArgs(), loop.getOutputs());
  WalkOp fusedWalk;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == walk.getOperation()) {
      auto acc = cast<RankedTensorType>(walk.getInits()[2].getType());
      SmallVector<Value> extents;
      for (int64_t dim = 0; dim < acc.getRank(); ++dim)
        if (acc.isDynamicDim(dim))
          extents.push_back(getValueOrCreateConstantIndexOp(
              rewriter, loc,
              tensor::getMixedSize(rewriter, loc,
                                   mapping.lookup(walk.getInits()[2]), dim)));
      Type rows = walk.getInits()[0].getType();
      auto start = NeutralOp::create(rewriter, neutral.getLoc(), rows, rows,
                                     acc, extents);
      mapping.map(walk.getInits(), start->getResults());
    }
    Operation *copy = rewriter.clone(op, mapping);
    if (&op == walk.getOperation())
      fusedWalk = cast<WalkOp>(copy);
  }

  // Finalizes the tile into destinations of its own shape.
  auto remap = [&](OpFoldResult fold) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(fold))
      return mapping.lookupOrDefault(value);
    return fold;
  };
  Folds offsets = llvm::map_to_vector(stored.getMixedOffsets(), remap);
  Folds sizes = llvm::map_to_vector(stored.getMixedSizes(), remap);
  AffineMap layout = finalize.getOutLayout();
  auto tileShape = tensor::getMixedSizes(rewriter, loc, fusedWalk.getResult(2));
  auto permute = [&](ArrayRef<OpFoldResult> folds) {
    Folds permuted;
    for (AffineExpr expr : layout.getResults())
      permuted.push_back(folds[cast<AffineDimExpr>(expr).getPosition()]);
    return permuted;
  };
  Type element = finalize.getOut().getType().getElementType();
  Value out =
      tensor::EmptyOp::create(rewriter, loc, permute(tileShape), element);
  Value lse;
  if (finalize.getLse())
    lse = tensor::EmptyOp::create(
        rewriter, loc, ArrayRef(tileShape).drop_back(), rewriter.getF32Type());
  Value sinks = finalize.getSinks();
  if (sinks) {
    Folds ones(2, rewriter.getIndexAttr(1));
    sinks = tensor::ExtractSliceOp::create(
        rewriter, loc, sinks, ArrayRef(offsets).slice(PartialOp::KvHead, 2),
        ArrayRef(sizes).slice(PartialOp::KvHead, 2), ones);
  }
  auto tile = FinalizeOp::create(
      rewriter, loc, out.getType(), lse ? lse.getType() : Type(),
      fusedWalk.getResult(0), fusedWalk.getResult(1), fusedWalk.getResult(2),
      out, lse, sinks, finalize.getOutMapAttr());

  // Stores the rows that exist.
  auto store = [&](Value value, Value destination, Folds storeOffsets,
                   Folds storeSizes) {
    Folds zeros(storeSizes.size(), rewriter.getIndexAttr(0));
    Folds ones(storeSizes.size(), rewriter.getIndexAttr(1));
    Value rows = tensor::ExtractSliceOp::create(rewriter, loc, value, zeros,
                                                storeSizes, ones);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(fused.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(rewriter, loc, rows, destination,
                                          storeOffsets, storeSizes, ones);
  };
  store(tile.getOut(), fused.getRegionIterArgs()[0], permute(offsets),
        permute(sizes));
  if (lse) {
    offsets.pop_back();
    sizes.pop_back();
    store(tile.getLse(), fused.getRegionIterArgs()[1], offsets, sizes);
  }

  rewriter.replaceOp(finalize, fused.getResults());
  rewriter.eraseOp(loop);
  // The slices that the state's tiles started from are read no more.
  SmallVector<Operation *> dead;
  for (Operation &op : llvm::reverse(*fused.getBody()))
    if (isOpTriviallyDead(&op))
      dead.push_back(&op);
  for (Operation *op : dead)
    if (op->use_empty())
      rewriter.eraseOp(op);
  if (neutral->use_empty())
    rewriter.eraseOp(neutral);
  return success();
}

namespace {
struct FuseOnlineSoftmaxPass
    : attn::impl::AttnFuseOnlineSoftmaxPassBase<FuseOnlineSoftmaxPass> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops)
      (void)fuseOnlineSoftmax(rewriter, loop);
  }
};
} // namespace
