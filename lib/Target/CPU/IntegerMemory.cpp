//===- IntegerMemory.cpp - bf16 in memory is 16 bits ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces loads and stores of bf16 by those of integers.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_INTEGERMEMORYPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// The integers that stand for `type`, bf16 or a vector of it; else nothing.
static Type getIntegerType(Type type) {
  if (!getElementTypeOrSelf(type).isBF16())
    return {};
  Type i16 = IntegerType::get(type.getContext(), 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), i16, vector.getScalableDims());
  return i16;
}

namespace {
struct LoadIntegers : OpRewritePattern<LLVM::LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::LoadOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), integers = getIntegerType(type);
    if (!integers)
      return failure();
    auto load = cast<LLVM::LoadOp>(rewriter.clone(*op));
    load.getResult().setType(integers);
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, type, load);
    return success();
  }
};

struct StoreIntegers : OpRewritePattern<LLVM::StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::StoreOp op,
                                PatternRewriter &rewriter) const override {
    Type integers = getIntegerType(op.getValue().getType());
    if (!integers)
      return failure();
    Value value =
        LLVM::BitcastOp::create(rewriter, op.getLoc(), integers, op.getValue());
    rewriter.modifyOpInPlace(op, [&] { op.getValueMutable().set(value); });
    return success();
  }
};

struct IntegerMemory : attn::impl::IntegerMemoryPassBase<IntegerMemory> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LoadIntegers, StoreIntegers>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
