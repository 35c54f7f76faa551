//===- OnlineSoftmax.cpp - The formulas of online softmax -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of the monoid, on scalars or vectors.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Utils/OnlineSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static const double kLog2E = std::log2(std::exp(1.0));
static const double kLn2 = std::log(2.0);

//===----------------------------------------------------------------------===//
// ElementBuilder
//===----------------------------------------------------------------------===//

Value ElementBuilder::constant(double value, Value like) {
  Type type = like.getType();
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

Value ElementBuilder::infinity(bool negative, Value like) {
  double value = std::numeric_limits<double>::infinity();
  return constant(negative ? -value : value, like);
}

Value ElementBuilder::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value ElementBuilder::sub(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}
Value ElementBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value ElementBuilder::div(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}
Value ElementBuilder::neg(Value x) { return arith::NegFOp::create(b, loc, x); }
Value ElementBuilder::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, loc, x, y, z);
}
Value ElementBuilder::max(Value x, Value y) {
  return arith::MaxNumFOp::create(b, loc, x, y);
}
Value ElementBuilder::exp2(Value x) { return math::Exp2Op::create(b, loc, x); }
Value ElementBuilder::log2(Value x) { return math::Log2Op::create(b, loc, x); }
Value ElementBuilder::equal(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
}
Value ElementBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}
Value ElementBuilder::finiteOrZero(Value x) {
  return select(equal(x, infinity(/*negative=*/true, x)), constant(0, x), x);
}

//===----------------------------------------------------------------------===//
// RowEnd
//===----------------------------------------------------------------------===//

RowEnd::RowEnd(ElementBuilder &e, Value m, Value l, Value logit)
    : e(e), base(m), sum(l) {
  if (!logit)
    return;
  sink = e.mul(logit, e.constant(kLog2E, logit));
  base = e.max(m, sink);
  Value exponent = e.finiteOrZero(base);
  weight = e.exp2(e.sub(m, exponent));
  sum = e.add(e.mul(l, weight), e.exp2(e.sub(sink, exponent)));
}

Value RowEnd::buildFactor() {
  Value zero = e.constant(0, sum);
  Value inverse = e.div(sink ? weight : e.constant(1, sum), sum);
  Value factor = e.select(e.equal(sum, zero), zero, inverse);
  if (sink)
    factor = e.select(e.equal(sink, e.infinity(/*negative=*/false, sink)), zero,
                      factor);
  return factor;
}

Value RowEnd::buildOut(ElementBuilder &e, Value acc, Value factor) {
  Value zero = e.constant(0, acc);
  return e.select(e.equal(factor, e.constant(0, factor)), zero,
                  e.mul(acc, factor));
}

Value RowEnd::buildLse() {
  Value lse = e.mul(e.add(base, e.log2(sum)), e.constant(kLn2, sum));
  lse = e.select(e.equal(sum, e.constant(0, sum)),
                 e.infinity(/*negative=*/true, sum), lse);
  if (sink) {
    Value infinity = e.infinity(/*negative=*/false, sink);
    lse = e.select(e.equal(sink, infinity), infinity, lse);
  }
  return lse;
}
