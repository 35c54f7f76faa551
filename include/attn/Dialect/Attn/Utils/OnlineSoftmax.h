//===- OnlineSoftmax.h - The formulas of online softmax ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that holds the arithmetic of the monoid: on scalars in the body
// of a loop, or elementwise on vectors. Every target builds its states with it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H
#define ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H

#include "mlir/IR/Builders.h"

namespace mlir::attn {

inline constexpr double kLog2E = 1.4426950408889634074;
inline constexpr double kLn2 = 0.69314718055994530942;

/// Elementwise arithmetic on f32, on scalars or on vectors of one shape.
class ElementBuilder {
public:
  ElementBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// A constant of the type of `like`.
  Value constant(double value, Value like);
  Value infinity(bool negative, Value like);
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value neg(Value x);
  /// `x * y + z`, rounded once.
  Value fma(Value x, Value y, Value z);
  /// The greater; a NaN gives the other operand. A NaN score is not lost: its
  /// exponential is NaN.
  Value max(Value x, Value y);
  Value min(Value x, Value y);
  Value exp2(Value x);
  Value log2(Value x);
  /// Ordered comparison: false for NaN.
  Value equal(Value x, Value y);
  Value select(Value condition, Value x, Value y);
  /// `x`, or 0 where it is -inf: what an exponent may subtract.
  Value finiteOrZero(Value x);
  /// What takes the place of `m` when scores up to `greatest`, in units of `m`,
  /// join a row: the maximum of both if that is more than `slack` above `m`,
  /// else `m`. Weights are up to 2^slack then, and a state is seldom rescaled.
  Value raise(Value m, Value greatest, double slack);
  /// What a state of maximum `m` is multiplied by when `newM` takes its place.
  Value rescale(Value m, Value newM);
  /// The weight of a score: `2^(score * factor + minusBase)`, its exponent
  /// rounded once.
  Value weigh(Value score, Value factor, Value minusBase);

  OpBuilder &builder() { return b; }
  Location getLoc() const { return loc; }

protected:
  OpBuilder &b;
  Location loc;
};

/// How a state keeps `m`, the maximum of scores times log2(e), and what an
/// exponent subtracts for it. Two limits of f32 are met here, once per row, so
/// that they cost nothing per score:
///
/// * A finite score times log2(e) may be beyond f32. From 2^127 on `m` advances
///   at half speed: it stands for 2 m - 2^127 (mirrored below 0), so that every
///   finite score has its place, in order.
/// * `m` is rounded, the exponent of its own score is not: it is off by up to
///   half a unit of `m`, which shifts all weights of the row alike and drops
///   out of the result, until 2^shift overflows. From 2^29 on exponents of the
///   row are scaled by a power of two that keeps them there: neighbouring
///   scores are then still 32 apart or more, as good as infinitely far.
class RowMaximum {
public:
  explicit RowMaximum(ElementBuilder &e) : e(e) {}

  /// `score * factor` as a state keeps it. Scores beyond f32 are infinite,
  /// where `factor` holds a scale above 1 too.
  Value fromScore(Value score, double factor);
  /// What a score is multiplied by for its exponent. `limit` is the binary
  /// exponent of `m` from which exponents are scaled.
  Value getFactor(Value m, double factor, int limit);
  /// What is subtracted then; 0 where the row has seen no key, NaN where `m` is
  /// +inf: the score that made it so may be finite before the scale.
  Value getBase(Value m, int limit);
  /// `ln(2) * (m + log2(sum))`: the log-sum-exp of a row.
  Value toLogSumExp(Value m, Value sum);

private:
  /// |x| < limit; false for NaN.
  Value isBelow(Value x, double limit);
  Value withSignOf(double size, Value x);
  /// The power of two, at most 1, that brings what `m` stands for below
  /// 2^(limit + 1).
  Value getPower(Value m, int limit);

  ElementBuilder &e;
};

/// How a row of `attn.finalize` ends: its state joined with its sink.
class RowEnd {
public:
  /// `m` and `l` are the row's state; `sink` is its logit, in f32, or null.
  RowEnd(ElementBuilder &e, Value m, Value l, Value sink);

  /// What acc is multiplied by where the row is not empty.
  Value buildFactor();
  /// `acc` times that factor. A row without keys, whose `l` is 0, is 0 whatever
  /// acc and its sink hold; what a row has seen counts, however great its sink
  /// is.
  static Value buildOut(ElementBuilder &e, Value acc, Value factor, Value l);
  Value buildLse();

private:
  ElementBuilder &e;
  Value seen, sink, base, weight, sum;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H
