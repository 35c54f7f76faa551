//===- ExpandMath.cpp - f32 functions without the C library ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the expansion of exp2 and upstream's approximations of the rest.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {
/// `math.isinf`, `isfinite`, `isnan` and `isnormal` of any floating type as
/// comparisons, which all machines have.
struct ExpandClassification : public RewritePattern {
  explicit ExpandClassification(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &b) const override {
    if (!isa<math::IsInfOp, math::IsFiniteOp, math::IsNaNOp, math::IsNormalOp>(
            op))
      return failure();
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Type type = x.getType();
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs,
                       Value rhs) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
    };
    if (isa<math::IsNaNOp>(op)) {
      b.replaceOp(op, compare(arith::CmpFPredicate::UNO, x, x));
      return success();
    }
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    auto constant = [&](const APFloat &value) -> Value {
      TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, cast<Attribute>(attr));
      return arith::ConstantOp::create(b, loc, attr);
    };
    Value size = math::AbsFOp::create(b, loc, x);
    Value infinity = constant(APFloat::getInf(semantics));
    if (isa<math::IsInfOp>(op)) {
      b.replaceOp(op, compare(arith::CmpFPredicate::OEQ, size, infinity));
      return success();
    }
    Value result = compare(arith::CmpFPredicate::OLT, size, infinity);
    if (isa<math::IsNormalOp>(op))
      result = arith::AndIOp::create(
          b, loc, result,
          compare(arith::CmpFPredicate::OGE, size,
                  constant(APFloat::getSmallestNormalized(semantics))));
    b.replaceOp(op, result);
    return success();
  }
};

struct ExpandMath : public attn::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateExpandExp2Patterns(patterns);
    patterns.add<ExpandClassification>(&getContext());
    math::populateExpansionPatterns(patterns, {"clampf"});
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained(
          {math::ExpOp::getOperationName(), math::LogOp::getOperationName(),
           math::Log2Op::getOperationName(), math::Log1pOp::getOperationName(),
           math::ExpM1Op::getOperationName(), math::TanhOp::getOperationName(),
           math::ErfOp::getOperationName(), math::SinOp::getOperationName(),
           math::CosOp::getOperationName()},
          name);
    });
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace
