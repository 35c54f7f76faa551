//===- IRArithTest.cpp - The analysis as IR against numbers ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With constants the IR policy gives the numbers of IntArith and emits nothing.
// With values it emits a block that, run on random sizes, gives classes that
// are never wrong, and tight where the numbers are; and its slots are those
// that the rationale page promises per mask.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/IRArith.h"
#include "attn/Analysis/KeyTiles.h"

#include "Interpreter.h"
#include "RandomMasks.h"
#include "gtest/gtest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
class IRArithTest : public ::testing::Test {
protected:
  using Segments = SmallVector<TileSegment<OpFoldResult>, 4>;

  IRArithTest() : builder(&context) {
    context.loadDialect<arith::ArithDialect>();
    reset();
  }

  /// A block with arguments queryFirst, queryLast, keyOrigin, keyExtent and the
  /// uniforms; argument i is replaced by its number in `problem` unless
  /// `dynamic[i]`.
  Segments build(const MaskExpr &mask, const Problem &problem,
                 std::vector<bool> dynamic, unsigned maxIntervals = 2) {
    reset();
    std::vector<int64_t> numbers = arguments(problem);
    SmallVector<OpFoldResult> inputs;
    for (auto [i, number] : llvm::enumerate(numbers)) {
      Value argument = block->addArgument(builder.getIndexType(), loc());
      if (dynamic[i])
        inputs.push_back(argument);
      else
        inputs.push_back(builder.getIndexAttr(number));
    }
    IRArith arith(builder, loc());
    TilePositions<IRArith> tile{inputs[0], inputs[1], inputs[2], inputs[3],
                                ArrayRef(inputs).drop_front(4)};
    return classifyKeyTiles(arith, mask, tile, problem.tileSize,
                            {maxIntervals});
  }

  SmallVector<TileSegment<int64_t>, 4> run(const Segments &segments,
                                           const Problem &problem) {
    Interpreter interpreter(*block, arguments(problem));
    SmallVector<TileSegment<int64_t>, 4> numbers;
    for (const auto &segment : segments)
      numbers.push_back({segment.tileClass, interpreter.get(segment.begin),
                         interpreter.get(segment.end)});
    return numbers;
  }

  std::vector<int64_t> arguments(const Problem &problem) {
    std::vector<int64_t> numbers = {problem.queryFirst, problem.queryLast,
                                    problem.keyOrigin, problem.keyExtent};
    numbers.insert(numbers.end(), problem.uniforms.begin(),
                   problem.uniforms.end());
    return numbers;
  }

  /// The classes of the slots when rows and lengths are dynamic, keys start at
  /// 0 and tiles are 64.
  std::string slots(const Mask &mask) {
    std::string text;
    for (const auto &segment :
         build(mask.expr, {0, 0, 0, 0, 64, {}}, {true, true, false, true}))
      text += segment.tileClass == TileClass::Full ? 'F' : 'P';
    return text;
  }

  std::vector<bool> allDynamic(bool dynamic = true) {
    return std::vector<bool>(7, dynamic);
  }

  Location loc() { return builder.getUnknownLoc(); }
  void reset() {
    block = std::make_unique<Block>();
    builder.setInsertionPointToEnd(block.get());
  }

  MLIRContext context;
  std::unique_ptr<Block> block;
  OpBuilder builder;
};
} // namespace

TEST_F(IRArithTest, ConstantsFoldToTheNumbers) {
  std::mt19937 rng(kSeed + 3);
  IntArith numbers;
  for (int round = 0; round < 3000; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = randomMask(rng, 3, problem.uniforms);
    Segments segments = build(mask.expr, problem, allDynamic(false));
    auto expected = classifyKeyTiles(numbers, mask.expr, problem.positions(),
                                     problem.tileSize);
    ASSERT_TRUE(block->getOperations().empty()) << describe(mask, problem);
    ASSERT_EQ(segments.size(), expected.size()) << describe(mask, problem);
    for (auto [got, want] : llvm::zip(segments, expected)) {
      ASSERT_TRUE(isa<Attribute>(got.begin) && isa<Attribute>(got.end));
      ASSERT_EQ(got.tileClass, want.tileClass) << describe(mask, problem);
      Attribute begin = builder.getIndexAttr(want.begin);
      Attribute end = builder.getIndexAttr(want.end);
      ASSERT_EQ(cast<Attribute>(got.begin), begin) << describe(mask, problem);
      ASSERT_EQ(cast<Attribute>(got.end), end) << describe(mask, problem);
    }
  }
}

TEST_F(IRArithTest, EmittedBoundsAreNeverWrong) {
  std::mt19937 rng(kSeed + 4);
  for (int round = 0; round < 1500; ++round) {
    Problem problem = randomProblem(rng);
    // Masks hold their uniforms' numbers in the predicate: those stay.
    Mask mask = randomMask(rng, 3, problem.uniforms);
    std::vector<bool> dynamic = allDynamic();
    for (size_t i = 0; i < dynamic.size(); ++i)
      dynamic[i] = draw(rng, 0, 3) != 0;
    unsigned maxIntervals = draw(rng, 1, 3);
    Segments segments = build(mask.expr, problem, dynamic, maxIntervals);
    ASSERT_LE(segments.size(),
              (maxIntervals + 1) * maxIntervals + maxIntervals);
    for (int run = 0; run < 8; ++run) {
      Problem sizes = randomProblem(rng);
      sizes.tileSize = problem.tileSize;
      sizes.uniforms = problem.uniforms;
      // What was built as a constant stays one.
      if (!dynamic[2])
        sizes.keyOrigin = problem.keyOrigin;
      if (!dynamic[3])
        sizes.keyExtent = problem.keyExtent;
      if (!dynamic[0] || !dynamic[1]) {
        sizes.queryFirst = problem.queryFirst;
        sizes.queryLast = problem.queryLast;
      }
      ASSERT_EQ(check(mask, sizes, false, this->run(segments, sizes)), "")
          << "round " << round << ": " << describe(mask, sizes);
    }
  }
}

TEST_F(IRArithTest, EmittedHullIsThatOfTheNumbers) {
  std::mt19937 rng(kSeed + 8);
  for (int round = 0; round < 600; ++round) {
    Problem problem = randomProblem(rng);
    Mask mask = randomMask(rng, 2, problem.uniforms);
    reset();
    SmallVector<OpFoldResult> inputs;
    for (size_t i = 0, e = arguments(problem).size(); i < e; ++i)
      inputs.push_back(block->addArgument(builder.getIndexType(), loc()));
    IRArith arith(builder, loc());
    auto hull = KeyRanges<IRArith>(arith,
                                   {inputs[0], inputs[1], inputs[2], inputs[3],
                                    ArrayRef(inputs).drop_front(4)},
                                   4)
                    .evaluateHull(mask.expr);
    ASSERT_LE(hull.size(), 1u);
    for (int run = 0; run < 4; ++run) {
      Problem sizes = randomProblem(rng);
      sizes.uniforms = problem.uniforms;
      IntArith numbers;
      auto expected = KeyRanges<IntArith>(numbers, sizes.positions(), 4)
                          .evaluateHull(mask.expr);
      bool isEmpty = expected.empty() ||
                     expected.front().lo.value == expected.front().hi.value;
      Interpreter interpreter(*block, arguments(sizes));
      int64_t begin = hull.empty() ? 0 : interpreter.get(hull.front().lo.value);
      int64_t end = hull.empty() ? 0 : interpreter.get(hull.front().hi.value);
      if (isEmpty) {
        ASSERT_EQ(begin, end) << describe(mask, sizes);
        continue;
      }
      ASSERT_EQ(begin, expected.front().lo.value) << describe(mask, sizes);
      ASSERT_EQ(end, expected.front().hi.value) << describe(mask, sizes);
    }
  }
}

TEST_F(IRArithTest, EmittedBoundsAreTightForTheNamedMasks) {
  std::mt19937 rng(kSeed + 5);
  for (int round = 0; round < 600; ++round) {
    auto side = [&]() -> std::optional<int64_t> {
      if (draw(rng, 0, 3) == 0)
        return std::nullopt;
      return draw(rng, 0, 80);
    };
    auto left = side(), right = side();
    Mask masks[] = {all(),
                    none(),
                    causal(),
                    window(left, right),
                    prefix(draw(rng, -20, 220)),
                    chunked(draw(rng, 1, 90)),
                    prefix(draw(rng, 0, 150)) | causal(),
                    prefix(draw(rng, 0, 150)) | window(left, right),
                    prefix(draw(rng, 0, 150)) & causal(),
                    causal() & window(left, right),
                    causal() & chunked(draw(rng, 1, 90)),
                    !window(left, right),
                    !chunked(draw(rng, 1, 90))};
    Problem problem = randomProblem(rng);
    for (const Mask &mask : masks) {
      Segments segments = build(mask.expr, problem, allDynamic());
      for (int run = 0; run < 4; ++run) {
        Problem sizes = randomProblem(rng);
        sizes.tileSize = problem.tileSize;
        ASSERT_EQ(check(mask, sizes, true, this->run(segments, sizes)), "")
            << describe(mask, sizes);
      }
    }
  }
}

TEST_F(IRArithTest, SlotsPerMask) {
  EXPECT_EQ(slots(all()), "FP");
  EXPECT_EQ(slots(none()), "");
  EXPECT_EQ(slots(causal()), "FP");
  EXPECT_EQ(slots(prefix(100)), "FP");
  EXPECT_EQ(slots(window(100, 0)), "PFP");
  EXPECT_EQ(slots(window(std::nullopt, 5)), "FP");
  EXPECT_EQ(slots(window(5, std::nullopt)), "PFP");
  EXPECT_EQ(slots(chunked(100)), "PFP");
  EXPECT_EQ(slots(prefix(100) | causal()), "FP");
  EXPECT_EQ(slots(prefix(100) & causal()), "FP");
  EXPECT_EQ(slots(causal() & window(100, 7)), "PFP");
  EXPECT_EQ(slots(causal() & chunked(100)), "PFP");
  EXPECT_EQ(slots(!causal()), "PFP");
  EXPECT_EQ(slots(prefix(100) | window(100, 0)), "FPPFPP");
  EXPECT_EQ(slots({MaskExpr::span({10, 20}), nullptr}), "P");
  EXPECT_EQ(slots({MaskExpr::conjunction(causal().expr, MaskExpr::opaque()),
                   nullptr}),
            "P");
}

TEST_F(IRArithTest, StaticExtentDropsTheRaggedTile) {
  Problem problem{0, 0, 0, 1024, 64, {}};
  auto segments = build(MaskExpr::all(), problem, {true, true, false, false});
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].tileClass, TileClass::Full);
  problem.keyExtent = 1000;
  EXPECT_EQ(build(MaskExpr::all(), problem, {true, true, false, false}).size(),
            2u);
}

TEST_F(IRArithTest, CausalTakesFewOperations) {
  Problem problem{0, 0, 0, 0, 64, {}};
  build(MaskExpr::causal(), problem, {true, true, false, true});
  unsigned operations = 0;
  for (Operation &op : *block)
    operations += !isa<arith::ConstantOp>(op);
  EXPECT_LE(operations, 10u);
}
