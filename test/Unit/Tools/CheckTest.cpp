//===- CheckTest.cpp - Results against the reference ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bound to the last ulp, from both sides, and every way to be wrong.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Check.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::attn::run;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static const double kNaN = std::nan("");

static HostTensor make(ElementType type, llvm::ArrayRef<double> values) {
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(type, {static_cast<int64_t>(values.size())});
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  for (size_t n = 0; n < values.size(); ++n)
    tensor->set({static_cast<int64_t>(n)}, values[n]);
  return std::move(*tensor);
}

static Comparison compare(ElementType type, llvm::ArrayRef<double> out,
                          llvm::ArrayRef<double> reference,
                          llvm::ArrayRef<double> plain) {
  return compareValues(make(type, out), make(ElementType::F64, reference),
                       make(type, plain));
}

TEST(CompareValues, BoundIsTwicePlainAndTwoUlp) {
  // Scale 1.5: the ulp of bf16 is 2^-7. Plain is off by 2^-6.
  double unit = std::ldexp(1.0, -7);
  double bound = 2 * (2 * unit) + 2 * unit;
  Comparison good = compare(ElementType::BF16, {1.5, 0.5 + bound}, {1.5, 0.5},
                            {1.5 - 2 * unit, 0.5});
  EXPECT_EQ(good.scale, 1.5);
  EXPECT_EQ(good.plainError, 2 * unit);
  EXPECT_EQ(good.bound, bound);
  EXPECT_EQ(good.error, bound);
  EXPECT_EQ(good.worst, (llvm::SmallVector<int64_t>{1}));
  EXPECT_TRUE(good.passed);
  EXPECT_TRUE(good.reasons.empty());

  Comparison bad =
      compare(ElementType::BF16, {1.5, 0.5 + bound + std::ldexp(1.0, -8)},
              {1.5, 0.5}, {1.5 - 2 * unit, 0.5});
  EXPECT_FALSE(bad.passed);
  ASSERT_EQ(bad.reasons.size(), 1u);
  EXPECT_EQ(bad.reasons[0], "error 0.0507812 exceeds the bound 0.046875: at "
                            "[1] expected 0.5, got 0.550781");
}

TEST(CompareValues, UlpIsTheOutputTypes) {
  EXPECT_TRUE(compare(ElementType::BF16, {1.015625}, {1}, {1}).passed);
  EXPECT_FALSE(compare(ElementType::F16, {1.015625}, {1}, {1}).passed);
  EXPECT_TRUE(
      compare(ElementType::F16, {1 + std::ldexp(1, -9)}, {1}, {1}).passed);
  EXPECT_FALSE(
      compare(ElementType::F32, {1 + std::ldexp(1, -9)}, {1}, {1}).passed);
}

TEST(CompareValues, NaNMustBeWhereTheReferenceHasIt) {
  EXPECT_TRUE(
      compare(ElementType::F32, {kNaN, 1}, {kNaN, 1}, {kNaN, 1}).passed);
  Comparison leaked =
      compare(ElementType::F32, {kNaN, kNaN}, {kNaN, 1}, {kNaN, 1});
  EXPECT_FALSE(leaked.passed);
  EXPECT_EQ(leaked.misplaced, 1);
  EXPECT_EQ(leaked.reasons[0], "1 elements differ in NaN or infinity: first "
                               "[1] expected 1, got nan");
  EXPECT_FALSE(compare(ElementType::F32, {0, 1}, {kNaN, 1}, {kNaN, 1}).passed);
}

TEST(CompareValues, InfinitiesMustAgree) {
  EXPECT_TRUE(compare(ElementType::F32, {kInfinity}, {kInfinity}, {0}).passed);
  EXPECT_FALSE(
      compare(ElementType::F32, {-kInfinity}, {kInfinity}, {0}).passed);
  EXPECT_FALSE(compare(ElementType::F32, {kInfinity}, {1}, {1}).passed);
  EXPECT_FALSE(compare(ElementType::F32, {1}, {kInfinity}, {1}).passed);
  EXPECT_FALSE(compare(ElementType::F32, {kNaN}, {kInfinity}, {1}).passed);
  // A reference beyond the result's type must overflow.
  EXPECT_TRUE(
      compare(ElementType::F16, {kInfinity}, {1e5}, {kInfinity}).passed);
  EXPECT_FALSE(compare(ElementType::F16, {65504}, {1e5}, {kInfinity}).passed);
}

TEST(CompareValues, BrokenPlainDoesNotWidenTheBound) {
  for (double broken : {kNaN, kInfinity}) {
    Comparison result = compare(ElementType::F32, {2, 1}, {1, 1}, {broken, 1});
    EXPECT_FALSE(result.passed);
    EXPECT_EQ(result.plainError, 0);
  }
}

TEST(CompareValues, UnwrittenElementsFailEvenWhereNaNIsExpected) {
  HostTensor out = make(ElementType::BF16, {0, 0});
  out.poison(out.getAddress({0}));
  Comparison result = compareValues(out, make(ElementType::F64, {kNaN, 0}),
                                    make(ElementType::BF16, {kNaN, 0}));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.unwritten, 1);
  EXPECT_EQ(result.misplaced, 0);
}

TEST(CompareValues, AllZeroIsExactUpToSubnormals) {
  EXPECT_TRUE(compare(ElementType::F32, {0, 0}, {0, 0}, {0, 0}).passed);
  EXPECT_FALSE(compare(ElementType::F32, {1e-30, 0}, {0, 0}, {0, 0}).passed);
}

TEST(CompareValues, NothingToCompare) {
  Comparison result = compare(ElementType::F32, {}, {}, {});
  EXPECT_TRUE(result.passed);
  EXPECT_TRUE(result.worst.empty());
}

static Comparison compareLse(double out, double reference) {
  return compareLogSumExp(make(ElementType::F32, {out}),
                          make(ElementType::F64, {reference}));
}

TEST(CompareLogSumExp, BoundIsPerElement) {
  double bound = std::ldexp(1.0, -16);
  EXPECT_TRUE(compareLse(bound, 0).passed);
  EXPECT_FALSE(compareLse(bound * 1.01, 0).passed);
  EXPECT_TRUE(compareLse(0.5 - bound, 0.5).passed);
  EXPECT_FALSE(compareLse(0.5 - 1.01 * bound, 0.5).passed);
  EXPECT_TRUE(compareLse(1024 + 1024 * bound, 1024).passed);
  EXPECT_FALSE(compareLse(1024 + 1040 * bound, 1024).passed);
  // A large neighbour does not excuse a small element.
  Comparison mixed = compareLogSumExp(make(ElementType::F32, {1e6, 0.001}),
                                      make(ElementType::F64, {1e6, 0}));
  EXPECT_FALSE(mixed.passed);
  EXPECT_EQ(mixed.worst, (llvm::SmallVector<int64_t>{1}));
}

TEST(CompareLogSumExp, EmptyRows) {
  EXPECT_TRUE(compareLse(-kInfinity, -kInfinity).passed);
  EXPECT_FALSE(compareLse(kInfinity, -kInfinity).passed);
  EXPECT_FALSE(compareLse(-1e30, -kInfinity).passed);
  EXPECT_FALSE(compareLse(-kInfinity, 0).passed);
  EXPECT_FALSE(compareLse(kNaN, -kInfinity).passed);
}
