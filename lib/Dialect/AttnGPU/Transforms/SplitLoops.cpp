//===- SplitLoops.cpp - A copy of a loop for each segment -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits loops where their body compares the step with a bound.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPLITLOOPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// Comparisons of the induction variable with a bound from outside.
static SmallVector<arith::CmpIOp> findComparisons(scf::ForOp loop) {
  SmallVector<arith::CmpIOp> found;
  for (Operation *user : loop.getInductionVar().getUsers()) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (!compare || compare.getLhs() != loop.getInductionVar())
      continue;
    arith::CmpIPredicate predicate = compare.getPredicate();
    if ((predicate == arith::CmpIPredicate::slt ||
         predicate == arith::CmpIPredicate::sge) &&
        loop.isDefinedOutsideOfLoop(compare.getRhs()))
      found.push_back(compare);
  }
  return found;
}

/// Whether `x` stands before `y`, as far as that can be seen.
static bool isDefinedBefore(Value x, Value y) {
  Operation *xOp = x.getDefiningOp(), *yOp = y.getDefiningOp();
  return yOp && (!xOp || (xOp->getBlock() == yOp->getBlock() &&
                          xOp->isBeforeInBlock(yOp)));
}

LogicalResult attn_gpu::splitLoop(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<arith::CmpIOp> comparisons = findComparisons(loop);
  if (comparisons.empty() || !matchPattern(loop.getStep(), m_One()))
    return failure();
  Location loc = loop.getLoc();
  // Of bounds that are made of others, the others first: they are lower where
  // the bounds are ends of segments, and what they decide is not asked again.
  Value bound = comparisons.front().getRhs();
  for (arith::CmpIOp other : ArrayRef(comparisons).drop_front())
    if (isDefinedBefore(other.getRhs(), bound))
      bound = other.getRhs();
  rewriter.setInsertionPoint(loop);
  // The bound, kept within the loop's steps.
  Value middle = arith::MaxSIOp::create(
      rewriter, loc,
      arith::MinSIOp::create(rewriter, loc, bound, loop.getUpperBound()),
      loop.getLowerBound());
  auto decide = [&](scf::ForOp part, bool below) {
    for (arith::CmpIOp op : findComparisons(part)) {
      if (op.getRhs() != bound)
        continue;
      bool holds = (op.getPredicate() == arith::CmpIPredicate::slt) == below;
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(
          op, rewriter.getI1Type(), holds);
    }
  };
  auto first = cast<scf::ForOp>(rewriter.clone(*loop));
  auto second = cast<scf::ForOp>(rewriter.clone(*loop));
  rewriter.modifyOpInPlace(first, [&] { first.setUpperBound(middle); });
  rewriter.modifyOpInPlace(second, [&] {
    second.setLowerBound(middle);
    second.getInitArgsMutable().assign(first.getResults());
  });
  decide(first, /*below=*/true);
  decide(second, /*below=*/false);
  rewriter.replaceOp(loop, second.getResults());
  return success();
}

namespace {
struct SplitLoopsPass
    : attn_gpu::impl::AttnGPUSplitLoopsPassBase<SplitLoopsPass> {
  void runOnOperation() override {
    RewritePatternSet folding(&getContext());
    arith::SelectOp::getCanonicalizationPatterns(folding, &getContext());
    scf::IfOp::getCanonicalizationPatterns(folding, &getContext());
    FrozenRewritePatternSet patterns(std::move(folding));
    IRRewriter rewriter(&getContext());
    // What a comparison decided must be gone before the next is looked for.
    while (getOperation()
               .walk([&](scf::ForOp loop) {
                 return succeeded(splitLoop(rewriter, loop))
                            ? WalkResult::interrupt()
                            : WalkResult::advance();
               })
               .wasInterrupted())
      if (failed(applyPatternsGreedily(getOperation(), patterns)))
        return signalPassFailure();
  }
};
} // namespace
