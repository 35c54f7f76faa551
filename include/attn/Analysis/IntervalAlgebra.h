//===- IntervalAlgebra.h - Sets of at most K intervals ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Union, intersection and complement of subsets of [0, extent) given as short
// lists of half-open intervals, without a branch on a bound: bounds are values
// of a policy (IntArith.h), so that the same code computes numbers and emits
// IR.
//
// How many intervals of a set are not empty may depend on the run; how many
// slots its list has does not. The invariants, with "point" for a slot with
// lo == hi:
//   I1  0 <= lo[i] <= hi[i] <= lo[i+1] <= extent (points are in order too)
//   I2  between two slots that are not points lies at least one key outside the
//       set, so that an interval inside the set is inside one slot.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_INTERVALALGEBRA_H
#define ATTN_ANALYSIS_INTERVALALGEBRA_H

#include "attn/Analysis/IntArith.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <utility>

namespace mlir::attn {

/// A number in [0, extent]. `edge` is what is known about it at every run:
/// Bottom is 0, Top is the extent. That knowledge is what drops slots that can
/// never hold a key.
template <typename Value>
struct Bound {
  enum class Edge { Inner, Bottom, Top };
  Value value;
  Edge edge = Edge::Inner;
};

template <typename Value>
struct Interval {
  Bound<Value> lo, hi;
};

template <typename Value>
using IntervalSet = llvm::SmallVector<Interval<Value>, 4>;

template <typename Arith>
class IntervalAlgebra {
public:
  using Value = typename Arith::Value;
  using Bound = attn::Bound<Value>;
  using Interval = attn::Interval<Value>;
  using Set = IntervalSet<Value>;
  using Edge = typename Bound::Edge;

  /// Subsets of [0, extent); `extent >= 0`.
  IntervalAlgebra(Arith &arith, Value extent) : arith(arith), extent(extent) {}

  //===--------------------------------------------------------------------===//
  // Bounds
  //===--------------------------------------------------------------------===//

  Bound bottom() { return {arith.constant(0), Edge::Bottom}; }
  Bound top() { return {extent, Edge::Top}; }
  /// `value`, any number, moved into [0, extent].
  Bound clamp(Value value) {
    Value zero = arith.constant(0);
    if (isKnown(Order::LE, value, zero))
      return bottom();
    if (isKnown(Order::LE, extent, value))
      return top();
    if (!isKnown(Order::LE, zero, value))
      value = arith.max(value, zero);
    return {arith.min(value, extent), Edge::Inner};
  }

  bool isKnownAtMost(const Bound &a, const Bound &b) {
    return a.edge == Edge::Bottom || b.edge == Edge::Top ||
           isKnown(Order::LE, a.value, b.value);
  }
  Bound min(const Bound &a, const Bound &b) {
    if (isKnownAtMost(a, b))
      return a;
    if (isKnownAtMost(b, a))
      return b;
    return {arith.min(a.value, b.value), Edge::Inner};
  }
  Bound max(const Bound &a, const Bound &b) {
    if (isKnownAtMost(a, b))
      return b;
    if (isKnownAtMost(b, a))
      return a;
    return {arith.max(a.value, b.value), Edge::Inner};
  }
  /// `a < b ? ifTrue : ifFalse`.
  Bound selectLess(const Bound &a, const Bound &b, const Bound &ifTrue,
                   const Bound &ifFalse) {
    if (isKnownAtMost(b, a))
      return ifFalse;
    if (isKnown(Order::LT, a.value, b.value))
      return ifTrue;
    if (ifTrue.edge == ifFalse.edge && ifTrue.edge != Edge::Inner)
      return ifTrue;
    return {
        arith.select(Order::LT, a.value, b.value, ifTrue.value, ifFalse.value),
        Edge::Inner};
  }

  /// The part of `a` in `frame`, a point at one end of `frame` if there is
  /// none.
  Interval project(const Interval &a, const Interval &frame) {
    return {clampTo(a.lo, frame.lo, frame.hi),
            clampTo(a.hi, frame.lo, frame.hi)};
  }

  /// Appends `interval` unless it is a point at every run.
  void append(Set &set, const Interval &interval) {
    if (!isKnownAtMost(interval.hi, interval.lo))
      set.push_back(interval);
  }

  //===--------------------------------------------------------------------===//
  // Sets
  //===--------------------------------------------------------------------===//

  Set none() { return {}; }
  Set all() { return between(bottom(), top()); }
  Set between(const Bound &lo, const Bound &hi) {
    Set set;
    append(set, {lo, max(lo, hi)});
    return set;
  }

  /// At most |a| + |b| - 1 slots.
  Set intersect(const Set &a, const Set &b) {
    Set result;
    for (const Interval &frame : a)
      for (const Interval &part : b)
        append(result, project(part, frame));
    // Of m * n projections at most m + n - 1 hold a key.
    while (result.size() > 1 && result.size() > a.size() + b.size() - 1) {
      moveOnePointLast(result);
      result.pop_back();
    }
    return result;
  }

  /// At most |a| + |b| slots.
  Set unite(Set a, const Set &b) {
    for (const Interval &part : b)
      a = insert(a, part);
    return a;
  }

  /// At most |a| + 1 slots.
  Set complement(const Set &a) {
    Set result;
    Bound begin = bottom();
    for (const Interval &part : a) {
      // A part that starts where the last one ended, or that reaches the end,
      // leaves the same gaps whether or not it is a point.
      if (isKnownAtMost(part.lo, begin)) {
        begin = part.hi;
        continue;
      }
      if (isKnownAtMost(top(), part.hi)) {
        append(result, {begin, part.lo});
        return result;
      }
      append(result, {begin, selectLess(part.lo, part.hi, part.lo, begin)});
      begin = selectLess(part.lo, part.hi, part.hi, begin);
    }
    append(result, {begin, top()});
    return result;
  }

  /// A superset of `set` with at most `limit` slots; exact when no more than
  /// `limit` of its intervals hold a key.
  Set coverFromOutside(Set set, unsigned limit) {
    assert(limit >= 1 && "a set needs a slot");
    while (set.size() > limit) {
      moveOnePointLast(set);
      Interval last = set.pop_back_val();
      set.back().hi = selectLess(last.lo, last.hi, last.hi, set.back().hi);
    }
    return set;
  }

  /// A subset of `set` with at most `limit` slots: of the last two intervals
  /// the longer one is kept. Exact under the same condition.
  Set coverFromInside(Set set, unsigned limit) {
    assert(limit >= 1 && "a set needs a slot");
    while (set.size() > limit) {
      moveOnePointLast(set);
      Interval last = set.pop_back_val();
      Interval &kept = set.back();
      Bound keptLength{arith.sub(kept.hi.value, kept.lo.value)};
      Bound lastLength{arith.sub(last.hi.value, last.lo.value)};
      Interval longer;
      longer.lo = selectLess(keptLength, lastLength, last.lo, kept.lo);
      longer.hi = selectLess(keptLength, lastLength, last.hi, kept.hi);
      kept = longer;
    }
    return set;
  }

private:
  bool isKnown(Order order, Value a, Value b) {
    return arith.known(order, a, b).value_or(false);
  }

  /// `lo <= hi`, so it does not matter which of the two is applied first.
  Bound clampTo(const Bound &a, const Bound &lo, const Bound &hi) {
    if (isKnownAtMost(a, lo))
      return lo;
    if (isKnownAtMost(hi, a))
      return hi;
    Value value = a.value;
    if (!isKnownAtMost(lo, a))
      value = arith.max(value, lo.value);
    if (!isKnownAtMost(a, hi))
      value = arith.min(value, hi.value);
    return {value, Edge::Inner};
  }

  /// Carries `part` through the list. With each slot it either merges (they
  /// overlap or touch; the slot becomes a point) or is sorted. Of both, in each
  /// of the three cases, the smaller lo comes first and the larger hi last.
  Set insert(const Set &set, Interval part) {
    Set result;
    for (const Interval &slot : set) {
      Bound innerLo = max(slot.lo, part.lo), innerHi = min(slot.hi, part.hi);
      Bound outerLo = min(slot.lo, part.lo), outerHi = max(slot.hi, part.hi);
      Bound firstHi = selectLess(innerHi, innerLo, innerHi, outerLo);
      Bound secondLo = selectLess(innerHi, innerLo, innerLo, outerLo);
      append(result, {outerLo, firstHi});
      part = {secondLo, outerHi};
    }
    append(result, part);
    return result;
  }

  /// One pass that leaves a point in the last slot if any slot is a point; the
  /// order of the others stays.
  void moveOnePointLast(Set &set) {
    for (size_t i = 0; i + 1 < set.size(); ++i) {
      Interval first = set[i], second = set[i + 1];
      set[i].lo = selectLess(first.lo, first.hi, first.lo, second.lo);
      set[i].hi = selectLess(first.lo, first.hi, first.hi, second.hi);
      set[i + 1].lo = selectLess(first.lo, first.hi, second.lo, second.hi);
    }
  }

  Arith &arith;
  Value extent;
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_INTERVALALGEBRA_H
