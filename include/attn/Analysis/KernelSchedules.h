//===- KernelSchedules.h - Schedules of kernels, and their cost -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which schedules a kernel of attention can have on a chip, what each costs,
// and from which length which one is best. Plain numbers: neither IR nor a GPU
// is needed. docs/Rationale/AttnGPU.md has the model and what it rests on.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_KERNELSCHEDULES_H
#define ATTN_ANALYSIS_KERNELSCHEDULES_H

#include "attn/Analysis/MaskExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

/// How a kernel is divided among thread blocks, warpgroups and time.
struct KernelSchedule {
  int64_t queryTile = 0; // rows; 64 for each consumer
  int64_t keyTile = 0;   // keys
  int64_t stages = 2;    // of the rings that keys and values come through
  /// How query tiles come to thread blocks: once, strided or dynamic.
  std::string work = "dynamic";
  /// Consumers take turns at the tensor cores.
  bool turns = true;
  /// The end of a query tile runs beside the beginning of the next.
  bool flatten = true;
  /// A row's reference stays behind its maximum, so that it is seldom rescaled.
  bool lazyRescale = false;
  /// Queries are kept in registers.
  bool queriesInRegisters = false;
  /// A key tile's weights are made before the product of the tile before is
  /// waited for.
  bool earlyWeights = false;
  /// Thread blocks that share what they copy; more than one need strided work.
  int64_t cluster = 1;

  int64_t getConsumers() const { return queryTile / 64; }
  /// `192x128`: what it is called in remarks, reports and manifests.
  std::string getName() const;
};

/// What one multiprocessor takes, in microseconds.
struct ScheduleCost {
  double keyTile = 0;    // a key tile whose mask is not evaluated
  double maskedTile = 0; // what a key tile costs more where it is
  double queryTile = 0;  // a query tile beside its key tiles: the first product
                         // and the last softmax alone, division, results
};

/// A schedule with what is known of it.
struct ScheduleCandidate {
  KernelSchedule schedule;
  /// Absent: never measured, so not compared with others.
  std::optional<ScheduleCost> cost;
  std::string reason; // why it is in its row
};

/// Which masks a row is for: none, or any.
enum class MaskKind { Full, Masked };

/// `full` or `masked`.
llvm::StringRef getMaskKindName(MaskKind kind);

/// A row of the table. Measured candidates are compared by cost; in what order
/// they stand decides where costs do not. When all of them have been taken
/// away, because an assembler's verdict on them was bad, the others follow in
/// order.
struct ScheduleRow {
  std::string chip;
  int64_t headDim = 0, valueDim = 0; // the greatest that it is for
  MaskKind mask = MaskKind::Full;
  int64_t multiprocessors = 0;
  std::vector<ScheduleCandidate> candidates;

  /// Takes the schedule called `name` away.
  void remove(llvm::StringRef name);
};

/// The table's row for attention of these head dimensions, without candidates
/// whose tiles do not fit the chip's shared memory. None where there is no such
/// row, or nothing in it fits.
std::optional<ScheduleRow> findScheduleRow(llvm::StringRef chip,
                                           int64_t headDim, int64_t valueDim,
                                           MaskKind mask);

/// Bytes of shared memory for query, key and value tiles, elements of 2 bytes.
int64_t getTileBytes(const KernelSchedule &schedule, int64_t headDim,
                     int64_t valueDim);

/// Registers that a consumer's thread holds while two products are in flight,
/// elements of 2 bytes.
struct ThreadRegisters {
  int64_t outputs = 0, scores = 0, weights = 0;
  int64_t queries = 0; // where the schedule keeps them
  /// Addresses, counts, a row's state, and what the assembler needs to let the
  /// products overlap: fitted to what ptxas 13.0 does, for which see the tests.
  int64_t others = 26;

  ThreadRegisters(const KernelSchedule &schedule, int64_t headDim,
                  int64_t valueDim);
  int64_t getSum() const {
    return outputs + scores + weights + queries + others;
  }
};

/// What keeps a thread block of sm_90 from having `schedule`, one reason each
/// with limit and what was got; the nearest schedule that one can have comes
/// last. Empty where nothing does.
std::vector<std::string> findScheduleFaults(const KernelSchedule &schedule,
                                            int64_t headDim, int64_t valueDim);

/// One call of attention.
struct AttentionExtents {
  /// Batches times query heads; absent: so many that all multiprocessors are
  /// busy to the end.
  std::optional<int64_t> heads;
  int64_t queries = 0, keys = 0;
};

/// A mask on positions, and where they begin.
struct AttentionMask {
  MaskExpr visible = MaskExpr::all();
  /// The last query sits at the last key; otherwise the first at the first.
  bool bottomRight = true;
};

/// Microseconds of a call or, without `heads`, those of one head on one
/// multiprocessor. Counts key tiles as attn-classify-blocks does.
double estimateTime(const KernelSchedule &schedule, const ScheduleCost &cost,
                    int64_t multiprocessors, const AttentionMask &mask,
                    const AttentionExtents &extents);

/// The measured candidate that takes the least time, the first one without any.
/// `row` must have a candidate.
const ScheduleCandidate &chooseSchedule(const ScheduleRow &row,
                                        const AttentionMask &mask,
                                        const AttentionExtents &extents);

/// Lengths for which one schedule is taken: [from, below).
struct LengthClass {
  int64_t from = 0;
  std::optional<int64_t> below;
  ScheduleCandidate candidate;
};

/// Kernels that are made for one attention.
inline constexpr unsigned kMaxLengthClasses = 3;

/// The extents that only a call knows have one length, the others are `queries`
/// and `keys`. Classes in order of length, the first from 0 and the last
/// without end, at most `maxClasses`; neighbours differ. All are for many
/// heads. `row` must have a candidate.
std::vector<LengthClass>
findLengthClasses(const ScheduleRow &row, const AttentionMask &mask,
                  std::optional<int64_t> queries, std::optional<int64_t> keys,
                  unsigned maxClasses = kMaxLengthClasses);

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_KERNELSCHEDULES_H
