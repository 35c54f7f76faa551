//===- AttentionTest.cpp - Attention after each pass ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are right after each pass, whatever the order of copies, products
// and warpgroups, and give the same bits.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::sim;

namespace {
struct Variant {
  const char *name;
  Element element;
  Mask mask;
  int64_t extent, queryTile, keyTile, stages;
  bool turns;
};

std::ostream &operator<<(std::ostream &out, const Variant &variant) {
  return out << variant.name;
}

class AttentionTest : public testing::TestWithParam<Variant> {};
} // namespace

/// All bits, so that NaN is equal to NaN.
static std::vector<uint64_t> getBits(ArrayRef<double> values) {
  std::vector<uint64_t> bits;
  for (double value : values)
    bits.push_back(llvm::bit_cast<uint64_t>(value));
  return bits;
}

static void expectNear(ArrayRef<double> values, ArrayRef<double> expected,
                       llvm::function_ref<double(size_t)> slack) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isinf(expected[i]))
      ASSERT_EQ(values[i], expected[i]) << "element " << i;
    else
      ASSERT_NEAR(values[i], expected[i], slack(i)) << "element " << i;
  }
}

TEST_P(AttentionTest, IsRightAfterEachPass) {
  const Variant &variant = GetParam();
  std::string text =
      getAttention(variant.element, variant.extent, variant.mask);
  std::vector<std::unique_ptr<Program>> programs;
  for (Stage stage : kStages)
    programs.push_back(std::make_unique<Program>(
        text,
        getPipeline(variant.queryTile, variant.keyTile,
                    getKernelPasses(stage, variant.stages, variant.turns))));
  std::mt19937 random(1);
  for (AttentionShape shape : {AttentionShape{1, 1, 1, 128, 128, 0},
                               {1, 4, 2, 200, 300, 0},
                               {2, 1, 1, 77, 130, 0},
                               {1, 2, 1, 150, 60, 0},
                               {1, 1, 1, 1, 1, 0},
                               {1, 1, 1, 5, 0, 0}}) {
    shape.extent = variant.extent;
    SCOPED_TRACE(testing::Message()
                 << shape.queries << " queries, " << shape.keys << " keys");
    SmallVector<int64_t> queryShape = {shape.batches, shape.queryHeads,
                                       shape.queries, shape.extent};
    SmallVector<int64_t> keyShape = {shape.batches, shape.keyHeads, shape.keys,
                                     shape.extent};
    int64_t keyElements =
        shape.batches * shape.keyHeads * shape.keys * shape.extent;
    HostTensor q(variant.element, queryShape,
                 makeNormal(random, shape.batches * shape.queryHeads *
                                        shape.queries * shape.extent));
    HostTensor k(variant.element, keyShape, makeNormal(random, keyElements));
    HostTensor v(variant.element, keyShape, makeNormal(random, keyElements));
    AttentionResult expected =
        computeAttention(shape, variant.mask, variant.element, q.getValues(),
                         k.getValues(), v.getValues());
    std::vector<uint64_t> outBits, lseBits;
    for (auto [stage, program] : llvm::zip_equal(kStages, programs)) {
      for (uint64_t seed = 0; seed < 3; ++seed) {
        SCOPED_TRACE(testing::Message()
                     << "stage " << int(stage) << ", seed " << seed);
        Options options;
        options.seed = seed;
        options.blocksAtOnce = 1 + seed % 2;
        SmallVector<HostResult> results;
        std::vector<Fault> faults = simulate(
            program->getFunction(),
            {q.getTensor(), k.getTensor(), v.getTensor()}, options, results);
        ASSERT_EQ(format(faults), "");
        ASSERT_EQ(results.size(), 2u);
        std::vector<double> out = getValues(results[0]);
        std::vector<double> lse = getValues(results[1]);
        if (outBits.empty()) {
          expectNear(out, expected.out,
                     [&](size_t i) { return expected.slack[i]; });
          expectNear(lse, expected.lse, [](size_t) { return 1e-4; });
          if (HasFatalFailure())
            return;
          outBits = getBits(out);
          lseBits = getBits(lse);
        }
        ASSERT_EQ(getBits(out), outBits);
        ASSERT_EQ(getBits(lse), lseBits);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, AttentionTest,
    testing::Values(
        Variant{"full", Element::BF16, Mask::Full, 64, 128, 128, 2, true},
        Variant{"causal", Element::BF16, Mask::Causal, 64, 128, 64, 2, true},
        Variant{"window", Element::BF16, Mask::Window, 64, 128, 64, 2, true},
        Variant{"wide_window", Element::BF16, Mask::WideWindow, 64, 128, 64, 2,
                true},
        Variant{"f16", Element::F16, Mask::Causal, 64, 128, 128, 2, true},
        Variant{"one_consumer", Element::BF16, Mask::Causal, 64, 64, 64, 2,
                true},
        Variant{"three_consumers", Element::BF16, Mask::Full, 64, 192, 80, 2,
                true},
        Variant{"one_stage", Element::BF16, Mask::Causal, 64, 128, 64, 1, true},
        Variant{"three_stages", Element::BF16, Mask::Full, 64, 128, 64, 3,
                true},
        Variant{"no_turns", Element::BF16, Mask::Full, 64, 128, 64, 2, false},
        Variant{"d128", Element::BF16, Mask::Causal, 128, 128, 128, 2, true}),
    [](const testing::TestParamInfo<Variant> &info) {
      return info.param.name;
    });
