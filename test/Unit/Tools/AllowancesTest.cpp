//===- AllowancesTest.cpp - What inputs excuse in a result ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a NaN of V may spread and where it may not, and what large scores
// excuse, to the last bit.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Allowances.h"
#include "ParsedFunction.h"
#include "attn/Tools/Run/Inputs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

static constexpr StringRef kDense = R"(
  func.func @f(%q: tensor<2x4x?x4xf32>, %k: tensor<2x2x?x4xf32>,
               %v: tensor<2x2x?x4xf32>)
      -> (tensor<2x4x?x4xf32>, tensor<2x4x?xf32>) {
    %out, %lse = attn.attention %q, %k, %v : tensor<2x4x?x4xf32>,
        tensor<2x2x?x4xf32>, tensor<2x2x?x4xf32>
        -> tensor<2x4x?x4xf32>, tensor<2x4x?xf32>
    return %out, %lse : tensor<2x4x?x4xf32>, tensor<2x4x?xf32>
  })";

static constexpr StringRef kPacked = R"(
  func.func @f(%q: tensor<?x2x4xf32>, %k: tensor<?x2x4xf32>,
               %v: tensor<?x2x4xf32>, %cu: tensor<3xi32>)
      -> tensor<?x2x4xf32> {
    %out = attn.attention %q, %k, %v
        cu_seqlens (%cu, %cu : tensor<3xi32>, tensor<3xi32>)
        : tensor<?x2x4xf32>, tensor<?x2x4xf32>, tensor<?x2x4xf32>
        -> tensor<?x2x4xf32>
    return %out : tensor<?x2x4xf32>
  })";

static const double kNaN = std::nan("");

static HostTensor make(ElementType type, ArrayRef<int64_t> shape,
                       double value) {
  llvm::Expected<HostTensor> tensor = HostTensor::create(type, shape);
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  tensor->forEach([&](ArrayRef<int64_t>, std::byte *address) {
    store(type, address, value);
  });
  return std::move(*tensor);
}

namespace {
/// Gives one number for each kind of program, or fails.
struct Numbers : ProgramProvider, Program {
  llvm::Expected<Program *> get(StringRef, ProgramKind kind) override {
    asked = kind;
    if (kind == ProgramKind::ScoreSizes && fails)
      return llvm::createStringError("no sizes");
    return this;
  }
  nlohmann::json getCompileReport(StringRef) override { return {}; }
  llvm::Error call(ArrayRef<HostTensor> arguments,
                   ArrayRef<HostTensor> results) override {
    bool sizes = asked == ProgramKind::ScoreSizes;
    EXPECT_EQ(results.size(), sizes ? 1u : 2u);
    arguments[0].forEach([&](ArrayRef<int64_t>, std::byte *address) {
      EXPECT_EQ(load(ElementType::F32, address), sizes ? 2 : -2);
    });
    arguments[2].forEach([&](ArrayRef<int64_t>, std::byte *address) {
      double value = load(ElementType::F32, address);
      EXPECT_TRUE(std::isnan(value) || value == (sizes ? -3 : 9)) << value;
    });
    results[0].forEach([&](ArrayRef<int64_t>, std::byte *address) {
      store(ElementType::F64, address, sizes ? size : square);
    });
    return llvm::Error::success();
  }
  ProgramKind asked = ProgramKind::Compiled;
  double size = 0, square = 0;
  bool fails = false;
};

struct DenseCase {
  DenseCase() : parsed(kDense) {
    inputs = {make(ElementType::F32, {2, 4, 3, 4}, -2),
              make(ElementType::F32, {2, 2, 5, 4}, -2),
              make(ElementType::F32, {2, 2, 5, 4}, -3)};
    reference = {make(ElementType::F64, {2, 4, 3, 4}, 0.5),
                 make(ElementType::F64, {2, 4, 3}, 1)};
  }
  ParsedFunction parsed;
  std::vector<HostTensor> inputs, reference;
  Numbers programs;
};
} // namespace

TEST(Spread, StaysInTheBatchTheKeyHeadAndTheColumn) {
  DenseCase c;
  c.inputs[2].set({1, 0, 4, 2}, kNaN);
  c.reference[0].set({1, 1, 2, 2}, kNaN);
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  Allowances allowances = maker.make(0);
  EXPECT_TRUE(allowances.nonFinite({1, 0, 0, 2}));
  EXPECT_TRUE(allowances.nonFinite({1, 1, 1, 2}));
  EXPECT_FALSE(allowances.nonFinite({0, 0, 0, 2}));
  EXPECT_FALSE(allowances.nonFinite({1, 2, 0, 2}));
  EXPECT_FALSE(allowances.nonFinite({1, 0, 0, 3}));
  EXPECT_FALSE(maker.make(1).nonFinite);

  // A leak into another batch is noticed, and a NaN that was scrubbed.
  HostTensor out = make(ElementType::F32, {2, 4, 3, 4}, 0.5);
  HostTensor plain = make(ElementType::F32, {2, 4, 3, 4}, 0.5);
  auto compare = [&] {
    return compareValues(out, c.reference[0], plain, allowances);
  };
  EXPECT_EQ(compare().misplaced, 1);
  out.set({1, 1, 2, 2}, kNaN);
  EXPECT_TRUE(compare().passed);
  out.set({1, 0, 0, 2}, kNaN);
  Comparison spread = compare();
  EXPECT_TRUE(spread.passed);
  EXPECT_EQ(spread.spread, 1);
  out.set({0, 0, 0, 2}, kNaN);
  EXPECT_EQ(compare().misplaced, 1);
}

TEST(Spread, NeedsARowThatSeesTheValue) {
  DenseCase c;
  c.inputs[2].set({1, 0, 4, 2}, kNaN);
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  EXPECT_FALSE(maker.make(0).nonFinite({1, 0, 0, 2}));
}

TEST(Spread, AScoreThatMayOverflowHidesNoValue) {
  DenseCase c;
  c.inputs[2].set({1, 0, 4, 2}, kNaN);
  c.programs.size = kNaN;
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  Allowances allowances = maker.make(0);
  EXPECT_TRUE(allowances.nonFinite({1, 0, 0, 2}));
  EXPECT_FALSE(allowances.nonFinite({1, 2, 0, 2}));
  EXPECT_FALSE(allowances.nonFinite({1, 0, 0, 3}));

  // What a region makes -inf is looked for.
  Signature withRegion = c.parsed.signature;
  withRegion.sites[0].hasScoreRegion = true;
  AllowanceMaker strict(withRegion, c.inputs, c.reference, c.programs);
  EXPECT_FALSE(strict.make(0).nonFinite({1, 0, 0, 2}));
}

TEST(Spread, NeedsAValueAndNotAKey) {
  DenseCase c;
  c.inputs[1].set({1, 0, 4, 2}, kNaN);
  c.reference[0].set({1, 1, 2, 2}, kNaN);
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  EXPECT_FALSE(maker.make(0).nonFinite({1, 0, 0, 2}));
}

TEST(Spread, StaysInTheSegment) {
  ParsedFunction parsed(kPacked);
  std::vector<HostTensor> inputs(3, make(ElementType::F32, {7, 2, 4}, 1));
  inputs.push_back(make(ElementType::I32, {3}, 0));
  inputs[2] = make(ElementType::F32, {7, 2, 4}, 1);
  inputs[3].set({1}, 3);
  inputs[3].set({2}, 6);
  std::vector<HostTensor> reference = {make(ElementType::F64, {7, 2, 4}, 0)};
  inputs[2].set({4, 1, 0}, kNaN);
  reference[0].set({5, 1, 0}, kNaN);
  Numbers programs;
  AllowanceMaker maker(parsed.signature, inputs, reference, programs);
  Allowances allowances = maker.make(0);
  EXPECT_TRUE(allowances.nonFinite({3, 1, 0}));
  EXPECT_FALSE(allowances.nonFinite({3, 0, 0}));
  EXPECT_FALSE(allowances.nonFinite({2, 1, 0}));
  // In no segment.
  EXPECT_FALSE(allowances.nonFinite({6, 1, 0}));
}

TEST(LargeScores, ExcuseWhatRoundingThemMakes) {
  DenseCase c;
  c.programs.size = 1000;
  c.programs.square = 4;
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  // D is 4: (sqrt(4) + 2) 2^-24 1000.
  double delta = std::ldexp(4000, -24);
  EXPECT_EQ(maker.make(1).error({1, 3, 2}), delta);
  // The mean is 0.5, that of squares 4, rounded to f32.
  double sigma = std::sqrt(4 - 0.25 + std::ldexp(4, -24));
  EXPECT_EQ(maker.make(0).error({1, 3, 2, 1}), std::expm1(2 * delta) * sigma);
  EXPECT_FALSE(static_cast<bool>(maker.takeError()));

  // lse of 1, off by delta beyond the bound.
  HostTensor lse = make(ElementType::F32, {2, 4, 3}, 1);
  double bound = std::ldexp(1, -16);
  lse.set({0, 0, 0}, 1 + bound + 0.5 * delta);
  EXPECT_FALSE(compareLogSumExp(lse, c.reference[1]).passed);
  Comparison excused = compareLogSumExp(lse, c.reference[1], maker.make(1));
  EXPECT_TRUE(excused.passed);
  EXPECT_EQ(excused.excused, 1);
  lse.set({0, 0, 0}, 1 + bound + 1.5 * delta);
  EXPECT_FALSE(compareLogSumExp(lse, c.reference[1], maker.make(1)).passed);
}

TEST(LargeScores, OrdinaryScoresExcuseNoValue) {
  DenseCase c;
  c.programs.size = 63;
  c.programs.square = 4;
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  EXPECT_EQ(maker.make(0).error({1, 3, 2, 1}), 0);
}

TEST(LargeScores, WhatCannotBeMeasuredExcusesNothing) {
  DenseCase c;
  c.programs.size = kNaN;
  AllowanceMaker maker(c.parsed.signature, c.inputs, c.reference, c.programs);
  EXPECT_EQ(maker.make(1).error({0, 0, 0}), 0);
  EXPECT_EQ(maker.make(0).error({0, 0, 0, 0}), 0);

  c.programs.fails = true;
  AllowanceMaker failing(c.parsed.signature, c.inputs, c.reference, c.programs);
  EXPECT_EQ(failing.make(1).error({0, 0, 0}), 0);
  EXPECT_EQ(llvm::toString(failing.takeError()), "no sizes");
}
