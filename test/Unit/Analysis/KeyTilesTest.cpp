//===- KeyTilesTest.cpp - Tile classes against brute force ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Properties of classifyKeyTiles on numbers: never wrong for random masks, the
// brute-force class itself for the masks that the rationale page lists as
// tight, exact at the ends of the number range, and few segments.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/KeyTiles.h"

#include "RandomMasks.h"
#include "gtest/gtest.h"

using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
auto classify(const Mask &mask, const Problem &problem,
              unsigned maxIntervals = 2) {
  IntArith arith;
  return classifyKeyTiles(arith, mask.expr, problem.positions(),
                          problem.tileSize, {maxIntervals});
}

std::string classes(llvm::ArrayRef<TileSegment<int64_t>> segments) {
  std::string text;
  for (const auto &segment : segments)
    text += segment.tileClass == TileClass::Full ? 'F' : 'P';
  return text;
}

struct TightMask {
  const char *name;
  std::function<Mask(std::mt19937 &)> make;
};

Mask randomWindow(std::mt19937 &rng) {
  auto side = [&]() -> std::optional<int64_t> {
    if (draw(rng, 0, 3) == 0)
      return std::nullopt;
    return draw(rng, 0, 80);
  };
  auto left = side(), right = side();
  return window(left, right);
}
Mask randomPrefix(std::mt19937 &rng) { return prefix(draw(rng, -20, 220)); }
Mask randomChunked(std::mt19937 &rng) { return chunked(draw(rng, 1, 90)); }

class TightTest : public ::testing::TestWithParam<TightMask> {};
} // namespace

TEST(KeyTilesTest, NeverWrongForRandomMasks) {
  std::mt19937 rng(kSeed);
  for (int round = 0; round < 30000; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = randomMask(rng, 3, problem.uniforms);
    unsigned maxIntervals = draw(rng, 1, 4);
    ASSERT_EQ(check(mask, problem, /*tight=*/false,
                    classify(mask, problem, maxIntervals)),
              "")
        << "round " << round << ", " << maxIntervals
        << " intervals: " << describe(mask, problem);
  }
}

TEST(KeyTilesTest, NeverWrongForRandomComparisons) {
  std::mt19937 rng(kSeed + 1);
  for (int round = 0; round < 30000; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = randomCompare(rng, problem.uniforms);
    ASSERT_EQ(check(mask, problem, false, classify(mask, problem)), "")
        << "round " << round << ": " << describe(mask, problem);
  }
}

TEST_P(TightTest, IsTheBruteForceClass) {
  std::mt19937 rng(kSeed + 2);
  for (int round = 0; round < 6000; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = GetParam().make(rng);
    ASSERT_EQ(check(mask, problem, /*tight=*/true, classify(mask, problem)), "")
        << "round " << round << ": " << describe(mask, problem);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Masks, TightTest,
    ::testing::Values(
        TightMask{"all", [](auto &) { return all(); }},
        TightMask{"none", [](auto &) { return none(); }},
        TightMask{"causal", [](auto &) { return causal(); }},
        TightMask{"window", randomWindow}, TightMask{"prefix", randomPrefix},
        TightMask{"chunked", randomChunked},
        TightMask{"prefix_or_causal",
                  [](auto &rng) { return randomPrefix(rng) | causal(); }},
        TightMask{"prefix_and_causal",
                  [](auto &rng) { return randomPrefix(rng) & causal(); }},
        TightMask{
            "prefix_or_window",
            [](auto &rng) { return randomPrefix(rng) | randomWindow(rng); }},
        TightMask{
            "prefix_or_chunked",
            [](auto &rng) { return randomPrefix(rng) | randomChunked(rng); }},
        TightMask{
            "prefix_and_window",
            [](auto &rng) { return randomPrefix(rng) & randomWindow(rng); }},
        TightMask{
            "prefix_and_chunked",
            [](auto &rng) { return randomPrefix(rng) & randomChunked(rng); }},
        TightMask{"causal_and_window",
                  [](auto &rng) { return causal() & randomWindow(rng); }},
        TightMask{"causal_and_chunked",
                  [](auto &rng) { return causal() & randomChunked(rng); }},
        TightMask{
            "window_and_chunked",
            [](auto &rng) { return randomWindow(rng) & randomChunked(rng); }},
        TightMask{"prefix_or_causal_and_window",
                  [](auto &rng) {
                    return randomPrefix(rng) | (causal() & randomWindow(rng));
                  }},
        TightMask{"causal_and_window_and_chunked",
                  [](auto &rng) {
                    return causal() & randomWindow(rng) & randomChunked(rng);
                  }},
        TightMask{"not_causal", [](auto &) { return !causal(); }},
        TightMask{"not_window", [](auto &rng) { return !randomWindow(rng); }},
        TightMask{"not_chunked",
                  [](auto &rng) { return !randomChunked(rng); }}),
    [](const auto &info) { return std::string(info.param.name); });

// Some rows see a key by one mask and the other rows by the other: an `or` of
// two masks that both follow the rows may miss a full tile, never more.
TEST(KeyTilesTest, OrOfTwoMasksThatFollowTheRowsIsSoundNotTight) {
  // Row 2 sees key 4 by the first window, row 4 by the second, row 3 by both.
  Mask mask = window(-1, 2) | window(1, 1);
  Problem problem{2, 4, 0, 8, 1, {}};
  ASSERT_EQ(bruteForce(mask, problem, 4), TruthClass::Full);
  EXPECT_EQ(check(mask, problem, false, classify(mask, problem)), "");
  EXPECT_NE(check(mask, problem, true, classify(mask, problem)), "");
}

// As above for `and` of two masks that no row order relates: no row sees a key
// by both, though rows of the tile see it by each.
TEST(KeyTilesTest, AndOfMasksWithoutACommonKeyIsSoundNotTight) {
  Mask mask = causal() & !causal();
  Problem problem{2, 5, 0, 8, 1, {}};
  ASSERT_EQ(bruteForce(mask, problem, 4), TruthClass::Empty);
  EXPECT_EQ(check(mask, problem, false, classify(mask, problem)), "");
  EXPECT_NE(check(mask, problem, true, classify(mask, problem)), "");
}

TEST(KeyTilesTest, FewSegments) {
  // Rows [512, 575] against 1000 keys in tiles of 64.
  Problem problem{512, 575, 0, 1000, 64, {}};
  EXPECT_EQ(classes(classify(all(), problem)), "FP");
  EXPECT_EQ(classes(classify(none(), problem)), "");
  EXPECT_EQ(classes(classify(causal(), problem)), "FP");
  EXPECT_EQ(classes(classify(window(200, 0), problem)), "PFP");
  EXPECT_EQ(classes(classify(prefix(100), problem)), "FP");
  EXPECT_EQ(classes(classify(prefix(100) | window(200, 0), problem)), "FPPFP");
  problem.keyExtent = 1024;
  EXPECT_EQ(classes(classify(all(), problem)), "F");
}

TEST(KeyTilesTest, CausalSegmentsAreWhereTheyShouldBe) {
  auto segments = classify(causal(), {100, 163, 0, 1000, 64, {}});
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].begin, 0);
  EXPECT_EQ(segments[0].end, 1); // keys 0 to 63; row 100 does not see key 127
  EXPECT_EQ(segments[1].begin, 1);
  EXPECT_EQ(segments[1].end, 3); // row 163 sees key 163
}

TEST(KeyTilesTest, ExactAtTheEndsOfTheRange) {
  const int64_t far = kPositionLimit - 1000;
  for (int64_t base : {far, -far}) {
    Problem problem{base + 10, base + 40, base, 100, 16, {}};
    for (const Mask &mask :
         {causal(), window(7, 3), window(kPositionLimit - 1, 0),
          window(std::numeric_limits<int64_t>::max(), 0)})
      EXPECT_EQ(check(mask, problem, true, classify(mask, problem)), "")
          << describe(mask, problem);
    // Positions are too far for the doubles of chunked's check.
    Problem chunks{base + 10, base + 40, base, 100, 16, {}};
    auto segments = classify(chunked(int64_t(1) << 45), chunks);
    EXPECT_EQ(classes(segments), "FP");
  }
}

TEST(KeyTilesTest, CoefficientsThatCouldWrapAreOpaque) {
  PositionCompare compare;
  compare.query.emplace_back();
  compare.query.back().multiplier = int64_t(1) << 30;
  EXPECT_EQ(MaskExpr::compare(compare).getKind(), MaskExpr::Kind::Opaque);
  compare.query.back().multiplier = int64_t(1) << 20;
  EXPECT_EQ(MaskExpr::compare(compare).getKind(), MaskExpr::Kind::Compare);
}
