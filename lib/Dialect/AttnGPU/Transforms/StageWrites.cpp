//===- StageWrites.cpp - Writes through shared memory ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces writes of fragments by stores into a tile and copies of it.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSTAGEWRITESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// Whether the copy engine can do what `write` does.
static bool isCopied(WriteOp write) {
  auto type = cast<VectorType>(write.getValue().getType());
  MemRefType destination = write.getDestination().getType();
  constexpr int64_t kMaxRank = 5; // PTX ISA, tensors
  int64_t bits = type.getElementTypeBitWidth();
  // It writes whole units of 16 bytes, beyond the end of a row that is none.
  int64_t row = destination.getShape().back();
  if (ShapedType::isDynamic(row) ||
      row * bits / 8 % AttnGPUDialect::kCopiedBytes != 0)
    return false;
  if (!isFragment(type) || bits != 16 ||
      type.getDimSize(1) % TileType::kPanelColumns != 0 ||
      destination.getRank() > kMaxRank ||
      !isCopiedColumn(write.getOffsets().back(), bits))
    return false;
  auto [strides, offset] = destination.getStridesAndOffset();
  return llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
    return ShapedType::isDynamic(stride) ||
           stride * bits / 8 % AttnGPUDialect::kCopiedBytes == 0;
  });
}

namespace {

class WriteStager {
public:
  WriteStager(RewriterBase &b, KernelOp kernel, int64_t sharedBytes)
      : b(b), kernel(kernel), left(sharedBytes) {
    // Tiles begin at multiples of 1024 bytes; barriers need less.
    left -= kAlignment;
    kernel.walk([&](Operation *op) {
      if (auto ring = dyn_cast<RingCreateOp>(op)) {
        RingType type = ring.getRing().getType();
        left -= type.getStages() * type.getTile().getBytes();
      } else if (isa<ReadOp, TileCreateOp>(op)) {
        left -= cast<TileType>(op->getResult(0).getType()).getBytes();
      }
    });
  }

  void run() {
    SmallVector<WriteOp> writes;
    kernel.walk([&](WriteOp write) {
      if (isCopied(write))
        writes.push_back(write);
    });
    llvm::SetVector<Operation *> ends;
    for (WriteOp write : writes)
      if (Operation *end = getEnd(write); stage(write))
        ends.insert(end);
    for (Operation *end : ends) {
      b.setInsertionPoint(end);
      CopyWaitOp::create(b, kernel.getLoc(), /*read=*/false);
    }
  }

private:
  static constexpr int64_t kAlignment = 1024;

  /// Where the program of a warpgroup ends.
  Operation *getEnd(WriteOp write) {
    if (auto roles = write->getParentOfType<WarpSpecializeOp>())
      return roles.getConsumer().front().getTerminator();
    return kernel.getBody().front().getTerminator();
  }

  /// Whether there is memory for it; if not, nothing changes.
  bool stage(WriteOp write) {
    auto fragment = cast<VectorType>(write.getValue().getType());
    int64_t rows = kernel.getWarpgroups() * AttnGPUDialect::kFragmentRows;
    auto type =
        TileType::get(rows, fragment.getDimSize(1), fragment.getElementType());
    Location loc = write.getLoc();
    Value mine;
    RingReleaseOp release;
    Value &tile = tiles[type];
    if (Value made = createTile(loc, type))
      tile = made;
    if (!tile)
      tile = createPartTile(loc, type);
    if (tile) {
      b.setInsertionPoint(write);
      mine = getOwnRows(tile);
    } else {
      std::tie(mine, release) = findReleased(write, type);
      if (!mine)
        return false;
    }
    b.setInsertionPoint(write);
    int64_t columns = cast<TileType>(mine.getType()).getColumns();
    for (int64_t column = 0; column < type.getColumns(); column += columns) {
      SmallVector<Value> offsets(write.getOffsets());
      if (column != 0)
        offsets.back() = arith::AddIOp::create(
            b, loc, offsets.back(),
            arith::ConstantIndexOp::create(b, loc, column));
      CopyWaitOp::create(b, loc, /*read=*/true);
      StoreFragmentOp::create(b, loc, write.getValue(), mine, column);
      CopyOutOp::create(b, loc, mine, write.getDestination(), offsets,
                        write.getRowDimAttr());
    }
    if (release) {
      CopyWaitOp::create(b, loc, /*read=*/true);
      b.moveOpBefore(release, write);
    }
    b.eraseOp(write);
    return true;
  }

  /// A tile of `type`, if there is memory for it.
  Value createTile(Location loc, TileType type) {
    if (type.getBytes() > left)
      return {};
    left -= type.getBytes();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.getBody().front());
    return TileCreateOp::create(b, loc, type);
  }

  /// A tile for the largest part of the columns of `type` that there is memory
  /// for: half of them, a quarter, ...
  Value createPartTile(Location loc, TileType type) {
    for (int64_t parts = 2;
         type.getColumns() % (parts * TileType::kPanelColumns) == 0; parts *= 2)
      if (Value tile = createTile(loc, TileType::get(type.getRows(),
                                                     type.getColumns() / parts,
                                                     type.getElementType())))
        return tile;
    return {};
  }

  /// The rows of `tile` that are the running warpgroup's.
  Value getOwnRows(Value tile) {
    auto type = cast<TileType>(tile.getType());
    constexpr int64_t kRows = AttnGPUDialect::kFragmentRows;
    if (type.getRows() == kRows)
      return tile;
    Location loc = tile.getLoc();
    Value warpgroup = WarpgroupIndexOp::create(b, loc);
    Value rows = arith::ConstantIndexOp::create(b, loc, kRows);
    Value row = arith::MulIOp::create(b, loc, warpgroup, rows);
    auto part = TileType::get(b.getContext(), kRows, type.getColumns(),
                              type.getElementType(), type.getPanelRows());
    return SubtileOp::create(b, loc, part, tile, row);
  }

  /// Whether `part` is the running warpgroup's rows.
  static bool isOwnRows(SubtileOp part) {
    auto product = part.getRow().getDefiningOp<arith::MulIOp>();
    if (!product || part.getType().getRows() != AttnGPUDialect::kFragmentRows)
      return false;
    Value a = product.getLhs(), b = product.getRhs();
    if (!a.getDefiningOp<WarpgroupIndexOp>())
      std::swap(a, b);
    APInt rows;
    return a.getDefiningOp<WarpgroupIndexOp>() &&
           matchPattern(b, m_ConstantInt(&rows)) &&
           rows == AttnGPUDialect::kFragmentRows;
  }

  /// Whether anything works on the ring of `release` between it and `write`:
  /// what comes behind it there would wait for it, and it for the write.
  static bool isUsedBetween(RingReleaseOp release, WriteOp write) {
    for (Operation *op = release->getNextNode(); op != write;
         op = op->getNextNode())
      if (op->walk([&](Operation *inner) {
              return llvm::is_contained(inner->getOperands(), release.getRing())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted())
        return true;
    return false;
  }

  /// The running warpgroup's rows of a tile of `type` that the block of the
  /// write has released, and where.
  std::pair<Value, RingReleaseOp> findReleased(WriteOp write, TileType type) {
    for (auto release : write->getBlock()->getOps<RingReleaseOp>()) {
      if (!release->isBeforeInBlock(write))
        break;
      for (auto wait : write->getBlock()->getOps<RingWaitOp>()) {
        if (wait.getRing() != release.getRing() ||
            wait.getCount() != release.getCount() ||
            wait.getTile().getType() != type || isUsedBetween(release, write))
          continue;
        if (type.getRows() == AttnGPUDialect::kFragmentRows)
          return {wait.getTile(), release};
        SmallVector<Operation *> users(wait->getUsers());
        if (!users.empty() && llvm::all_of(users, [](Operation *user) {
              auto part = dyn_cast<SubtileOp>(user);
              return part && isOwnRows(part);
            }))
          return {users.back()->getResult(0), release};
      }
    }
    return {};
  }

  RewriterBase &b;
  KernelOp kernel;
  int64_t left;
  /// The last one for writes of each type: those without memory of their own
  /// share it, each waits until the one before has been read.
  DenseMap<Type, Value> tiles;
};

} // namespace

void attn_gpu::stageWrites(RewriterBase &rewriter, KernelOp kernel,
                           int64_t sharedBytes) {
  WriteStager(rewriter, kernel, sharedBytes).run();
}

namespace {
struct StageWritesPass
    : attn_gpu::impl::AttnGPUStageWritesPassBase<StageWritesPass> {
  using AttnGPUStageWritesPassBase::AttnGPUStageWritesPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    stageWrites(rewriter, getOperation(), sharedBytes);
  }
};
} // namespace
