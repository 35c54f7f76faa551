//===- KernelSchedulesTest.cpp - Choices against what was measured --------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model gives the times and the choices that were measured, and what it
// says of few heads, of masks and of static extents follows from its terms.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/KernelSchedules.h"
#include "gtest/gtest.h"

using namespace mlir::attn;

namespace {
const AttentionMask kFull, kCausal{MaskExpr::causal()};

ScheduleRow getRow(int64_t headDim, MaskKind mask) {
  std::optional<ScheduleRow> row =
      findScheduleRow("sm_90a", headDim, headDim, mask);
  return row ? *row : ScheduleRow();
}

/// `128x128 [0, 1280) 192x128 [1280, ...)`.
std::string print(llvm::ArrayRef<LengthClass> classes) {
  std::string text;
  for (const LengthClass &c : classes)
    text += (text.empty() ? "" : " ") + c.candidate.schedule.getName() + " [" +
            std::to_string(c.from) + ", " +
            (c.below ? std::to_string(*c.below) : "...") + ")";
  return text;
}

/// TFLOP/s of B S = 16384, H D = 2048 by the model, as docs/Performance.md
/// counts them.
double getRate(const ScheduleRow &row, llvm::StringRef name,
               const AttentionMask &mask, int64_t headDim, int64_t length) {
  for (const ScheduleCandidate &candidate : row.candidates) {
    if (candidate.schedule.getName() != name)
      continue;
    int64_t heads = std::max<int64_t>(16384 / length, 1) * (2048 / headDim);
    double time =
        estimateTime(candidate.schedule, *candidate.cost, row.multiprocessors,
                     mask, {heads, length, length});
    double flop = 4.0 * heads * length * length * headDim;
    if (mask.visible.getKind() != MaskExpr::Kind::All)
      flop /= 2;
    return flop / time * 1e-6;
  }
  return 0;
}
} // namespace

// What was measured on an H200 comes out within 5 %.
TEST(KernelSchedulesTest, TimesAreThoseMeasured) {
  struct Measured {
    int64_t headDim;
    bool causal;
    const char *schedule;
    int64_t length;
    double teraflops;
  };
  for (const Measured &m : {
           Measured{64, false, "192x128", 512, 390},
           {64, false, "192x128", 1024, 427},
           {64, false, "192x128", 2048, 479},
           {64, false, "192x128", 8192, 525},
           {64, false, "192x128", 32768, 532},
           {64, true, "192x128", 512, 228},
           {64, true, "192x128", 1024, 292},
           {64, true, "192x128", 2048, 402},
           {64, true, "192x128", 4096, 458},
           {64, true, "192x128", 8192, 508},
           {64, true, "128x128", 512, 256},
           {64, true, "128x128", 1024, 327},
           {64, true, "128x128", 2048, 368},
           {64, true, "128x128", 4096, 400},
           {64, true, "128x128", 8192, 432},
           {128, false, "128x128", 512, 527},
           {128, false, "128x128", 1024, 588},
           {128, false, "128x128", 8192, 669},
           {128, false, "192x80", 512, 421},
           {128, false, "192x80", 1024, 527},
           {128, false, "192x80", 2048, 621},
           {128, false, "192x80", 8192, 669},
           {128, false, "192x80", 32768, 706},
           {128, true, "128x128", 512, 347},
           {128, true, "128x128", 1024, 475},
           {128, true, "128x128", 2048, 555},
           {128, true, "128x128", 8192, 640},
           {128, true, "128x128", 32768, 681},
           {256, false, "128x64", 512, 547},
           {256, false, "128x64", 2048, 693},
           {256, false, "128x64", 8192, 729},
           {256, true, "128x64", 512, 348},
           {256, true, "128x64", 2048, 580},
           {256, true, "128x64", 8192, 695},
           {256, true, "128x64", 32768, 739},
       }) {
    ScheduleRow row =
        getRow(m.headDim, m.causal ? MaskKind::Masked : MaskKind::Full);
    double rate = getRate(row, m.schedule, m.causal ? kCausal : kFull,
                          m.headDim, m.length);
    EXPECT_NEAR(rate / m.teraflops, 1, 0.05)
        << m.headDim << (m.causal ? " causal " : " full ") << m.length;
  }
}

// Head dimension 64: 128 rows are faster up to 1k; from 2k on they lose 8 to 15
// %.
TEST(KernelSchedulesTest, CausalRatiosOfRowsAreThoseMeasured) {
  ScheduleRow row = getRow(64, MaskKind::Masked);
  auto getRatio = [&](int64_t length) {
    return getRate(row, "128x128", kCausal, 64, length) /
           getRate(row, "192x128", kCausal, 64, length);
  };
  EXPECT_NEAR(getRatio(512), 256.0 / 228, 0.06);
  EXPECT_NEAR(getRatio(1024), 327.0 / 292, 0.06);
  EXPECT_NEAR(getRatio(8192), 432.0 / 508, 0.04);
}

TEST(KernelSchedulesTest, ChoicesAreThoseMeasured) {
  auto find = [&](int64_t headDim, const AttentionMask &mask) {
    bool full = mask.visible.getKind() == MaskExpr::Kind::All;
    return findLengthClasses(
        getRow(headDim, full ? MaskKind::Full : MaskKind::Masked), mask,
        std::nullopt, std::nullopt);
  };
  std::vector<LengthClass> causal = find(64, kCausal);
  ASSERT_EQ(causal.size(), 2u) << print(causal);
  EXPECT_EQ(causal[0].candidate.schedule.getName(), "128x128");
  EXPECT_EQ(causal[1].candidate.schedule.getName(), "192x128");
  EXPECT_GT(causal[1].from, 1024);
  EXPECT_LE(causal[1].from, 2048);

  // At a length of 128 192 rows are half wasted.
  std::vector<LengthClass> full = find(64, kFull);
  EXPECT_EQ(full.back().candidate.schedule.getName(), "192x128") << print(full);
  EXPECT_LT(full.back().from, 512);

  std::vector<LengthClass> full128 = find(128, kFull);
  ASSERT_EQ(full128.size(), 2u) << print(full128);
  EXPECT_EQ(full128[0].candidate.schedule.getName(), "128x128");
  EXPECT_EQ(full128[1].candidate.schedule.getName(), "192x80");
  EXPECT_GT(full128[1].from, 1024);
  EXPECT_LE(full128[1].from, 4096);
  EXPECT_EQ(print(find(128, kCausal)), "128x128 [0, ...)");
  EXPECT_EQ(print(find(256, kFull)), "128x64 [0, ...)");
  EXPECT_EQ(print(find(256, kCausal)), "128x64 [0, ...)");
}

TEST(KernelSchedulesTest, ClassesMeetAndCoverAllLengths) {
  for (int64_t headDim : {64, 128, 256})
    for (std::optional<int64_t> left :
         {std::optional<int64_t>(), {255}, {4095}})
      for (std::optional<int64_t> keys : {std::optional<int64_t>(), {300}}) {
        AttentionMask mask{MaskExpr::window(left, 0)};
        auto classes =
            findLengthClasses(getRow(headDim, MaskKind::Masked), mask,
                              std::nullopt, keys, /*maxClasses=*/2);
        ASSERT_GE(classes.size(), 1u);
        ASSERT_LE(classes.size(), 2u);
        EXPECT_EQ(classes.front().from, 0);
        EXPECT_FALSE(classes.back().below);
        for (size_t n = 1; n < classes.size(); ++n) {
          EXPECT_EQ(classes[n - 1].below, classes[n].from) << print(classes);
          EXPECT_NE(classes[n - 1].candidate.schedule.getName(),
                    classes[n].candidate.schedule.getName());
        }
      }
}

// One class is that of the longest lengths.
TEST(KernelSchedulesTest, OneClassIsThatOfLongLengths) {
  EXPECT_EQ(print(findLengthClasses(getRow(64, MaskKind::Masked), kCausal,
                                    std::nullopt, std::nullopt, 1)),
            "192x128 [0, ...)");
}

// A few heads do not fill the chip: the time is that of one query tile, and the
// smaller tile takes less.
TEST(KernelSchedulesTest, FewHeadsTakeSmallTiles) {
  ScheduleRow row = getRow(64, MaskKind::Full);
  EXPECT_EQ(chooseSchedule(row, kFull, {4, 4096, 4096}).schedule.getName(),
            "128x128");
  EXPECT_EQ(chooseSchedule(row, kFull, {512, 4096, 4096}).schedule.getName(),
            "192x128");
}

// 133 tiles of one length take twice the time of 132.
TEST(KernelSchedulesTest, TilesRunInWaves) {
  ScheduleRow row = getRow(128, MaskKind::Full);
  const ScheduleCandidate &c = row.candidates.front();
  auto estimate = [&](int64_t heads) {
    return estimateTime(c.schedule, *c.cost, row.multiprocessors, kFull,
                        {heads, 128, 1024});
  };
  EXPECT_DOUBLE_EQ(estimate(133), 2 * estimate(132));
  EXPECT_DOUBLE_EQ(estimate(1), estimate(132));
}

// Rows that do not exist cost as much as those that do.
TEST(KernelSchedulesTest, PaddedRowsCost) {
  ScheduleRow row = getRow(64, MaskKind::Full);
  EXPECT_EQ(chooseSchedule(row, kFull, {1024, 128, 8192}).schedule.getName(),
            "128x128");
  EXPECT_EQ(chooseSchedule(row, kFull, {1024, 192, 8192}).schedule.getName(),
            "192x128");
}

TEST(KernelSchedulesTest, NoQueriesOrHeadsTakeNoTime) {
  ScheduleRow row = getRow(64, MaskKind::Masked);
  const ScheduleCandidate &c = row.candidates.front();
  EXPECT_EQ(estimateTime(c.schedule, *c.cost, 132, kCausal, {8, 0, 64}), 0);
  EXPECT_EQ(estimateTime(c.schedule, *c.cost, 132, kCausal, {0, 64, 64}), 0);
  EXPECT_GT(estimateTime(c.schedule, *c.cost, 132, kCausal, {8, 64, 0}), 0);
}

// Tiles of 192 x 128 at head dimension 256 were chosen by the width of values
// alone, and did not fit shared memory.
TEST(KernelSchedulesTest, WideKeysWithNarrowValuesFitSharedMemory) {
  for (int64_t headDim : {64, 128, 256})
    for (int64_t valueDim : {64, 128, 256})
      for (MaskKind mask : {MaskKind::Full, MaskKind::Masked}) {
        auto row = findScheduleRow("sm_90a", headDim, valueDim, mask);
        ASSERT_TRUE(row);
        for (const ScheduleCandidate &c : row->candidates)
          EXPECT_LE(getTileBytes(c.schedule, headDim, valueDim), 232448);
      }
  EXPECT_EQ(findScheduleRow("sm_90a", 256, 64, MaskKind::Full)
                ->candidates.front()
                .schedule.getName(),
            "128x128");
}

TEST(KernelSchedulesTest, WhatTheTableHasFits) {
  for (int64_t headDim : {64, 128, 256})
    for (int64_t valueDim : {64, 128, 256}) {
      for (MaskKind mask : {MaskKind::Full, MaskKind::Masked}) {
        auto row = findScheduleRow("sm_90a", headDim, valueDim, mask);
        ASSERT_TRUE(row);
        for (const ScheduleCandidate &c : row->candidates)
          EXPECT_TRUE(findScheduleFaults(c.schedule, headDim, valueDim).empty())
              << c.schedule.getName();
      }
    }
}

TEST(KernelSchedulesTest, FaultsSayEveryLimitAndWhatFits) {
  std::vector<std::string> faults = findScheduleFaults({512, 100, 8}, 128, 128);
  ASSERT_EQ(faults.size(), 4u);
  EXPECT_NE(faults[0].find("at most 448"), std::string::npos);
  EXPECT_NE(faults[1].find("'key_tile' expected a multiple of 16"),
            std::string::npos);
  EXPECT_NE(faults[2].find("got 540672"), std::string::npos);
  EXPECT_EQ(faults[3], "the nearest that fits has query_tile = 192, key_tile = "
                       "80, stages = 4");
}

namespace {
/// What ptxas 13.0 makes of kernels with `consumers`: up to `good` keys
/// products overlap, from `bad` on they wait for each other (C7512) or it gives
/// up (C7602). None are good where `good` is 0.
struct Assembled {
  int64_t headDim, valueDim, consumers, good, bad;
  bool queriesInRegisters = false;
};
} // namespace

// Tiles that ptxas found too large were compiled, to an error about a kernel or
// to one of half the speed. The limit is one sum for all of them.
TEST(KernelSchedulesTest, RegistersSufficeWherePtxasSaysSo) {
  const Assembled kAssembled[] = {
      {64, 64, 2, 224, 256},         {64, 64, 3, 128, 144},
      {64, 64, 4, 64, 80},           {64, 64, 5, 32, 48},
      {64, 64, 6, 16, 32},           {64, 64, 7, 0, 16},
      {128, 128, 1, 208, 224},       {128, 128, 2, 176, 192},
      {128, 128, 3, 80, 96},         {128, 128, 4, 16, 32},
      {128, 128, 5, 0, 16},          {128, 128, 6, 0, 16},
      {256, 256, 1, 128, 160},       {256, 256, 2, 96, 128},
      {256, 256, 3, 0, 16},          {64, 128, 2, 160, 192},
      {64, 128, 3, 80, 96},          {64, 256, 1, 128, 160},
      {64, 256, 2, 96, 128},         {128, 64, 3, 128, 160},
      {128, 64, 4, 64, 80},          {128, 64, 6, 16, 32},
      {128, 128, 1, 176, 192, true}, {128, 128, 2, 144, 160, true},
      {128, 128, 3, 48, 64, true},   {128, 128, 4, 0, 16, true},
      {256, 64, 1, 160, 192, true},  {256, 64, 2, 128, 160, true}};
  for (const Assembled &is : kAssembled)
    for (int64_t keys : {is.good, is.bad}) {
      if (keys == 0)
        continue;
      KernelSchedule schedule{64 * is.consumers, keys, /*stages=*/1};
      schedule.queriesInRegisters = is.queriesInRegisters;
      std::vector<std::string> faults =
          findScheduleFaults(schedule, is.headDim, is.valueDim);
      bool hasRegisters = llvm::none_of(faults, [](const std::string &fault) {
        return fault.find("registers") != std::string::npos;
      });
      EXPECT_EQ(hasRegisters, keys == is.good)
          << is.headDim << " and " << is.valueDim << ": " << schedule.getName();
    }
}

// What is called the nearest must fit itself.
TEST(KernelSchedulesTest, TheNearestFits) {
  for (int64_t headDim : {64, 128, 256})
    for (int64_t queryTile : {1, 64, 100, 192, 448, 1024})
      for (int64_t keyTile : {1, 64, 100, 256, 4096})
        for (int64_t stages : {1, 2, 8}) {
          std::vector<std::string> faults = findScheduleFaults(
              {queryTile, keyTile, stages}, headDim, headDim);
          if (faults.empty())
            continue;
          KernelSchedule nearest;
          ASSERT_EQ(std::sscanf(faults.back().c_str(),
                                "the nearest that fits has query_tile = %ld, "
                                "key_tile = %ld, stages = %ld",
                                &nearest.queryTile, &nearest.keyTile,
                                &nearest.stages),
                    3);
          EXPECT_TRUE(findScheduleFaults(nearest, headDim, headDim).empty())
              << faults.back();
        }
}

TEST(KernelSchedulesTest, NoRowForOthers) {
  EXPECT_FALSE(findScheduleRow("sm_80", 64, 64, MaskKind::Full));
  EXPECT_FALSE(findScheduleRow("sm_90a", 512, 64, MaskKind::Full));
}

// What was never measured is not compared, but follows when all that was is
// taken away.
TEST(KernelSchedulesTest, RemovedSchedulesLeaveTheNext) {
  ScheduleRow row = getRow(64, MaskKind::Masked);
  row.remove("192x128");
  EXPECT_EQ(print(findLengthClasses(row, kCausal, std::nullopt, std::nullopt)),
            "128x128 [0, ...)");
  row.remove("128x128");
  EXPECT_EQ(print(findLengthClasses(row, kCausal, std::nullopt, std::nullopt)),
            "128x96 [0, ...)");
  EXPECT_EQ(chooseSchedule(row, kCausal, {8, 1, 1}).schedule.getName(),
            "128x96");
}

// More query tiles than are looked at one by one.
TEST(KernelSchedulesTest, ManyTilesTakeTimeInProportion) {
  ScheduleRow row = getRow(256, MaskKind::Full);
  const ScheduleCandidate &c = row.candidates.front();
  auto estimate = [&](int64_t queries) {
    return estimateTime(c.schedule, *c.cost, 132, kFull,
                        {std::nullopt, queries, 1024});
  };
  EXPECT_NEAR(estimate(int64_t(1) << 30) / estimate(int64_t(1) << 14), 1 << 16,
              1);
}
