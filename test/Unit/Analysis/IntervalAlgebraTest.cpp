//===- IntervalAlgebraTest.cpp - Interval sets against bit sets -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algebra under a policy that knows nothing about its numbers, as IR with
// dynamic extents does: slots may then be points, which the policy of plain
// numbers never shows.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/IntervalAlgebra.h"

#include "RandomMasks.h"
#include "gtest/gtest.h"

using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
struct UnknowingArith : IntArith {
  std::optional<bool> known(Order, Value, Value) { return std::nullopt; }
  Value select(Order order, Value a, Value b, Value ifTrue, Value ifFalse) {
    return IntArith().select(order, a, b, ifTrue, ifFalse);
  }
};
using Algebra = IntervalAlgebra<UnknowingArith>;
using Bits = std::vector<bool>;

Bits bits(const Algebra::Set &set, int64_t extent) {
  Bits result(extent);
  for (const auto &part : set)
    for (int64_t i = part.lo.value; i < part.hi.value; ++i)
      result[i] = true;
  return result;
}

/// Empty if the invariants I1 and I2 of the header hold.
std::string violation(const Algebra::Set &set, int64_t extent) {
  int64_t end = 0, lastKey = -1;
  for (const auto &part : set) {
    if (part.lo.value < end || part.hi.value < part.lo.value ||
        part.hi.value > extent)
      return "I1";
    end = part.hi.value;
    if (part.lo.value == part.hi.value)
      continue;
    if (part.lo.value == lastKey)
      return "I2";
    lastKey = part.hi.value;
  }
  return "";
}

unsigned runs(const Bits &bits) {
  unsigned count = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    count += bits[i] && (i == 0 || !bits[i - 1]);
  return count;
}

class IntervalAlgebraTest : public ::testing::Test {
protected:
  /// A set of one to three slots, some of them points, by uniting intervals.
  Algebra::Set randomSet(Algebra &algebra, int64_t extent) {
    Algebra::Set set;
    for (int64_t i = draw(rng, 1, 3); i > 0; --i) {
      auto lo = draw(rng, 0, 5) ? algebra.clamp(draw(rng, -3, extent + 3))
                                : algebra.bottom();
      auto hi = draw(rng, 0, 5)
                    ? algebra.clamp(lo.value + draw(rng, -2, extent / 2 + 1))
                    : algebra.top();
      set = algebra.unite(set, algebra.between(lo, hi));
    }
    return set;
  }
  std::mt19937 rng{kSeed};
};
} // namespace

TEST_F(IntervalAlgebraTest, AgreesWithBitSets) {
  UnknowingArith arith;
  for (int round = 0; round < 100000; ++round) {
    int64_t extent = draw(rng, 0, 24);
    Algebra algebra(arith, extent);
    Algebra::Set a = randomSet(algebra, extent), b = randomSet(algebra, extent);
    Bits x = bits(a, extent), y = bits(b, extent);
    Bits both(extent), either(extent), neither(extent);
    for (int64_t i = 0; i < extent; ++i) {
      both[i] = x[i] && y[i];
      either[i] = x[i] || y[i];
      neither[i] = !x[i];
    }
    Algebra::Set meet = algebra.intersect(a, b), join = algebra.unite(a, b),
                 rest = algebra.complement(a);
    ASSERT_EQ(bits(meet, extent), both) << "round " << round;
    ASSERT_EQ(bits(join, extent), either) << "round " << round;
    ASSERT_EQ(bits(rest, extent), neither) << "round " << round;
    for (const auto &set : {a, b, meet, join, rest})
      ASSERT_EQ(violation(set, extent), "") << "round " << round;
    ASSERT_LE(meet.size(), std::max<size_t>(1, a.size() + b.size()) - 1);
    ASSERT_LE(join.size(), a.size() + b.size());
    ASSERT_LE(rest.size(), a.size() + 1);
  }
}

TEST_F(IntervalAlgebraTest, CoversKeepTheirSideAndAreExactWhenTheyCan) {
  UnknowingArith arith;
  int reduced = 0;
  for (int round = 0; round < 100000; ++round) {
    int64_t extent = draw(rng, 0, 24);
    Algebra algebra(arith, extent);
    Algebra::Set set =
        algebra.unite(randomSet(algebra, extent), randomSet(algebra, extent));
    unsigned limit = draw(rng, 1, 3);
    Algebra::Set outside = algebra.coverFromOutside(set, limit);
    Algebra::Set inside = algebra.coverFromInside(set, limit);
    ASSERT_LE(outside.size(), limit);
    ASSERT_LE(inside.size(), limit);
    ASSERT_EQ(violation(outside, extent), "") << "round " << round;
    ASSERT_EQ(violation(inside, extent), "") << "round " << round;
    Bits exact = bits(set, extent), more = bits(outside, extent),
         less = bits(inside, extent);
    if (runs(exact) <= limit) {
      reduced += set.size() > limit;
      ASSERT_EQ(more, exact) << "round " << round;
      ASSERT_EQ(less, exact) << "round " << round;
    }
    for (int64_t i = 0; i < extent; ++i) {
      ASSERT_TRUE(!exact[i] || more[i]) << "round " << round;
      ASSERT_TRUE(!less[i] || exact[i]) << "round " << round;
    }
  }
  EXPECT_GT(reduced, 1000) << "the case of points was hardly drawn";
}

TEST(IntArithTest, DivisionRoundsTowardInfinity) {
  IntArith arith;
  EXPECT_EQ(arith.floorDiv(-1, 4), -1);
  EXPECT_EQ(arith.floorDiv(-4, 4), -1);
  EXPECT_EQ(arith.floorDiv(-5, 4), -2);
  EXPECT_EQ(arith.floorDiv(7, 4), 1);
  EXPECT_EQ(arith.ceilDiv(-1, 4), 0);
  EXPECT_EQ(arith.ceilDiv(-4, 4), -1);
  EXPECT_EQ(arith.ceilDiv(5, 4), 2);
  EXPECT_EQ(arith.ceilDiv(0, 4), 0);
}
