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

/// The first comparison of the induction variable with a bound from outside.
static arith::CmpIOp findComparison(scf::ForOp loop) {
  for (Operation *user : loop.getInductionVar().getUsers()) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
        compare.getLhs() == loop.getInductionVar() &&
        loop.isDefinedOutsideOfLoop(compare.getRhs()))
      return compare;
  }
  return {};
}

LogicalResult attn_gpu::splitLoop(RewriterBase &rewriter, scf::ForOp loop) {
  arith::CmpIOp compare = findComparison(loop);
  if (!compare || !matchPattern(loop.getStep(), m_One()))
    return failure();
  Location loc = loop.getLoc();
  Value bound = compare.getRhs();
  rewriter.setInsertionPoint(loop);
  // The bound, kept within the loop's steps.
  Value middle = arith::MaxSIOp::create(
      rewriter, loc,
      arith::MinSIOp::create(rewriter, loc, bound, loop.getUpperBound()),
      loop.getLowerBound());
  auto decide = [&](scf::ForOp part, bool below) {
    SmallVector<arith::CmpIOp> decided;
    for (Operation *user : part.getInductionVar().getUsers())
      if (auto same = dyn_cast<arith::CmpIOp>(user);
          same && same.getPredicate() == arith::CmpIPredicate::slt &&
          same.getLhs() == part.getInductionVar() && same.getRhs() == bound)
        decided.push_back(same);
    for (arith::CmpIOp op : decided) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(
          op, rewriter.getI1Type(), below);
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
