//===- KernelSchedules.cpp - Schedules of kernels, and their cost ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table, the time that a call takes by it, and where lengths divide.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/KernelSchedules.h"
#include "attn/Analysis/IntArith.h"
#include "attn/Analysis/KeyTiles.h"
#include "attn/Support/SM90.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir::attn;

// Rows of a consumer, and of all that a thread block has beside the producer.
static constexpr int64_t kRows = 64;
static constexpr int64_t kMaxRows = kRows * (sm90::kMaxWarpgroups - 1);
// Keys come in steps of a product of 16-bit elements, in one product at most.
static constexpr int64_t kKeys = 16, kMaxKeys = 256;

std::string KernelSchedule::getName() const {
  return std::to_string(queryTile) + "x" + std::to_string(keyTile);
}

llvm::StringRef mlir::attn::getMaskKindName(MaskKind kind) {
  return kind == MaskKind::Full ? "full" : "masked";
}

void ScheduleRow::remove(llvm::StringRef name) {
  llvm::erase_if(candidates, [&](const ScheduleCandidate &candidate) {
    return candidate.schedule.getName() == name;
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
ScheduleCandidate measured(int64_t queryTile, int64_t keyTile,
                           ScheduleCost cost, const char *reason) {
  return {{queryTile, keyTile}, cost, reason};
}

/// `candidate` without rescaling where a row's reference does not move.
ScheduleCandidate lazy(ScheduleCandidate candidate) {
  candidate.schedule.lazyRescale = true;
  return candidate;
}

/// `candidate` with its exponentials held beside the product of the tile
/// before.
ScheduleCandidate early(ScheduleCandidate candidate) {
  candidate.schedule.earlyWeights = true;
  return candidate;
}

/// `candidate` with its queries in registers.
ScheduleCandidate holdQueries(ScheduleCandidate candidate) {
  candidate.schedule.queriesInRegisters = true;
  return candidate;
}

ScheduleCandidate fallback(int64_t queryTile, int64_t keyTile) {
  return {{queryTile, keyTile},
          std::nullopt,
          "fewer keys in a tile take fewer registers"};
}
} // namespace

/// Costs solve the model below for the times in docs/Performance.md: of an
/// H200, 16-bit elements, B S = 16384, H D = 2048, S from 512 to 32768.
static std::vector<ScheduleRow> makeTable() {
  constexpr int64_t kMultiprocessors = 132;
  const char *three = "three consumers: outputs of 64 columns leave registers "
                      "for 128 keys";
  const char *two64 = "two consumers: less waste of rows and of masked tiles";
  const char *two128 =
      "two consumers: 128 keys and outputs of 128 columns fill "
      "the registers";
  const char *three128 = "three consumers: of long sequences each key tile "
                         "serves more rows, which saves copies and power";
  const char *two256 = "two consumers: outputs of 256 columns leave registers "
                       "for few keys";
  ScheduleCost cost192 = {1.525, 0.30, 1.30};
  // With a mask and without.
  std::vector<ScheduleCandidate> for128 = {
      early(lazy(holdQueries(measured(128, 128, {1.60, 0.25, 1.95}, two128)))),
      fallback(128, 96), fallback(128, 64)};
  std::vector<ScheduleCandidate> for256 = {
      lazy(measured(128, 64, {1.45, 0.50, 4.00}, two256)),
      lazy(fallback(128, 48)), lazy(fallback(128, 32))};
  std::vector<ScheduleCandidate> long128 = for128;
  long128.insert(long128.begin(),
                 lazy(measured(192, 80, {1.40, 0, 3.70}, three128)));
  return {
      {"sm_90a",
       256,
       64,
       MaskKind::Full,
       kMultiprocessors,
       {lazy(measured(192, 128, cost192, three)),
        holdQueries(measured(128, 128, {1.25, 0, 1.30}, two64)),
        fallback(128, 96), fallback(128, 64)}},
      {"sm_90a",
       256,
       64,
       MaskKind::Masked,
       kMultiprocessors,
       {lazy(measured(192, 128, cost192, three)),
        holdQueries(measured(128, 128, {1.24, 0.30, 0.90}, two64)),
        fallback(128, 96), fallback(128, 64)}},
      {"sm_90a", 256, 128, MaskKind::Full, kMultiprocessors, long128},
      {"sm_90a", 256, 128, MaskKind::Masked, kMultiprocessors, for128},
      {"sm_90a", 256, 256, MaskKind::Full, kMultiprocessors, for256},
      {"sm_90a", 256, 256, MaskKind::Masked, kMultiprocessors, for256},
  };
}

int64_t mlir::attn::getTileBytes(const KernelSchedule &schedule,
                                 int64_t headDim, int64_t valueDim) {
  constexpr int64_t kElement = 2;
  return kElement * (schedule.queryTile * headDim +
                     schedule.stages * schedule.keyTile * (headDim + valueDim));
}

std::optional<ScheduleRow> mlir::attn::findScheduleRow(llvm::StringRef chip,
                                                       int64_t headDim,
                                                       int64_t valueDim,
                                                       MaskKind mask) {
  for (ScheduleRow &row : makeTable()) {
    if (row.chip != chip || row.mask != mask || headDim > row.headDim ||
        valueDim > row.valueDim)
      continue;
    llvm::erase_if(row.candidates, [&](const ScheduleCandidate &candidate) {
      return getTileBytes(candidate.schedule, headDim, valueDim) >
             sm90::kMaxTileBytes;
    });
    if (row.candidates.empty())
      return std::nullopt;
    return row;
  }
  return std::nullopt;
}

ThreadRegisters::ThreadRegisters(const KernelSchedule &schedule,
                                 int64_t headDim, int64_t valueDim) {
  // A consumer's 64 rows are spread over the threads of its warpgroup.
  constexpr int64_t kThreads = 128, kRegisterBytes = 4;
  auto share = [](int64_t columns, int64_t bytes) {
    return kRows * columns * bytes / (kThreads * kRegisterBytes);
  };
  outputs = share(valueDim, 4);
  scores = share(schedule.keyTile, 4);
  weights = share(schedule.keyTile, 2);
  if (schedule.queriesInRegisters)
    queries = share(headDim, 2);
}

/// What a consumer's thread may have in a block with all of the schedule's.
static int64_t getConsumerRegisters(const KernelSchedule &schedule) {
  return std::min(sm90::chooseRegisters(schedule.getConsumers()).consumer,
                  sm90::kMaxNamedRegisters);
}

static bool fitsRegisters(const KernelSchedule &schedule, int64_t headDim,
                          int64_t valueDim) {
  return ThreadRegisters(schedule, headDim, valueDim).getSum() <=
         getConsumerRegisters(schedule);
}

/// The schedule most like `schedule` that fits: of those whose registers
/// suffice the one with the largest tiles. Fewer stages cost least; where one
/// takes too much memory, what takes more of it shrinks, queries or keys.
static KernelSchedule findNearest(KernelSchedule schedule, int64_t headDim,
                                  int64_t valueDim) {
  auto toMultiple = [](int64_t value, int64_t of, int64_t most) {
    return std::clamp(value / of * of, of, most);
  };
  schedule.queryTile = toMultiple(schedule.queryTile, kRows, kMaxRows);
  schedule.keyTile = toMultiple(schedule.keyTile, kKeys, kMaxKeys);
  KernelSchedule largest = schedule;
  largest.queryTile = kRows;
  largest.keyTile = kKeys;
  for (KernelSchedule next = schedule; next.queryTile > 0;
       next.queryTile -= kRows)
    for (next.keyTile = schedule.keyTile; next.keyTile > 0;
         next.keyTile -= kKeys)
      if (fitsRegisters(next, headDim, valueDim) &&
          next.queryTile * next.keyTile > largest.queryTile * largest.keyTile)
        largest = next;
  schedule = largest;
  while (getTileBytes(schedule, headDim, valueDim) > sm90::kMaxTileBytes) {
    bool hasMoreQueries =
        schedule.queryTile * headDim >= schedule.keyTile * (headDim + valueDim);
    if (schedule.stages > 1)
      --schedule.stages;
    else if (schedule.queryTile > kRows &&
             (hasMoreQueries || schedule.keyTile == kKeys))
      schedule.queryTile -= kRows;
    else if (schedule.keyTile > kKeys)
      schedule.keyTile -= kKeys;
    else
      break; // heads that no schedule has room for
  }
  return schedule;
}

std::vector<std::string>
mlir::attn::findScheduleFaults(const KernelSchedule &schedule, int64_t headDim,
                               int64_t valueDim) {
  std::vector<std::string> faults;
  auto checkTile = [&](llvm::StringRef name, int64_t value, int64_t of,
                       int64_t most, llvm::StringRef why) {
    if (value % of != 0 || value < of || value > most)
      faults.push_back(llvm::formatv("'{0}' expected a multiple of {1}, at "
                                     "most {2} ({3}), got {4}",
                                     name, of, most, why, value));
  };
  checkTile("query_tile", schedule.queryTile, kRows, kMaxRows,
            llvm::formatv("a thread block has {0} warpgroups: one copies, each "
                          "other one has {1} rows",
                          sm90::kMaxWarpgroups, kRows)
                .str());
  checkTile("key_tile", schedule.keyTile, kKeys, kMaxKeys,
            "columns of one product");
  int64_t bytes = getTileBytes(schedule, headDim, valueDim);
  if (bytes > sm90::kMaxTileBytes)
    faults.push_back(llvm::formatv(
        "tiles expected to take at most {0} bytes of shared memory, got {1}: "
        "{2} rows of 'q', and {3} stages of {4} rows of 'k' and 'v'",
        sm90::kMaxTileBytes, bytes, schedule.queryTile, schedule.stages,
        schedule.keyTile));
  // Of tiles that there are not at all nobody asks what they would take.
  if (schedule.queryTile >= kRows && schedule.queryTile <= kMaxRows &&
      schedule.keyTile <= kMaxKeys &&
      !fitsRegisters(schedule, headDim, valueDim)) {
    ThreadRegisters registers(schedule, headDim, valueDim);
    std::string queries;
    if (registers.queries > 0)
      queries = llvm::formatv("{0} for queries, ", registers.queries);
    faults.push_back(llvm::formatv(
        "a thread of {0} consumers expected to need at most {1} registers, got "
        "{2}: {3} for outputs, {4} for scores, {5} for weights, {6}{7} for all "
        "else; ptxas would make products wait for each other, or give up",
        schedule.getConsumers(), getConsumerRegisters(schedule),
        registers.getSum(), registers.outputs, registers.scores,
        registers.weights, queries, registers.others));
  }
  if (faults.empty())
    return faults;
  KernelSchedule nearest = findNearest(schedule, headDim, valueDim);
  faults.push_back(llvm::formatv("the nearest that fits has query_tile = {0}, "
                                 "key_tile = {1}, stages = {2}",
                                 nearest.queryTile, nearest.keyTile,
                                 nearest.stages));
  return faults;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// Microseconds of the query tile whose first row is `first`.
static double estimateTile(const KernelSchedule &schedule,
                           const ScheduleCost &cost, const AttentionMask &mask,
                           const AttentionExtents &extents, int64_t first) {
  int64_t last = std::min(first + schedule.queryTile, extents.queries) - 1;
  int64_t shift = mask.bottomRight ? extents.keys - extents.queries : 0;
  IntArith arith;
  TilePositions<IntArith> positions{first + shift, last + shift,
                                    /*keyOrigin=*/0, extents.keys,
                                    /*uniforms=*/{}};
  double time = cost.queryTile;
  for (const auto &segment :
       classifyKeyTiles(arith, mask.visible, positions, schedule.keyTile)) {
    double tiles = std::max<int64_t>(segment.end - segment.begin, 0);
    time += tiles * cost.keyTile;
    if (segment.tileClass == TileClass::Partial)
      time += tiles * cost.maskedTile;
  }
  return time;
}

double mlir::attn::estimateTime(const KernelSchedule &schedule,
                                const ScheduleCost &cost,
                                int64_t multiprocessors,
                                const AttentionMask &mask,
                                const AttentionExtents &extents) {
  if (extents.queries <= 0 || extents.heads == 0)
    return 0;
  // Of more query tiles some are looked at: neighbours take like times.
  constexpr int64_t kMostTiles = 4096;
  IntArith arith;
  int64_t tiles = arith.ceilDiv(extents.queries, schedule.queryTile);
  int64_t every = arith.ceilDiv(tiles, kMostTiles), seen = 0;
  double sum = 0, longest = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (int64_t tile = 0; tile < tiles; tile += every, ++seen) {
    double time =
        estimateTile(schedule, cost, mask, extents, tile * schedule.queryTile);
    sum += time;
    longest = std::max(longest, time);
    shortest = std::min(shortest, time);
  }
  double head = sum / seen * tiles;
  if (!extents.heads)
    return head;
  // Tiles of one length run in waves. Of several lengths the longest come
  // first, and the shortest fill what is left.
  int64_t all = *extents.heads * tiles;
  if (all <= multiprocessors || shortest == longest)
    return arith.ceilDiv(all, multiprocessors) * longest;
  return std::max(longest,
                  head * *extents.heads / multiprocessors + shortest / 2);
}

namespace {
/// Times of the candidates that can be compared.
class Comparison {
public:
  Comparison(const ScheduleRow &row, const AttentionMask &mask)
      : row(row), mask(mask) {
    for (const ScheduleCandidate &candidate : row.candidates)
      if (candidate.cost)
        candidates.push_back(&candidate);
  }

  unsigned size() const { return candidates.size(); }
  const ScheduleCandidate &operator[](unsigned n) const {
    return *candidates[n];
  }

  /// Times by candidate.
  std::vector<double> estimate(const AttentionExtents &extents) const {
    std::vector<double> times;
    for (const ScheduleCandidate *candidate : candidates)
      times.push_back(estimateTime(candidate->schedule, *candidate->cost,
                                   row.multiprocessors, mask, extents));
    return times;
  }

private:
  const ScheduleRow &row;
  const AttentionMask &mask;
  std::vector<const ScheduleCandidate *> candidates;
};
} // namespace

const ScheduleCandidate &
mlir::attn::chooseSchedule(const ScheduleRow &row, const AttentionMask &mask,
                           const AttentionExtents &extents) {
  Comparison comparison(row, mask);
  if (comparison.size() == 0)
    return row.candidates.front();
  std::vector<double> times = comparison.estimate(extents);
  return comparison[llvm::min_element(times) - times.begin()];
}

//===----------------------------------------------------------------------===//
// Length classes
//===----------------------------------------------------------------------===//

static constexpr int64_t kLengthStep = 128;

/// Lengths that are looked at: close together where tiles are few.
static std::vector<int64_t> getSampleLengths() {
  std::vector<int64_t> lengths;
  for (auto [to, step] : {std::pair(16 * kLengthStep, kLengthStep),
                          std::pair(32 * kLengthStep, 2 * kLengthStep),
                          std::pair(128 * kLengthStep, 8 * kLengthStep)})
    for (int64_t length = lengths.empty() ? step : lengths.back() + step;
         length <= to; length += step)
      lengths.push_back(length);
  return lengths;
}

std::vector<LengthClass>
mlir::attn::findLengthClasses(const ScheduleRow &row, const AttentionMask &mask,
                              std::optional<int64_t> queries,
                              std::optional<int64_t> keys,
                              unsigned maxClasses) {
  Comparison comparison(row, mask);
  if (comparison.size() == 0)
    return {{0, std::nullopt, row.candidates.front()}};
  if (queries && keys)
    return {{0, std::nullopt,
             chooseSchedule(row, mask, {std::nullopt, *queries, *keys})}};
  // A kernel more must be worth it: what is within this factor is as good.
  constexpr double kAsGood = 1.02;
  std::vector<int64_t> lengths = getSampleLengths();
  // How many rows are padded depends on the very length: a class goes by the
  // mean of three, multiples of 128, as most lengths are. The middle counts
  // twice: at powers of 2, where most are.
  std::vector<std::vector<double>> times;
  for (int64_t middle : lengths) {
    std::vector<double> sum(comparison.size());
    for (int64_t length :
         {middle - kLengthStep, middle, middle, middle + kLengthStep})
      for (auto [total, time] : llvm::zip_equal(
               sum, comparison.estimate({std::nullopt, queries.value_or(length),
                                         keys.value_or(length)})))
        total += time;
    times.push_back(std::move(sum));
  }
  auto isGood = [&](unsigned candidate, size_t at) {
    return times[at][candidate] <= kAsGood * *llvm::min_element(times[at]);
  };
  auto findGood = [&](size_t at) {
    unsigned candidate = 0;
    while (!isGood(candidate, at))
      ++candidate;
    return candidate;
  };
  // From the longest lengths down: each candidate as far as it is good.
  std::vector<LengthClass> classes;
  std::optional<int64_t> below;
  for (size_t end = lengths.size(); end > 0;) {
    unsigned candidate = findGood(end - 1);
    size_t begin = end - 1;
    bool isLast = classes.size() + 1 == maxClasses;
    while (begin > 0 && (isLast || isGood(candidate, begin - 1)))
      --begin;
    int64_t from = begin == 0 ? 0 : lengths[begin];
    classes.push_back({from, below, comparison[candidate]});
    below = from;
    end = begin;
  }
  std::reverse(classes.begin(), classes.end());
  return classes;
}
