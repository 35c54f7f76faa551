//===- CollapseLoopState.cpp - carried tensors without unit dims ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves reshapes of the tensors carried by a loop out of the loop.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_COLLAPSELOOPSTATEPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// How the body of the loop sees the carried tensor `argument`, if it is in one
/// collapsed shape only; null otherwise.
static tensor::CollapseShapeOp findCollapse(BlockArgument argument) {
  tensor::CollapseShapeOp found;
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !type.hasStaticShape())
    return nullptr;
  for (Operation *user : argument.getUsers()) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    if (!collapse || (found && collapse.getType() != found.getType()))
      return nullptr;
    found = collapse;
  }
  return found;
}

/// Replaces collapses of what was just expanded.
static void foldPairs(Operation *root) {
  root->walk([](tensor::CollapseShapeOp collapse) {
    auto expand = collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || expand.getSrcType() != collapse.getType() ||
        expand.getReassociationIndices() != collapse.getReassociationIndices())
      return;
    collapse.replaceAllUsesWith(expand.getSrc());
    collapse.erase();
    if (expand->use_empty())
      expand->erase();
  });
}

namespace {
struct CollapseLoopState
    : public attn::impl::CollapseLoopStatePassBase<CollapseLoopState> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      collapse(rewriter, loop);
    foldPairs(getOperation());
  }

private:
  static void collapse(RewriterBase &rewriter, scf::ForOp loop) {
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
      BlockArgument argument = loop.getRegionIterArg(i);
      tensor::CollapseShapeOp shape = findCollapse(argument);
      if (!shape)
        continue;
      Type inner = shape.getType();
      SmallVector<ReassociationIndices> groups =
          shape.getReassociationIndices();
      auto cast = [&](OpBuilder &b, Location loc, Type type,
                      Value value) -> Value {
        if (type == inner)
          return tensor::CollapseShapeOp::create(b, loc, type, value, groups);
        return tensor::ExpandShapeOp::create(b, loc, type, value, groups);
      };
      OpOperand &init = loop.getInitArgsMutable()[i];
      rewriter.setInsertionPoint(loop);
      Value collapsed = cast(rewriter, loop.getLoc(), inner, init.get());
      SmallVector<Value> results = scf::replaceAndCastForOpIterArg(
          rewriter, loop, init, collapsed, cast);
      auto replacement = results[i]
                             .getDefiningOp<tensor::ExpandShapeOp>()
                             .getSrc()
                             .getDefiningOp<scf::ForOp>();
      rewriter.replaceOp(loop, results);
      loop = replacement;
    }
  }
};
} // namespace
