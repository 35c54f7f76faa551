//===- RowMaximum.h - The running maximum of a row --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a state keeps `m`, the maximum of scores times log2(e), and what an
// exponent subtracts for it. Two limits of f32 are met here, once per row, so
// that they cost nothing per score:
//
// * A finite score times log2(e) may be beyond f32. From 2^127 on `m` advances
//   at half speed: it stands for 2 m - 2^127 (mirrored below 0), so that every
//   finite score has its place, in order.
// * `m` is rounded, the exponent of its own score is not: it is off by up to
//   half a unit of `m`, which shifts all weights of the row alike and drops out
//   of the result, until 2^shift overflows. From 2^29 on exponents of the row
//   are scaled by a power of two that keeps them there: neighbouring scores are
//   then still 32 apart or more, as good as infinitely far.
//
// Private to this conversion.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWMAXIMUM_H
#define ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWMAXIMUM_H

#include "LinalgBuilder.h"
#include <cmath>
#include <limits>

namespace mlir::attn::detail {

inline constexpr double kLog2E = 1.4426950408889634074;
inline constexpr double kLn2 = 0.69314718055994530942;

/// Builds what one row needs of its maximum, on scalars.
class RowMaximum {
public:
  explicit RowMaximum(LinalgBuilder &l) : l(l) {}

  /// `score * factor` as a state keeps it. Scores beyond f32 are infinite,
  /// where `factor` holds a scale above 1 too.
  Value fromScore(Value score, double factor) {
    Value half = l.mul(score, l.constant(factor / 2));
    Value bent = l.add(half, withSignOf(kBend / 2, half));
    Value m = l.select(isBelow(half, kBend / 2), l.add(half, half), bent);
    if (factor <= kLog2E)
      return m;
    constexpr double kMax = std::numeric_limits<float>::max();
    Value infinite = l.mul(half, l.infinity(/*negative=*/false));
    return l.select(isBelow(half, kMax * (kLog2E / 2)), m, infinite);
  }

  /// What a score is multiplied by for its exponent. `limit` is the binary
  /// exponent of `m` from which exponents are scaled.
  Value getFactor(Value m, double factor, int limit) {
    return l.mul(getPower(m, limit), l.constant(factor));
  }

  /// What is subtracted then; 0 where the row has seen no key, NaN where `m` is
  /// +inf: the score that made it so may be finite before the scale.
  Value getBase(Value m, int limit) {
    Value bent = l.mul(l.sub(m, withSignOf(kBend / 2, m)),
                       l.constant(std::ldexp(1.0, limit - 127)));
    Value base = l.finiteOrZero(
        l.select(isBelow(m, kBend), l.mul(m, getPower(m, limit)), bent));
    // 0 unless base is +inf.
    return l.add(base, l.sub(base, base));
  }

  /// `ln(2) * (m + log2(sum))`: the log-sum-exp of a row.
  Value toLogSumExp(Value m, Value sum) {
    constexpr double kMax = std::numeric_limits<float>::max();
    Value log = l.log2(sum);
    Value near = l.mul(l.add(m, log), l.constant(kLn2));
    // The product may round to infinity; `log` only brings a NaN here.
    Value half = l.sub(m, withSignOf(kBend / 2, m));
    Value far = l.mul(half, l.constant(2 * kLn2));
    far = l.max(l.min(far, l.constant(kMax)), l.constant(-kMax));
    return l.select(isBelow(m, kBend), near, l.add(far, log));
  }

private:
  /// Where `m` changes its speed.
  static constexpr double kBend = 0x1p127;

  /// |x| < limit; false for NaN.
  Value isBelow(Value x, double limit) {
    OpBuilder &b = l.builder();
    Value size = math::AbsFOp::create(b, l.getLoc(), x);
    return arith::CmpFOp::create(b, l.getLoc(), arith::CmpFPredicate::OLT, size,
                                 l.constant(limit));
  }

  Value withSignOf(double size, Value x) {
    return math::CopySignOp::create(l.builder(), l.getLoc(), l.constant(size),
                                    x);
  }

  /// The power of two, at most 1, that brings what `m` stands for below
  /// 2^(limit + 1).
  Value getPower(Value m, int limit) {
    OpBuilder &b = l.builder();
    Location loc = l.getLoc();
    Type i32 = b.getI32Type();
    // Exponent fields as they stand in an f32. One more where `m` is bent.
    auto field = [&](int exponent) -> Value {
      return arith::ConstantOp::create(
          b, loc, b.getIntegerAttr(i32, (exponent + 127) << 23));
    };
    Value bits = arith::AndIOp::create(
        b, loc, arith::BitcastOp::create(b, loc, i32, m), field(128));
    bits = l.select(isBelow(m, kBend), bits, field(128));
    bits = arith::MaxSIOp::create(b, loc, bits, field(limit));
    Value power = arith::SubIOp::create(b, loc, field(limit + 127), bits);
    return arith::BitcastOp::create(b, loc, b.getF32Type(), power);
  }

  LinalgBuilder &l;
};

} // namespace mlir::attn::detail

#endif // ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWMAXIMUM_H
