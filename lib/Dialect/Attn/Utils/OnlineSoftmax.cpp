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
Value ElementBuilder::min(Value x, Value y) {
  return arith::MinNumFOp::create(b, loc, x, y);
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
  Value isInfinite = equal(x, infinity(/*negative=*/true, x));
  Value zero = constant(0, x);
  return select(isInfinite, zero, x);
}

Value ElementBuilder::raise(Value m, Value greatest, double slack) {
  Value maximum = max(m, greatest);
  if (slack == 0)
    return maximum;
  // Of two infinities the difference is NaN, and they are the same.
  Value rise = sub(maximum, m), limit = constant(slack, m);
  Value raised =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, rise, limit);
  return select(raised, maximum, m);
}

Value ElementBuilder::rescale(Value m, Value newM) {
  return exp2(sub(m, finiteOrZero(newM)));
}
Value ElementBuilder::weigh(Value score, Value factor, Value minusBase) {
  return exp2(fma(score, factor, minusBase));
}

//===----------------------------------------------------------------------===//
// RowMaximum
//===----------------------------------------------------------------------===//

/// Where `m` changes its speed.
static constexpr double kBend = 0x1p127;
static constexpr double kMax = std::numeric_limits<float>::max();

Value RowMaximum::fromScore(Value score, double factor) {
  Value half = e.mul(score, e.constant(factor / 2, score));
  Value bent = e.add(half, withSignOf(kBend / 2, half));
  Value straight = isBelow(half, kBend / 2), doubled = e.add(half, half);
  Value m = e.select(straight, doubled, bent);
  if (factor <= kLog2E)
    return m;
  Value infinite = e.mul(half, e.infinity(/*negative=*/false, half));
  return e.select(isBelow(half, kMax * (kLog2E / 2)), m, infinite);
}

Value RowMaximum::getFactor(Value m, double factor, int limit) {
  Value power = getPower(m, limit), rest = e.constant(factor, m);
  return e.mul(power, rest);
}

Value RowMaximum::getBase(Value m, int limit) {
  Value half = e.sub(m, withSignOf(kBend / 2, m));
  Value bent = e.mul(half, e.constant(std::ldexp(1.0, limit - 127), m));
  Value straight = isBelow(m, kBend), scaled = e.mul(m, getPower(m, limit));
  Value base = e.finiteOrZero(e.select(straight, scaled, bent));
  // 0 unless base is +inf.
  return e.add(base, e.sub(base, base));
}

Value RowMaximum::toLogSumExp(Value m, Value sum) {
  Value log = e.log2(sum);
  Value exponent = e.add(m, log);
  Value near = e.mul(exponent, e.constant(kLn2, m));
  // The product may round to infinity; `log` only brings a NaN here.
  Value half = e.sub(m, withSignOf(kBend / 2, m));
  Value far = e.mul(half, e.constant(2 * kLn2, half));
  Value atMost = e.min(far, e.constant(kMax, far));
  far = e.max(atMost, e.constant(-kMax, far));
  Value straight = isBelow(m, kBend);
  far = e.add(far, log);
  return e.select(straight, near, far);
}

Value RowMaximum::isBelow(Value x, double limit) {
  OpBuilder &b = e.builder();
  Value size = math::AbsFOp::create(b, e.getLoc(), x);
  return arith::CmpFOp::create(b, e.getLoc(), arith::CmpFPredicate::OLT, size,
                               e.constant(limit, x));
}

Value RowMaximum::withSignOf(double size, Value x) {
  return math::CopySignOp::create(e.builder(), e.getLoc(), e.constant(size, x),
                                  x);
}

Value RowMaximum::getPower(Value m, int limit) {
  OpBuilder &b = e.builder();
  Location loc = e.getLoc();
  Type i32 = b.getI32Type();
  auto shaped = dyn_cast<ShapedType>(m.getType());
  Type type = shaped ? Type(shaped.clone(i32)) : i32;
  // Exponent fields as they stand in an f32. One more where `m` is bent.
  auto field = [&](int exponent) -> Value {
    TypedAttr attr = b.getIntegerAttr(i32, (exponent + 127) << 23);
    if (shaped)
      attr = DenseElementsAttr::get(cast<ShapedType>(type), Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr);
  };
  Value bits = arith::BitcastOp::create(b, loc, type, m);
  bits = arith::AndIOp::create(b, loc, bits, field(128));
  Value straight = isBelow(m, kBend), bend = field(128);
  bits = e.select(straight, bits, bend);
  bits = arith::MaxSIOp::create(b, loc, bits, field(limit));
  Value power = arith::SubIOp::create(b, loc, field(limit + 127), bits);
  return arith::BitcastOp::create(b, loc, m.getType(), power);
}

//===----------------------------------------------------------------------===//
// RowEnd
//===----------------------------------------------------------------------===//

RowEnd::RowEnd(ElementBuilder &e, Value m, Value l, Value logit)
    : e(e), seen(l), base(m), sum(l) {
  if (!logit)
    return;
  sink = RowMaximum(e).fromScore(logit, kLog2E);
  base = e.max(m, sink);
  Value exponent = e.finiteOrZero(base);
  weight = e.exp2(e.sub(m, exponent));
  Value keys = e.mul(l, weight), sinkTerm = e.exp2(e.sub(sink, exponent));
  sum = e.add(keys, sinkTerm);
}

Value RowEnd::buildFactor() {
  Value factor = e.div(sink ? weight : e.constant(1, sum), sum);
  if (!sink)
    return factor;
  Value takesAll = e.equal(sink, e.infinity(/*negative=*/false, sink));
  Value zero = e.constant(0, factor);
  return e.select(takesAll, zero, factor);
}

Value RowEnd::buildOut(ElementBuilder &e, Value acc, Value factor, Value l) {
  Value scaled = e.mul(acc, factor);
  Value empty = e.equal(l, e.constant(0, l));
  return e.select(empty, e.constant(0, scaled), scaled);
}

Value RowEnd::buildLse() {
  Value lse = RowMaximum(e).toLogSumExp(base, sum);
  Value empty = e.equal(sum, e.constant(0, sum));
  lse = e.select(empty, e.infinity(/*negative=*/true, sum), lse);
  if (sink) {
    // A NaN that the row has seen stays: it is in l.
    Value infinity = e.infinity(/*negative=*/false, sink);
    Value takesAll = e.equal(sink, infinity);
    lse = e.select(takesAll, e.add(infinity, seen), lse);
  }
  return lse;
}
