//===- Transforms.h - Transformations of attention programs -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes are made of, for compilers that mix them with their own.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_TRANSFORMS_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_TRANSFORMS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/OptionRange.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn {

/// attn.attention into the operations of the monoid.
void populateDecomposeAttentionPatterns(RewritePatternSet &patterns);

/// What the passes' options may be. 0 leaves the choice to the cost model; a
/// tile's scores and operands take memory in proportion.
inline constexpr OptionRange kQueryTileRange = {0, 1024};
inline constexpr OptionRange kKeyTileRange = {0, 4096};
inline constexpr OptionRange kKeyPartsRange = {0, 4096};
inline constexpr OptionRange kThreadsRange = {0, 4096};
inline constexpr OptionRange kStagesRange = {0, 8};

/// Sizes of query and key tiles, in rows and keys.
struct TileSizes {
  int64_t query = 0;
  int64_t key = 0;
  /// Why these, for remarks and reports.
  std::string reason;
};

/// The cost model's tiles for `op` on a CPU: few rows where there are few
/// queries, else what keeps a tile's scores and operands in the caches.
TileSizes chooseTileSizes(PartialOp op);

/// The same for kernels on `chip`: those of the operation's `attn.schedule` or,
/// without one, of the first that the table has for many long sequences. An
/// error where there is none.
FailureOr<TileSizes> chooseKernelTileSizes(PartialOp op, StringRef chip);

/// What a user has chosen of a schedule; 0 and the empty string leave it to the
/// table.
struct ScheduleOverrides {
  int64_t queryTile = 0, keyTile = 0, stages = 0;
  std::string work;

  bool any() const { return queryTile || keyTile || stages || !work.empty(); }
};

/// What is wrong with `work` as the option `schedule`; empty if nothing is.
std::string checkWorkSchedule(StringRef work);

/// Gives `op` the schedules that the table and the cost model choose for
/// `chip`, as `attn.schedule`: one, or where extents are dynamic several, each
/// on a copy of `op` in a branch of an `scf.if` on its lengths. `number` is
/// that of `op` in the program, for reports. A schedule that `op` has already
/// stays. Fails with an error where there is none.
LogicalResult selectSchedule(RewriterBase &rewriter, AttentionOp op,
                             StringRef chip, const ScheduleOverrides &overrides,
                             int64_t number);

/// Tiles a whole attn.partial over batch, kv head, group and queries, and makes
/// the walk over its keys. Returns the loop over tiles.
FailureOr<scf::ForallOp> tilePartial(RewriterBase &rewriter, PartialOp op,
                                     const TileSizes &sizes);

/// Slices the keys of a whole attn.partial to the shortest run that holds every
/// key which some query may see: see the pass `attn-slice-keys`. Fails,
/// changing nothing, where all keys are in that run, where no query sees a key,
/// or where `op` is a tile. Says what it left out in a remark.
LogicalResult sliceKeys(RewriterBase &rewriter, PartialOp op);

/// Splits the keys of a whole attn.partial into `parts` parts whose states are
/// merged in order.
LogicalResult splitKeys(RewriterBase &rewriter, PartialOp op, int64_t parts);

/// Moves the neutral state and the finalization of `loop`, made by tilePartial,
/// into its tiles. Fails, changing nothing, where the loop's states come from
/// or go to something else.
LogicalResult fuseOnlineSoftmax(RewriterBase &rewriter, scf::ForallOp loop);

/// Replaces the one segment of `walk`, all tiles with nothing known of them, by
/// those that the mask of the body's attn.partial leaves: see
/// docs/Rationale/BlockClassification.md. Fails, leaving the segments, where
/// the walk is none that attn-tile makes. Says what it chose, and why not more,
/// in remarks of the category `attn-classify-blocks`.
LogicalResult classifyWalk(RewriterBase &rewriter, WalkOp walk);

/// Replaces `function`, whose walks are classified, by one of the same name and
/// arguments that computes nothing but how many key tiles it would visit: see
/// the pass `attn-count-tiles`. Fails with an error where bounds depend on what
/// a loop carries.
FailureOr<func::FuncOp> countTiles(RewriterBase &rewriter,
                                   func::FuncOp function);

/// attn.walk into loops, one per segment.
void populateLowerWalkPatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_TRANSFORMS_H
