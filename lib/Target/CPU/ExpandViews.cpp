//===- ExpandViews.cpp - strides of expanded views ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolves memref.expand_shape of any layout. Upstream's expansion in memref
// transforms is not used: in 22.1 it reads dynamic sizes as constants.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_EXPANDVIEWSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {
struct ExpandShapeToReinterpretCast
    : public OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(b, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(sizes.size());
    SmallVector<OpFoldResult> sourceStrides =
        metadata.getConstifiedMixedStrides();
    for (auto [source, group] : llvm::enumerate(op.getReassociationIndices())) {
      OpFoldResult stride = sourceStrides[source];
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride = product(b, loc, stride, sizes[dim]);
      }
    }
    // The result type fixes what must be constant.
    SmallVector<int64_t> staticStrides;
    int64_t staticOffset;
    if (failed(op.getType().getStridesAndOffset(staticStrides, staticOffset)))
      return b.notifyMatchFailure(op, "result has no strides");
    for (auto [stride, known] : llvm::zip_equal(strides, staticStrides))
      stride = conform(b, loc, stride, known);
    OpFoldResult offset =
        conform(b, loc, metadata.getConstifiedMixedOffset(), staticOffset);
    b.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, op.getType(), metadata.getBaseBuffer(), offset, sizes, strides);
    return success();
  }

private:
  static OpFoldResult product(OpBuilder &b, Location loc, OpFoldResult x,
                              OpFoldResult y) {
    std::optional<int64_t> cx = getConstantIntValue(x);
    std::optional<int64_t> cy = getConstantIntValue(y);
    if (cx && cy)
      return b.getIndexAttr(*cx * *cy);
    if (cy == 1)
      return x;
    if (cx == 1)
      return y;
    Value vx = getValueOrCreateConstantIndexOp(b, loc, x);
    Value vy = getValueOrCreateConstantIndexOp(b, loc, y);
    return arith::MulIOp::create(b, loc, vx, vy).getResult();
  }

  /// `value` as an attribute if the type says `known`, as a value if not.
  static OpFoldResult conform(OpBuilder &b, Location loc, OpFoldResult value,
                              int64_t known) {
    if (!ShapedType::isDynamic(known))
      return b.getIndexAttr(known);
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
};

struct ExpandViews : public attn::impl::ExpandViewsPassBase<ExpandViews> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateExpandViewsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::attn::populateExpandViewsPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandShapeToReinterpretCast>(patterns.getContext());
}
