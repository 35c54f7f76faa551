//===- OnlineSoftmax.h - The formulas of online softmax ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that holds the arithmetic of the monoid: on scalars in the body
// of a loop, or elementwise on vectors.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H
#define ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H

#include "mlir/IR/Builders.h"

namespace mlir::attn {

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
  Value exp2(Value x);
  Value log2(Value x);
  /// Ordered comparison: false for NaN.
  Value equal(Value x, Value y);
  Value select(Value condition, Value x, Value y);
  /// `x`, or 0 where it is -inf: what an exponent may subtract.
  Value finiteOrZero(Value x);

protected:
  OpBuilder &b;
  Location loc;
};

/// How a row of `attn.finalize` ends: its state joined with its sink.
class RowEnd {
public:
  /// `m` and `l` are the row's state, `sink` its logit or null.
  RowEnd(ElementBuilder &e, Value m, Value l, Value sink);

  /// What acc is multiplied by; 0 where the row is empty.
  Value buildFactor();
  /// `acc` times that factor; 0 where it is 0, whatever acc holds.
  static Value buildOut(ElementBuilder &e, Value acc, Value factor);
  Value buildLse();

private:
  ElementBuilder &e;
  Value sink, base, weight, sum;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_UTILS_ONLINESOFTMAX_H
