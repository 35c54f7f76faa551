//===- FlattenTest.cpp - Points whose ends and beginnings overlap ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of persistent work give the bits of the synchronous one after each
// pass before and after their work loops are flattened: over points that see
// no key, without keys, and where thread blocks have one point or none. So do
// clusters, flattened or not, also where the last one has too few tiles.
//
//===----------------------------------------------------------------------===//

#include "AttentionCheck.h"
#include "ProductKernels.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {
/// How far passes on kernels go.
enum class Step : uint8_t {
  Synchronous,
  Work,
  Clusters,
  Copies,
  Rotated,
  Flattened,
  Staged,
  Roles,
  Split
};
constexpr Step kSteps[] = {Step::Synchronous, Step::Work,    Step::Clusters,
                           Step::Copies,      Step::Rotated, Step::Flattened,
                           Step::Staged,      Step::Roles,   Step::Split};

struct Choice {
  const char *work = "dynamic";
  int64_t stages = 2;
  bool turns = true;
  /// For staged writes.
  int64_t sharedBytes = 232448;
  int64_t cluster = 1;
  bool flatten = true;
};
} // namespace

static std::string getPasses(Step last, const Choice &choice) {
  std::string passes = "canonicalize";
  auto add = [&](Step step, const std::string &text) {
    if (last >= step)
      passes += "," + text;
  };
  add(Step::Work,
      llvm::formatv("attn-gpu-schedule-work{{schedule={0} group-bytes=100000}",
                    choice.work));
  add(Step::Clusters,
      llvm::formatv("attn-gpu-form-clusters{{size={0}}", choice.cluster));
  add(Step::Copies, llvm::formatv("attn-gpu-async-copy{{stages={0}"
                                  " outer-stages=2}",
                                  choice.stages));
  add(Step::Rotated,
      llvm::formatv("attn-gpu-pipeline{{flatten={0}},canonicalize,cse",
                    last >= Step::Flattened && choice.flatten));
  add(Step::Staged, llvm::formatv("attn-gpu-stage-writes{{shared-bytes={0}}",
                                  choice.sharedBytes));
  add(Step::Roles,
      llvm::formatv("attn-gpu-warp-specialize{{turns={0}},canonicalize,cse",
                    choice.turns));
  add(Step::Split, "attn-gpu-split-loops,canonicalize,cse");
  return passes;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
struct Variant {
  const char *name;
  Element element;
  Mask mask;
  int64_t extent, queryTile, keyTile;
  Choice choice;
  /// Options of convert-attn-to-attn-gpu.
  const char *conversion = "";
};

std::ostream &operator<<(std::ostream &out, const Variant &variant) {
  return out << variant.name;
}

class FlattenTest : public testing::TestWithParam<Variant> {};
} // namespace

static std::string getPipeline(const Variant &variant, Step last) {
  return llvm::formatv(
      "builtin.module(attn-to-iteration{{query-tile={0} key-tile={1}},"
      "convert-attn-to-attn-gpu{2},lower-affine,canonicalize,cse,"
      "attn_gpu.kernel({3}))",
      variant.queryTile, variant.keyTile, variant.conversion,
      getPasses(last, variant.choice));
}

TEST_P(FlattenTest, EachPassKeepsTheBits) {
  const Variant &variant = GetParam();
  std::string text =
      getAttention(variant.element, variant.extent, variant.mask);
  std::vector<std::unique_ptr<Program>> programs;
  for (Step step : kSteps) {
    programs.push_back(
        std::make_unique<Program>(text, getPipeline(variant, step)));
    ASSERT_EQ(isFlattened(programs.back()->getKernel()),
              step >= Step::Flattened && variant.choice.flatten);
    ASSERT_EQ(programs.back()->getKernel().getCluster(),
              step >= Step::Clusters ? variant.choice.cluster : 1);
  }
  std::mt19937 random(1);
  for (AttentionShape shape :
       {AttentionShape{1, 2, 1, 300, 200, 0},
        // The first query tiles see no key under a causal mask.
        {1, 1, 1, 500, 100, 0},
        // No keys.
        {2, 1, 1, 200, 0, 0},
        // One point.
        {1, 1, 1, 7, 150, 0},
        // Nothing to do.
        {1, 1, 1, 0, 10, 0}}) {
    shape.extent = variant.extent;
    SCOPED_TRACE(testing::Message()
                 << shape.queries << " queries, " << shape.keys << " keys");
    AttentionCheck check(shape, variant.mask, variant.element, random);
    for (auto [step, program] : llvm::zip_equal(kSteps, programs)) {
      // The synchronous kernel has one order only.
      uint64_t seeds = step == Step::Synchronous ? 1 : 4;
      for (uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(testing::Message()
                     << "step " << int(step) << ", seed " << seed);
        Options options;
        options.seed = seed;
        options.blocksAtOnce = 1 + seed % 2;
        options.persistentBlocks = 1 + seed % 3;
        check.run(*program, options);
        if (HasFatalFailure())
          return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, FlattenTest,
    testing::Values(
        Variant{"causal", Element::BF16, Mask::Causal, 64, 128, 64, {}},
        Variant{"full", Element::BF16, Mask::Full, 64, 128, 128, {}},
        Variant{"window",
                Element::BF16,
                Mask::WideWindow,
                64,
                128,
                64,
                {"strided"}},
        Variant{"one_consumer",
                Element::F16,
                Mask::Causal,
                64,
                64,
                64,
                {"strided", 3}},
        Variant{"three_consumers",
                Element::BF16,
                Mask::Causal,
                64,
                192,
                80,
                {"dynamic", 2, false}},
        Variant{"clusters",
                Element::BF16,
                Mask::Full,
                64,
                128,
                64,
                {"strided", 2, true, 232448, 2}},
        Variant{"clusters_not_flattened",
                Element::BF16,
                Mask::Full,
                64,
                64,
                64,
                {"strided", 3, true, 232448, 4, false}},
        Variant{"clusters_of_three_consumers",
                Element::F16,
                Mask::Full,
                64,
                192,
                80,
                {"strided", 2, false, 232448, 2},
                "{queries-in-registers}"},
        // Memory for one of the two places that write.
        Variant{"shared_staging_tile",
                Element::BF16,
                Mask::Causal,
                64,
                128,
                64,
                {"dynamic", 2, true, 90000}},
        Variant{"queries_in_registers",
                Element::BF16,
                Mask::Causal,
                64,
                128,
                64,
                {},
                "{queries-in-registers}"},
        // Some rows are rescaled in some steps.
        Variant{"lazy_rescale",
                Element::BF16,
                Mask::Causal,
                64,
                128,
                64,
                {},
                "{rescale-slack=0.5}"},
        Variant{"lazy_rescale_f16",
                Element::F16,
                Mask::Full,
                64,
                128,
                64,
                {},
                "{rescale-slack=4}"}),
    [](const testing::TestParamInfo<Variant> &info) {
      return info.param.name;
    });

//===----------------------------------------------------------------------===//
// A chain of products
//===----------------------------------------------------------------------===//

TEST(FlattenedChain, ABlockWithoutAPointWritesNothing) {
  std::string text = getChainOfSteps();
  std::mt19937 random(3);
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>(128, 64), {300, 200}, {33, 0}, {0, 64}}) {
    SCOPED_TRACE(testing::Message() << m << " rows, " << n << " steps' rows");
    HostTensor a(Element::BF16, {m, 64}, makeIntegers(random, m * 64, 1));
    HostTensor b(Element::BF16, {n, 64}, makeIntegers(random, n * 64, 1));
    HostTensor c(Element::BF16, {n, 64}, makeIntegers(random, n * 64, 4));
    HostTensor d(Element::F32, {m, 64});
    std::vector<double> expected(m * 64),
        as = a.getValues(), bs = b.getValues(), cs = c.getValues();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double p = 0;
        for (int64_t l = 0; l < 64; ++l)
          p += as[i * 64 + l] * bs[j * 64 + l];
        for (int64_t l = 0; l < 64; ++l)
          expected[i * 64 + l] += p * cs[j * 64 + l];
      }
    for (auto [work, cluster] : {std::pair<const char *, int64_t>("strided", 1),
                                 {"dynamic", 1},
                                 {"strided", 2},
                                 {"strided", 8}})
      for (Step step : kSteps) {
        Choice choice;
        choice.work = work;
        choice.cluster = cluster;
        Program program(text, "builtin.module(attn_gpu.kernel(" +
                                  getPasses(step, choice) + "))");
        ASSERT_EQ(isFlattened(program.getKernel()), step >= Step::Flattened);
        int64_t size = program.getKernel().getCluster();
        ASSERT_EQ(size, step < Step::Clusters ? 1 : cluster);
        for (uint64_t seed = 0; seed < 6; ++seed) {
          SCOPED_TRACE(testing::Message()
                       << work << ", clusters of " << cluster << ", step "
                       << int(step) << ", seed " << seed);
          d.poison();
          Options options;
          options.seed = seed;
          // More than there are points, or one for all of them.
          options.blocks =
              step < Step::Work || seed % 2 ? (m + 127) / 128 + 2 : 1;
          options.blocks *= size;
          options.blocksAtOnce = 1 + seed % 3;
          ASSERT_EQ(format(simulate(program.getKernel(),
                                    {a.getTensor(), b.getTensor(),
                                     c.getTensor(), d.getTensor()},
                                    options)),
                    "");
          ASSERT_EQ(d.getValues(), expected);
        }
      }
  }
}
