//===- MaskExpr.h - A mask as an expression over positions ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MaskExpr is the form in which the interval analysis reads a mask, whether it
// came from a mask attribute or from a region: and/or/not over comparisons of a
// key position r with a query position p. It holds no IR; values that are only
// known at run time and equal for all (p, r) of a tile are named by numbers
// ("uniforms") that the caller resolves. How sets of keys are computed from it
// is in KeyRanges.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_MASKEXPR_H
#define ATTN_ANALYSIS_MASKEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::attn {

/// Positions, uniforms and offsets are all below 2^kPositionBits in magnitude.
/// Within that limit every result of the analysis is exact in 64 bits; a
/// comparison whose coefficients could exceed 64 bits is kept as opaque.
inline constexpr unsigned kPositionBits = 40;
inline constexpr int64_t kPositionLimit = int64_t(1) << kPositionBits;

/// `constant + sum of coefficient * uniform`.
struct UniformSum {
  int64_t constant = 0;
  /// (number of the uniform, coefficient).
  llvm::SmallVector<std::pair<unsigned, int64_t>, 1> terms;

  UniformSum() = default;
  UniformSum(int64_t constant) : constant(constant) {}
  static UniformSum uniform(unsigned number, int64_t coefficient = 1);

  bool isConstant() const { return terms.empty(); }
  UniformSum &operator+=(const UniformSum &other);
  UniformSum &operator*=(int64_t factor);
  bool operator==(const UniformSum &other) const {
    return constant == other.constant && terms == other.terms;
  }
};

enum class Rounding { Floor, TowardZero };

/// `coefficient * div(multiplier * x + offset, divisor)` for a position x (p or
/// r). Monotone in x, which is all that the analysis needs. `divisor >= 1`; a
/// divisor of 1 makes it affine. A multiplier of 0 makes it uniform.
struct PositionTerm {
  int64_t coefficient = 1;
  int64_t multiplier = 1;
  UniformSum offset;
  int64_t divisor = 1;
  Rounding rounding = Rounding::Floor;
};

/// `key(r)  <predicate>  sum of query[i](p) + offset`. A key term whose
/// multiplier is 0 reads as the number 0: a condition on the row alone.
struct PositionCompare {
  enum class Predicate { AtMost, AtLeast, Equal };
  Predicate predicate = Predicate::AtMost;
  PositionTerm key;
  llvm::SmallVector<PositionTerm, 1> query;
  UniformSum offset;
};

/// Key positions [begin, end).
struct KeySpan {
  UniformSum begin, end;
};

class MaskExpr {
public:
  enum class Kind { All, None, Compare, Span, Opaque, And, Or, Not };
  using Predicate = PositionCompare::Predicate;

  /// Every key, no key, and "nothing is known" (some keys may be visible, none
  /// is certain to be).
  static MaskExpr all() { return MaskExpr(Kind::All); }
  static MaskExpr none() { return MaskExpr(Kind::None); }
  static MaskExpr opaque() { return MaskExpr(Kind::Opaque); }

  /// Visible iff `r <= p`.
  static MaskExpr causal();
  /// Visible iff `p - left <= r <= p + right`; a side without a value, or one
  /// of 2^40 or more, is unbounded.
  static MaskExpr window(std::optional<int64_t> left,
                         std::optional<int64_t> right);
  /// Visible iff `r < length`.
  static MaskExpr prefix(UniformSum length);
  /// Visible iff `floor(p/chunk) = floor(r/chunk)`; `chunk >= 1`.
  static MaskExpr chunked(int64_t chunk);
  /// Keys outside `possible` are visible to no row of the tile, keys in
  /// `certain` (if given) to every row: the form of masks whose data is not
  /// evaluated, such as document ids.
  static MaskExpr span(KeySpan possible,
                       std::optional<KeySpan> certain = std::nullopt);
  /// Opaque if the comparison could leave 64 bits.
  static MaskExpr compare(PositionCompare compare);

  /// Visible iff all (any) of the parts agree; constants are folded.
  static MaskExpr conjunction(MaskExpr lhs, MaskExpr rhs);
  static MaskExpr disjunction(MaskExpr lhs, MaskExpr rhs);
  static MaskExpr negation(MaskExpr operand);

  Kind getKind() const { return kind; }
  const PositionCompare &getCompare() const { return comparison; }
  const KeySpan &getPossible() const { return *possible; }
  const std::optional<KeySpan> &getCertain() const { return certain; }
  llvm::ArrayRef<MaskExpr> getOperands() const { return operands; }

  /// True if some leaf is opaque: the analysis may then take full tiles for
  /// partial ones.
  bool hasOpaque() const;

  void print(llvm::raw_ostream &os) const;

private:
  explicit MaskExpr(Kind kind) : kind(kind) {}

  Kind kind;
  PositionCompare comparison;               // Compare
  std::optional<KeySpan> possible, certain; // Span
  std::vector<MaskExpr> operands;           // And, Or: 2; Not: 1
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const MaskExpr &mask) {
  mask.print(os);
  return os;
}

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_MASKEXPR_H
