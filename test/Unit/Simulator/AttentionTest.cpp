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

#include "AttentionCheck.h"

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
    AttentionCheck check(shape, variant.mask, variant.element, random);
    for (auto [stage, program] : llvm::zip_equal(kStages, programs)) {
      for (uint64_t seed = 0; seed < 3; ++seed) {
        SCOPED_TRACE(testing::Message()
                     << "stage " << int(stage) << ", seed " << seed);
        Options options;
        options.seed = seed;
        options.blocksAtOnce = 1 + seed % 2;
        options.persistentBlocks = 1 + seed;
        check.run(*program, options);
        if (HasFatalFailure())
          return;
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
