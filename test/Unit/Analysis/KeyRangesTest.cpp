//===- KeyRangesTest.cpp - The hull of seen keys against brute force ------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hull holds every key that some row sees, for random masks, and begins and
// ends with a seen key for the named ones.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/KeyRanges.h"

#include "RandomMasks.h"
#include "gtest/gtest.h"

using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
/// Keys [begin, end) as offsets from the first; empty if both are equal.
struct KeyRun {
  int64_t begin = 0, end = 0;
};
} // namespace

static KeyRun getHull(const Mask &mask, const Problem &problem,
                      unsigned maxIntervals) {
  IntArith arith;
  auto hull = KeyRanges<IntArith>(arith, problem.positions(), maxIntervals)
                  .evaluateHull(mask.expr);
  if (hull.empty())
    return {};
  EXPECT_EQ(hull.size(), 1u);
  return {hull.front().lo.value, hull.front().hi.value};
}

/// From the first key that a row sees to behind the last.
static KeyRun getSeen(const Mask &mask, const Problem &problem) {
  std::optional<KeyRun> seen;
  for (int64_t j = 0; j < problem.keyExtent; ++j)
    for (int64_t p = problem.queryFirst; p <= problem.queryLast; ++p)
      if (mask.visible(p, problem.keyOrigin + j))
        seen = KeyRun{seen ? seen->begin : j, j + 1};
  return seen.value_or(KeyRun());
}

TEST(KeyRangesTest, HullHoldsWhatIsSeen) {
  std::mt19937 rng(kSeed + 6);
  for (int round = 0; round < 20000; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = randomMask(rng, 3, problem.uniforms);
    KeyRun hull = getHull(mask, problem, draw(rng, 1, 4));
    KeyRun seen = getSeen(mask, problem);
    ASSERT_LE(0, hull.begin) << describe(mask, problem);
    ASSERT_LE(hull.begin, hull.end) << describe(mask, problem);
    ASSERT_LE(hull.end, problem.keyExtent) << describe(mask, problem);
    if (seen.begin == seen.end)
      continue;
    ASSERT_LE(hull.begin, seen.begin) << describe(mask, problem);
    ASSERT_GE(hull.end, seen.end) << describe(mask, problem);
  }
}

TEST(KeyRangesTest, HullBeginsAndEndsWithWhatIsSeen) {
  std::mt19937 rng(kSeed + 7);
  for (int round = 0; round < 6000; ++round) {
    auto side = [&]() -> std::optional<int64_t> {
      if (draw(rng, 0, 3) == 0)
        return std::nullopt;
      return draw(rng, 0, 80);
    };
    auto left = side(), right = side();
    Mask moving = window(left, right), first = prefix(draw(rng, -20, 220)),
         chunk = chunked(draw(rng, 1, 90));
    Problem problem = randomProblem(rng);
    for (const Mask &mask :
         {all(), none(), causal(), moving, first, chunk, causal() & moving,
          causal() & chunk, moving & chunk, first & moving, first & chunk,
          first | causal(), first | moving, first | chunk,
          first | (causal() & moving), moving | chunk,
          first & (moving | chunk)}) {
      KeyRun hull = getHull(mask, problem, 4), seen = getSeen(mask, problem);
      if (seen.begin == seen.end) {
        ASSERT_EQ(hull.begin, hull.end) << describe(mask, problem);
        continue;
      }
      ASSERT_EQ(hull.begin, seen.begin) << describe(mask, problem);
      ASSERT_EQ(hull.end, seen.end) << describe(mask, problem);
    }
  }
}
