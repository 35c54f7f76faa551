//===- IntArith.h - The interval analysis on plain numbers ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic policy under which IntervalAlgebra, KeyRanges and KeyTiles run
// on int64_t: for cost models, for tests, and as the constant folder of
// IRArith, which is the same policy on IR values.
//
// A policy `Arith` has a copyable `Value` and
//   constant(int64_t), add, sub, min, max             -> Value
//   mul(Value, int64_t), floorDiv, ceilDiv(Value, int64_t divisor >= 1)
//   divUp, divDown(Value >= 0, int64_t divisor >= 1)  cheaper forms of the same
//   select(Order, a, b, ifTrue, ifFalse)              (a order b) ? ... : ...
//   known(Order, a, b) -> optional<bool>              what holds at every run
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_INTARITH_H
#define ATTN_ANALYSIS_INTARITH_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace mlir::attn {

/// Signed comparison of two values of a policy.
enum class Order { LT, LE };

struct IntArith {
  using Value = int64_t;

  Value constant(int64_t value) { return value; }
  Value add(Value a, Value b) { return a + b; }
  Value sub(Value a, Value b) { return a - b; }
  Value mul(Value a, int64_t factor) { return a * factor; }
  Value min(Value a, Value b) { return std::min(a, b); }
  Value max(Value a, Value b) { return std::max(a, b); }
  /// Rounds toward -inf, whatever the sign of `a`.
  Value floorDiv(Value a, int64_t divisor) {
    return a / divisor - (a % divisor < 0 ? 1 : 0);
  }
  /// Rounds toward +inf.
  Value ceilDiv(Value a, int64_t divisor) {
    return a / divisor + (a % divisor > 0 ? 1 : 0);
  }
  Value divDown(Value a, int64_t divisor) { return floorDiv(a, divisor); }
  Value divUp(Value a, int64_t divisor) { return ceilDiv(a, divisor); }
  Value select(Order order, Value a, Value b, Value ifTrue, Value ifFalse) {
    return *known(order, a, b) ? ifTrue : ifFalse;
  }
  std::optional<bool> known(Order order, Value a, Value b) {
    return order == Order::LT ? a < b : a <= b;
  }
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_INTARITH_H
