//===- KeyRanges.h - Keys a query tile may or must see ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a MaskExpr on a whole query tile at once: two sets of keys, those
// that some row may see and those that every row sees. The cost depends on the
// size of the expression only, never on the number of positions.
// docs/Rationale/BlockClassification.md has the algebra and says which masks
// get exact sets.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_KEYRANGES_H
#define ATTN_ANALYSIS_KEYRANGES_H

#include "attn/Analysis/IntervalAlgebra.h"
#include "attn/Analysis/MaskExpr.h"

#include "llvm/Support/ErrorHandling.h"

namespace mlir::attn {

/// One query tile against a run of keys. All values are positions (not local
/// indices) below 2^40 in magnitude.
template <typename Arith>
struct TilePositions {
  using Value = typename Arith::Value;
  /// Positions of the tile's rows, both inclusive; `queryFirst <= queryLast`,
  /// and each position between them is a row's.
  Value queryFirst, queryLast;
  /// Keys [keyOrigin, keyOrigin + keyExtent); `keyExtent >= 0`. Keys outside
  /// are visible to no row.
  Value keyOrigin, keyExtent;
  /// Values of the uniforms that the mask names.
  llvm::ArrayRef<Value> uniforms;
};

template <typename Arith>
class KeyRanges {
public:
  using Value = typename Arith::Value;
  using Algebra = IntervalAlgebra<Arith>;
  using Set = typename Algebra::Set;

  /// Keys as offsets from `keyOrigin`. `possible` holds every key that some row
  /// sees; every row sees each key of `certain`.
  struct Result {
    Set possible, certain;
  };

  /// Sets are kept to `maxIntervals` intervals.
  KeyRanges(Arith &arith, const TilePositions<Arith> &tile,
            unsigned maxIntervals)
      : arith(arith), tile(tile), maxIntervals(maxIntervals),
        algebra(arith, tile.keyExtent) {}

  Result evaluate(const MaskExpr &mask) {
    Result result = evaluateExact(mask);
    result.possible =
        algebra.coverFromOutside(std::move(result.possible), maxIntervals);
    result.certain =
        algebra.coverFromInside(std::move(result.certain), maxIntervals);
    return result;
  }

  /// The shortest run of keys, as offsets from `keyOrigin`, that holds every
  /// key of `possible`: at most one slot, none if no row ever sees a key.
  Set evaluateHull(const MaskExpr &mask) {
    return algebra.coverFromOutside(evaluate(mask).possible, 1);
  }

private:
  struct Extremes {
    Value least, greatest;
  };

  Result evaluateExact(const MaskExpr &mask) {
    switch (mask.getKind()) {
    case MaskExpr::Kind::All:
      return {algebra.all(), algebra.all()};
    case MaskExpr::Kind::None:
      return {algebra.none(), algebra.none()};
    case MaskExpr::Kind::Opaque:
      return {algebra.all(), algebra.none()};
    case MaskExpr::Kind::Compare:
      return evaluateCompare(mask.getCompare());
    case MaskExpr::Kind::Span:
      return {evaluateSpan(mask.getPossible()),
              mask.getCertain() ? evaluateSpan(*mask.getCertain())
                                : algebra.none()};
    case MaskExpr::Kind::And: {
      Result lhs = evaluate(mask.getOperands()[0]);
      Result rhs = evaluate(mask.getOperands()[1]);
      return {algebra.intersect(lhs.possible, rhs.possible),
              algebra.intersect(lhs.certain, rhs.certain)};
    }
    case MaskExpr::Kind::Or: {
      Result lhs = evaluate(mask.getOperands()[0]);
      Result rhs = evaluate(mask.getOperands()[1]);
      return {algebra.unite(std::move(lhs.possible), rhs.possible),
              algebra.unite(std::move(lhs.certain), rhs.certain)};
    }
    case MaskExpr::Kind::Not: {
      Result operand = evaluate(mask.getOperands()[0]);
      return {algebra.complement(operand.certain),
              algebra.complement(operand.possible)};
    }
    }
    llvm_unreachable("unknown kind of mask");
  }

  /// The comparison holds for some (every) row iff it holds for the extreme
  /// right-hand side that makes it easiest (hardest).
  Result evaluateCompare(const PositionCompare &compare) {
    Extremes right = rightHandSide(compare);
    switch (compare.predicate) {
    case PositionCompare::Predicate::AtMost:
      return {atMost(compare.key, right.greatest),
              atMost(compare.key, right.least)};
    case PositionCompare::Predicate::AtLeast:
      return {atLeast(compare.key, right.least),
              atLeast(compare.key, right.greatest)};
    case PositionCompare::Predicate::Equal: {
      Set below = atMost(compare.key, right.greatest);
      Set above = atLeast(compare.key, right.least);
      Set possible = algebra.intersect(below, above);
      below = atMost(compare.key, right.least);
      above = atLeast(compare.key, right.greatest);
      return {std::move(possible), algebra.intersect(below, above)};
    }
    }
    llvm_unreachable("unknown predicate");
  }

  Set evaluateSpan(const KeySpan &span) {
    auto begin = local(sum(span.begin)), end = local(sum(span.end));
    return algebra.between(begin, end);
  }

  /// Keys r with `term(r) <= limit`.
  Set atMost(const PositionTerm &term, Value limit) {
    Value zero = arith.constant(0);
    if (term.multiplier == 0) // 0 <= limit: all keys or none
      return algebra.between(algebra.bottom(),
                             algebra.clamp(arith.select(Order::LE, zero, limit,
                                                        tile.keyExtent, zero)));
    Value quotient = arith.floorDiv(limit, term.coefficient);
    // The greatest dividend with that quotient.
    Value dividend = arith.mul(quotient, term.divisor);
    Value rounded = arith.add(dividend, arith.constant(term.divisor - 1));
    if (term.rounding == Rounding::TowardZero && term.divisor != 1)
      rounded = arith.select(Order::LE, zero, quotient, rounded, dividend);
    Value bound = arith.sub(rounded, sum(term.offset));
    return term.multiplier > 0 ? upTo(bound, term.multiplier)
                               : from(bound, term.multiplier);
  }

  /// Keys r with `term(r) >= limit`.
  Set atLeast(const PositionTerm &term, Value limit) {
    Value zero = arith.constant(0);
    if (term.multiplier == 0) // 0 >= limit
      return algebra.between(algebra.bottom(),
                             algebra.clamp(arith.select(Order::LE, limit, zero,
                                                        tile.keyExtent, zero)));
    Value quotient = arith.ceilDiv(limit, term.coefficient);
    // The least dividend with that quotient.
    Value dividend = arith.mul(quotient, term.divisor);
    Value rounded = dividend;
    if (term.rounding == Rounding::TowardZero && term.divisor != 1)
      rounded =
          arith.select(Order::LT, zero, quotient, dividend,
                       arith.sub(dividend, arith.constant(term.divisor - 1)));
    Value bound = arith.sub(rounded, sum(term.offset));
    return term.multiplier > 0 ? from(bound, term.multiplier)
                               : upTo(bound, term.multiplier);
  }

  /// Keys with `r <= bound / multiplier`.
  Set upTo(Value bound, int64_t multiplier) {
    Value last =
        multiplier > 0
            ? arith.floorDiv(bound, multiplier)
            : arith.floorDiv(arith.sub(arith.constant(0), bound), -multiplier);
    return algebra.between(algebra.bottom(),
                           local(arith.add(last, arith.constant(1))));
  }

  /// Keys with `r >= bound / multiplier`.
  Set from(Value bound, int64_t multiplier) {
    Value first =
        multiplier > 0
            ? arith.ceilDiv(bound, multiplier)
            : arith.ceilDiv(arith.sub(arith.constant(0), bound), -multiplier);
    return algebra.between(local(first), algebra.top());
  }

  typename Algebra::Bound local(Value position) {
    return algebra.clamp(arith.sub(position, tile.keyOrigin));
  }

  /// Each term is monotone in p, so its extremes lie at the ends of the tile,
  /// and the signs of its constants say which is which.
  Extremes rightHandSide(const PositionCompare &compare) {
    Value offset = sum(compare.offset);
    Extremes result{offset, offset};
    for (const PositionTerm &term : compare.query) {
      Value first = evaluateTerm(term, tile.queryFirst);
      Value last =
          term.multiplier == 0 ? first : evaluateTerm(term, tile.queryLast);
      bool grows = (term.coefficient > 0) == (term.multiplier > 0);
      result.least = arith.add(result.least, grows ? first : last);
      result.greatest = arith.add(result.greatest, grows ? last : first);
    }
    return result;
  }

  Value evaluateTerm(const PositionTerm &term, Value position) {
    Value scaled = arith.mul(position, term.multiplier);
    Value dividend = arith.add(scaled, sum(term.offset));
    Value quotient = dividend;
    if (term.divisor != 1) {
      quotient = arith.floorDiv(dividend, term.divisor);
      if (term.rounding == Rounding::TowardZero)
        quotient =
            arith.select(Order::LE, arith.constant(0), dividend, quotient,
                         arith.ceilDiv(dividend, term.divisor));
    }
    return arith.mul(quotient, term.coefficient);
  }

  Value sum(const UniformSum &sum) {
    Value result = arith.constant(sum.constant);
    for (const auto &[number, coefficient] : sum.terms) {
      assert(number < tile.uniforms.size() &&
             "the mask names a missing uniform");
      result = arith.add(result, arith.mul(tile.uniforms[number], coefficient));
    }
    return result;
  }

  Arith &arith;
  TilePositions<Arith> tile;
  unsigned maxIntervals;
  Algebra algebra;
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_KEYRANGES_H
