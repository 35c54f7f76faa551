//===- KernelPlan.h - What a kernel needs of a thread block -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides where a kernel's tiles stand in shared memory, which barriers guard
// them, through which maps they are copied, which threads do it and how these
// learn of their work, before any of it is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELPLAN_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELPLAN_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/SM90.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::attn_gpu {

/// What a synchronous read needs.
struct ReadPlan {
  /// Bytes from the start of dynamic shared memory, a multiple of 1024.
  int64_t offset = 0;
  /// Whether a barrier before it waits for the readers of its buffer, and of
  /// those of the reads that follow.
  bool barrierBefore = true;
  /// Whether a barrier after it makes its tile, and those of the reads before
  /// it, ready.
  bool barrierAfter = true;
};

/// Where a ring stands in shared memory: its stages, one after the other, and
/// for each of them the barriers that say whether it is full and empty.
struct RingPlan {
  static constexpr int64_t kBarrierBytes = 8; // PTX ISA, mbarrier object

  int64_t stages = 0, stageBytes = 0;
  /// Bytes that a fill copies: those of a stage but for gaps between panels.
  int64_t copiedBytes = 0;
  /// Bytes from the start of dynamic shared memory: of the first stage, a
  /// multiple of 1024, and of its full barrier.
  int64_t offset = 0, barriers = 0;
  /// Whether threads read its tiles, not only products.
  bool hasThreadReaders = false;
  /// Thread blocks that fill it together, and wait for each other's releases: 1
  /// or the kernel's cluster.
  int64_t sharers = 1;

  int64_t getFullBarrier(int64_t stage) const {
    return barriers + stage * kBarrierBytes;
  }
  int64_t getEmptyBarrier(int64_t stage) const {
    return getFullBarrier(stages + stage);
  }
};

/// A map through which the copy engine reads or writes boxes of a tensor: 64
/// columns of `rows` rows. Its dimensions are those of the tensor, the last one
/// first.
struct TileMapPlan {
  /// Extents of a box are at most this (PTX ISA, tensors).
  static constexpr int64_t kMaxRows = 256;
  static constexpr int64_t kMaxRank = 5;

  int64_t argument, rowDimension, rows;

  bool operator==(const TileMapPlan &other) const {
    return argument == other.argument && rowDimension == other.rowDimension &&
           rows == other.rows;
  }

  /// Rows of the boxes that a tile of `rows` rows is copied in: all of them, or
  /// the greatest part in which the swizzle starts anew.
  static int64_t getBoxRows(int64_t rows);
};

/// Who runs a work loop.
enum class WorkRole { All, Producer, Consumer };

/// Where the points stand that a thread block learns of: slots that are used in
/// turn, whether there is a point and its indices, a word each; in a kernel
/// with roles, their barriers as in a ring.
struct PointPlan {
  static constexpr int64_t kSlots = 2, kWordBytes = 4;

  bool hasBarriers = false;
  int64_t dimensions = 0, slots = 0, barriers = 0;

  int64_t getSlotBytes() const { return (1 + dimensions) * kWordBytes; }
  int64_t getFullBarrier(int64_t slot) const {
    return barriers + slot * RingPlan::kBarrierBytes;
  }
  int64_t getEmptyBarrier(int64_t slot) const {
    return getFullBarrier(kSlots + slot);
  }
};

class KernelPlan {
public:
  static constexpr int64_t kMaxSharedBytes = attn::sm90::kMaxSharedBytes;
  /// Tiles start at multiples of this, so that the swizzle does.
  static constexpr int64_t kTileAlignment = 1024;
  /// Named barriers of a block; 0 is that of all its threads.
  static constexpr int64_t kNamedBarriers = 16;
  /// Threads and registers that a block may have.
  static constexpr int64_t kMaxThreads = 1024, kMaxRegisters = 65536;

  /// Fails with an error at `kernel`, and notes at its tiles, if these do not
  /// fit.
  static FailureOr<KernelPlan> get(KernelOp kernel);

  int64_t getThreads() const { return threads; }
  /// Thread blocks of a cluster.
  int64_t getCluster() const { return cluster; }
  int64_t getSharedBytes() const { return sharedBytes; }
  const ReadPlan &getRead(ReadOp op) const { return reads.find(op)->second; }

  /// The kernel's only `attn_gpu.warpgroup_index`, which counts consumers: -1
  /// in the producer. Set when the lowering begins.
  Value getWarpgroup() const { return warpgroup; }
  void setWarpgroup(Value value) { warpgroup = value; }

  /// In the order of the kernel's `attn_gpu.ring_create`.
  ArrayRef<RingPlan> getRings() const { return rings; }
  /// That of an operation on a ring.
  const RingPlan &getRing(Operation *op) const {
    return rings[ringOf.find(op)->second];
  }
  ArrayRef<TileMapPlan> getTileMaps() const { return tileMaps; }
  /// Index of the map that `op`, an attn_gpu.ring_fill or copy_out, copies
  /// through.
  int64_t getTileMap(Operation *op) const { return tileMapOf.find(op)->second; }
  /// Where the word stands that `attn_gpu.make_now` may write: bytes from the
  /// start of dynamic shared memory.
  int64_t getScratch() const { return scratch; }
  /// Bytes from the start of dynamic shared memory.
  int64_t getTile(TileCreateOp op) const { return tiles.find(op)->second; }

  /// Whether A of `op` is in registers that the steps of a loop share, and
  /// the loop has a branch: what ptxas must be told of.
  bool usesAgainAcrossBranch(MmaOp op) const { return usedAgain.contains(op); }

  /// How the kernel's thread blocks get their points: dynamic if one of its
  /// work loops is, or else strided if one is.
  WorkSchedule getSchedule() const { return schedule; }
  WorkRole getRole(WorkLoopOp op) const { return roleOf.find(op)->second; }
  const PointPlan &getPoints() const { return points; }

  /// The warpgroups that run the kernel's program on tiles.
  int64_t getConsumers() const { return consumers; }
  /// Whether warpgroup 0 of the block is the producer; the consumers follow.
  bool hasProducer() const { return producer; }
  /// Arrivals that make a stage empty: one for each warp of the consumers, of
  /// each of the ring's sharers.
  int64_t getEmptyArrivals() const;
  /// Whether consumers take turns, which needs more than one.
  bool hasTurns() const { return turns; }
  /// The named barrier at which consumer 0 waits for its turn; those of the
  /// others follow.
  int64_t getFirstTurnBarrier() const { return 1; }
  /// Whether warpgroups write through shared memory.
  bool hasStagedWrites() const { return stagedWrites; }
  /// The named barrier of the threads of consumer 0; those of the others
  /// follow.
  int64_t getFirstWarpgroupBarrier() const {
    return getFirstTurnBarrier() + (turns ? consumers : 0);
  }

  /// Registers that each thread of a block of `threads` threads has when it
  /// starts: what `setmaxnreg` then divides.
  static int64_t getRegistersAtStart(int64_t threads) {
    return kMaxRegisters / threads / 8 * 8;
  }

private:
  void planReads(KernelOp kernel);
  void planTiles(KernelOp kernel);
  void planRings(KernelOp kernel);
  void planTileMaps(KernelOp kernel);
  void planWork(KernelOp kernel);
  void planProducts(KernelOp kernel);
  void addTileMap(Operation *op, Value tensor, int64_t rowDim, int64_t rows);
  void planBarriers(Block &block);
  int64_t allocate(int64_t bytes, int64_t alignment);

  int64_t threads = 0, sharedBytes = 0, consumers = 0, cluster = 1;
  int64_t scratch = -1;
  bool producer = false, turns = false, stagedWrites = false;
  WorkSchedule schedule = WorkSchedule::Once;
  PointPlan points;
  Value warpgroup;
  llvm::DenseMap<Operation *, ReadPlan> reads;
  llvm::DenseMap<Operation *, int64_t> tiles;
  llvm::DenseMap<Operation *, WorkRole> roleOf;
  SmallVector<RingPlan> rings;
  llvm::DenseMap<Operation *, size_t> ringOf;
  SmallVector<TileMapPlan> tileMaps;
  llvm::DenseMap<Operation *, int64_t> tileMapOf;
  llvm::DenseSet<Operation *> usedAgain;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELPLAN_H
