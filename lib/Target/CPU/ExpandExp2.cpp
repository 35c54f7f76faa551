//===- ExpandExp2.cpp - 2^x without the C library -------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expansion of f32 math.exp2, scalar and vector, into arithmetic.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// (2^f - 1) / f on [-1/2, 1/2]: interpolation at the six Chebyshev points,
/// rounded to f32. 2^f = 1 + f * q(f) then has a relative error below 1e-8, and
/// 2^0 is exact.
static constexpr float kCoefficients[] = {
    0x1.62e430p-1f, 0x1.ebfbe0p-3f,  0x1.c6af6cp-5f,
    0x1.3b2a54p-7f, 0x1.5f0890p-10f, 0x1.44138ap-13f,
};

/// Adding 1.5 * 2^23 rounds an f32 of magnitude below 2^22 to an integer, to
/// nearest even, and leaves that integer in the low bits; those of the constant
/// are zero.
static constexpr float kRoundingBias = 0x1.8p23f;

namespace {
struct ExpandExp2 : public OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &b) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32() || isa<TensorType>(type))
      return b.notifyMatchFailure(op, "not an f32 scalar or vector");
    Location loc = op.getLoc();
    Type intType = b.getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      intType = vector.clone(intType);

    auto constant = [&](float value) -> Value {
      FloatAttr attr = b.getF32FloatAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        return arith::ConstantOp::create(b, loc,
                                         DenseElementsAttr::get(shaped, attr));
      return arith::ConstantOp::create(b, loc, attr);
    };
    auto intConstant = [&](int32_t value) -> Value {
      IntegerAttr attr = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(intType))
        return arith::ConstantOp::create(b, loc,
                                         DenseElementsAttr::get(shaped, attr));
      return arith::ConstantOp::create(b, loc, attr);
    };

    // x = n + f, n an integer, |f| <= 1/2.
    Value x = op.getOperand();
    Value bias = constant(kRoundingBias);
    Value biased = arith::AddFOp::create(b, loc, x, bias);
    Value n = arith::SubFOp::create(b, loc, biased, bias);
    Value f = arith::SubFOp::create(b, loc, x, n);

    Value p = constant(kCoefficients[std::size(kCoefficients) - 1]);
    for (float c : llvm::reverse(ArrayRef(kCoefficients).drop_back()))
      p = math::FmaOp::create(b, loc, p, f, constant(c));
    p = math::FmaOp::create(b, loc, p, f, constant(1.0f));

    // Times 2^n: the exponent field starts at bit 23.
    Value exponent = arith::BitcastOp::create(b, loc, intType, biased);
    exponent = arith::ShLIOp::create(b, loc, exponent, intConstant(23));
    Value bits = arith::AddIOp::create(
        b, loc, arith::BitcastOp::create(b, loc, intType, p), exponent);
    Value result = arith::BitcastOp::create(b, loc, type, bits);

    // Outside the normal range. Both comparisons are false for NaN, which the
    // product keeps; from 128 on the product is infinite.
    Value above = arith::MulFOp::create(b, loc, x, constant(0x1p127f));
    Value isBelowMax = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                             x, constant(128.0f));
    result = arith::SelectOp::create(b, loc, isBelowMax, result, above);
    Value isTiny = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x,
                                         constant(-126.0f));
    b.replaceOpWithNewOp<arith::SelectOp>(op, isTiny, constant(0.0f), result);
    return success();
  }
};

} // namespace

void mlir::attn::populateExpandExp2Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp2>(patterns.getContext());
}
