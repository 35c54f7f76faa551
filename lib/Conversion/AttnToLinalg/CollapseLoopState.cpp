//===- CollapseLoopState.cpp - Loops that carry tiles without unit dimensions
//===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes loops carry what their bodies work on, so that a state stays in one
// buffer: bufferization does not see through a reshape at each end of a body.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// How one loop-carried tensor is collapsed, if it is.
struct Collapse {
  RankedTensorType type;
  SmallVector<ReassociationIndices> groups;
};

/// A loop whose body collapses a carried tensor at every use and expands what
/// it yields carries the collapsed tensor instead.
struct CollapseLoopState : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  static std::optional<Collapse> getCollapse(Value argument, Value yielded) {
    auto expand = yielded.getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || argument.use_empty())
      return std::nullopt;
    Collapse found{expand.getSrcType(), expand.getReassociationIndices()};
    for (Operation *user : argument.getUsers()) {
      auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
      if (!collapse || collapse.getResultType() != found.type ||
          collapse.getReassociationIndices() != found.groups)
        return std::nullopt;
    }
    return found;
  }

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    SmallVector<std::optional<Collapse>> collapses;
    SmallVector<Value> inits;
    Location loc = loop.getLoc();
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    for (auto [argument, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), yield.getOperands()))
      collapses.push_back(getCollapse(argument, yielded));
    if (llvm::none_of(collapses, [](auto &c) { return c.has_value(); }))
      return rewriter.notifyMatchFailure(loop, "no state is collapsed");

    for (auto [init, collapse] : llvm::zip_equal(loop.getInits(), collapses))
      inits.push_back(
          collapse ? tensor::CollapseShapeOp::create(
                         rewriter, loc, collapse->type, init, collapse->groups)
                         .getResult()
                   : init);
    auto collapsed =
        scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), inits);
    collapsed->setDiscardableAttrs(
        llvm::to_vector(loop->getDiscardableAttrs()));
    if (!collapsed.getBody()->empty())
      rewriter.eraseOp(collapsed.getBody()->getTerminator());

    auto expand = [&](Value value, Type type,
                      const std::optional<Collapse> &collapse) -> Value {
      if (!collapse)
        return value;
      return tensor::ExpandShapeOp::create(rewriter, loc, type, value,
                                           collapse->groups);
    };
    rewriter.setInsertionPointToStart(collapsed.getBody());
    SmallVector<Value> arguments = {collapsed.getInductionVar()};
    for (auto [argument, old, collapse] :
         llvm::zip_equal(collapsed.getRegionIterArgs(),
                         loop.getRegionIterArgs(), collapses))
      arguments.push_back(expand(argument, old.getType(), collapse));
    rewriter.mergeBlocks(loop.getBody(), collapsed.getBody(), arguments);
    yield = cast<scf::YieldOp>(collapsed.getBody()->getTerminator());
    rewriter.modifyOpInPlace(yield, [&] {
      for (auto [operand, collapse] :
           llvm::zip_equal(yield->getOpOperands(), collapses))
        if (collapse)
          operand.set(
              operand.get().getDefiningOp<tensor::ExpandShapeOp>().getSrc());
    });

    rewriter.setInsertionPointAfter(collapsed);
    SmallVector<Value> results;
    for (auto [result, old, collapse] :
         llvm::zip_equal(collapsed.getResults(), loop.getResults(), collapses))
      results.push_back(expand(result, old.getType(), collapse));
    rewriter.replaceOp(loop, results);
    return success();
  }
};

} // namespace

void attn::populateCollapseLoopStatePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<CollapseLoopState>(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
}
