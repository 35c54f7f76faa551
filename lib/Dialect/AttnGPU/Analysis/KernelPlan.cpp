//===- KernelPlan.cpp - What a kernel needs of a thread block -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives tiles, rings and points their memory, and shares barriers among reads
// that follow each other.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

int64_t TileMapPlan::getBoxRows(int64_t rows) {
  constexpr int64_t kSwizzleRows = TileLayout::kSwizzleRows;
  int64_t parts = llvm::divideCeil(rows, kMaxRows);
  while (rows % (parts * kSwizzleRows) != 0)
    ++parts;
  return rows / parts;
}

int64_t KernelPlan::getEmptyArrivals() const {
  constexpr int64_t kWarpThreads = 32;
  return consumers * AttnGPUDialect::kWarpgroupThreads / kWarpThreads;
}

int64_t KernelPlan::allocate(int64_t bytes, int64_t alignment) {
  int64_t offset = llvm::alignTo(sharedBytes, alignment);
  sharedBytes = offset + bytes;
  return offset;
}

void KernelPlan::planReads(KernelOp kernel) {
  kernel.walk([&](ReadOp op) {
    reads[op].offset =
        allocate(op.getTile().getType().getBytes(), kTileAlignment);
  });
  kernel.walk([&](Block *block) { planBarriers(*block); });
}

/// Whether threads load elements of `tile`, or of a part of it.
static bool isLoaded(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    auto part = dyn_cast<SubtileOp>(user);
    return isa<LoadFragmentOp>(user) || (part && isLoaded(part.getResult()));
  });
}

void KernelPlan::planRings(KernelOp kernel) {
  for (auto ring : kernel.getBody().getOps<RingCreateOp>()) {
    RingType type = ring.getRing().getType();
    RingPlan plan;
    plan.stages = type.getStages();
    plan.stageBytes = type.getTile().getBytes();
    plan.copiedBytes = type.getTile().getRows() *
                       type.getTile().getNumPanels() * TileType::kPanelRowBytes;
    plan.offset = allocate(plan.stages * plan.stageBytes, kTileAlignment);
    if (ring.getMulticast())
      plan.sharers = cluster;
    ringOf[ring] = rings.size();
    for (Operation *user : ring.getRing().getUsers()) {
      ringOf[user] = rings.size();
      if (auto wait = dyn_cast<RingWaitOp>(user))
        plan.hasThreadReaders |= isLoaded(wait.getTile());
    }
    rings.push_back(plan);
  }
  // Behind the tiles: no space is lost between these.
  for (RingPlan &ring : rings)
    ring.barriers = allocate(2 * ring.stages * RingPlan::kBarrierBytes,
                             RingPlan::kBarrierBytes);
}

void KernelPlan::planTiles(KernelOp kernel) {
  for (auto op : kernel.getBody().getOps<TileCreateOp>())
    tiles[op] = allocate(op.getTile().getType().getBytes(), kTileAlignment);
}

void KernelPlan::addTileMap(Operation *op, Value tensor, int64_t rowDim,
                            int64_t rows) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument)
    return; // Reported by checkKernel.
  TileMapPlan map = {argument.getArgNumber(), rowDim,
                     TileMapPlan::getBoxRows(rows)};
  auto *known = llvm::find(tileMaps, map);
  tileMapOf[op] = known - tileMaps.begin();
  if (known == tileMaps.end())
    tileMaps.push_back(map);
}

void KernelPlan::planTileMaps(KernelOp kernel) {
  kernel.walk([&](RingFillOp op) {
    addTileMap(op, op.getSource(), op.getRowDimension(),
               op.getRing().getType().getTile().getRows() /
                   getRing(op).sharers);
  });
  kernel.walk([&](CopyOutOp op) {
    addTileMap(op, op.getDestination(), op.getRowDimension(),
               op.getTile().getType().getRows());
  });
}

void KernelPlan::planWork(KernelOp kernel) {
  kernel.walk([&](WorkLoopOp op) {
    // In the order of the enumeration.
    schedule = std::max(schedule, op.getSchedule());
    roleOf[op] = WorkRole::All;
    points.dimensions =
        std::max<int64_t>(points.dimensions, op.getExtents().size());
    if (auto roles = dyn_cast<WarpSpecializeOp>(op->getParentOp()))
      roleOf[op] = op->getParentRegion() == &roles.getProducer()
                       ? WorkRole::Producer
                       : WorkRole::Consumer;
  });
  if (schedule == WorkSchedule::Once)
    return;
  points.hasBarriers = producer;
  if (producer)
    points.barriers = allocate(2 * PointPlan::kSlots * RingPlan::kBarrierBytes,
                               RingPlan::kBarrierBytes);
  points.slots = allocate(PointPlan::kSlots * points.getSlotBytes(),
                          PointPlan::kWordBytes);
}

template <typename... Ops>
static bool contains(KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<Ops...>(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

void KernelPlan::planProducts(KernelOp kernel) {
  kernel.walk([&](MmaOp op) {
    if (isa<TileType>(op.getA().getType()))
      return;
    // The outermost loop whose steps share A.
    LoopLikeOpInterface outermost;
    for (auto loop = op->getParentOfType<LoopLikeOpInterface>();
         loop && loop.isDefinedOutsideOfLoop(op.getA());
         loop = loop->getParentOfType<LoopLikeOpInterface>())
      outermost = loop;
    if (outermost &&
        outermost->walk([](scf::IfOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      usedAgain.insert(op);
  });
}

FailureOr<KernelPlan> KernelPlan::get(KernelOp kernel) {
  KernelPlan plan;
  plan.consumers = kernel.getWarpgroups();
  plan.cluster = kernel.getCluster();
  plan.producer = !kernel.getBody().getOps<WarpSpecializeOp>().empty();
  plan.threads = (plan.consumers + (plan.producer ? 1 : 0)) *
                 AttnGPUDialect::kWarpgroupThreads;
  plan.turns = plan.consumers > 1 && contains<TurnWaitOp>(kernel);
  plan.stagedWrites = contains<CopyOutOp, CopyWaitOp>(kernel);
  plan.planReads(kernel);
  plan.planTiles(kernel);
  plan.planRings(kernel);
  plan.planTileMaps(kernel);
  plan.planWork(kernel);
  plan.planProducts(kernel);
  if (contains<MakeNowOp>(kernel))
    plan.scratch = plan.allocate(sizeof(int32_t), sizeof(int32_t));
  int64_t barriers = plan.getFirstWarpgroupBarrier() + plan.consumers;
  if (plan.stagedWrites && barriers > kNamedBarriers)
    return kernel.emitOpError("expected at most ")
           << kNamedBarriers << " named barriers for turns and staged writes, "
           << "got " << barriers;
  if (plan.sharedBytes <= kMaxSharedBytes)
    return plan;

  InFlightDiagnostic error = kernel.emitOpError("expected tiles of at most ")
                             << kMaxSharedBytes << " bytes in all, got "
                             << plan.sharedBytes;
  kernel.walk([&](ReadOp op) {
    error.attachNote(op.getLoc()) << op.getTile().getType() << " has "
                                  << op.getTile().getType().getBytes();
  });
  for (auto tile : kernel.getBody().getOps<TileCreateOp>())
    error.attachNote(tile.getLoc()) << tile.getTile().getType() << " has "
                                    << tile.getTile().getType().getBytes();
  for (auto ring : kernel.getBody().getOps<RingCreateOp>())
    error.attachNote(ring.getLoc())
        << ring.getRing().getType() << " has "
        << plan.getRing(ring).stages * plan.getRing(ring).stageBytes;
  return failure();
}

void KernelPlan::planBarriers(Block &block) {
  ReadOp last;
  for (Operation &op : block) {
    auto read = dyn_cast<ReadOp>(op);
    if (read && last) {
      reads[last].barrierAfter = false;
      reads[read].barrierBefore = false;
    }
    // What has no effects uses no tile.
    if (read || !isMemoryEffectFree(&op))
      last = read;
  }
}
