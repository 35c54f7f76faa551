//===- RingsToNVVM.cpp - Rings of staged copies to NVVM -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage's two barriers are `mbarrier` objects: a fill waits for the one and
// hands the other to the copy engine, a wait waits for that, a release arrives
// at the first. Fill n completes phase n / stages of its full barrier, its
// releases the same phase of the empty one.
//
// Of a multicast ring each block of the cluster announces the whole tile at its
// own full barrier, and copies its share to the same place of all blocks, at
// whose full barriers it counts. A share may land before its receiver has
// announced it: the phase stays open until then. Releases arrive at the empty
// barriers of all blocks, so that none writes what another still reads.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using Predicate = arith::CmpIPredicate;

namespace {
/// The stage that a count uses, and the phase of its barriers.
class Stage {
public:
  Stage(NVVMBuilder &b, const RingPlan &ring, Value count) : b(b), ring(ring) {
    // Fewer than 2^32 fills, or a wrap that does no harm.
    Value n = b.toI32(count);
    index = b.remU(n, ring.stages);
    parity = b.bitAnd(b.divU(n, ring.stages), 1);
  }

  /// Of the phase that the fill completes, i32.
  Value getParity() { return parity; }
  /// Of the phase before.
  Value getParityBefore() { return b.bitXor(parity, b.i32(1)); }
  Value getTile() { return at(ring.offset, ring.stageBytes); }
  Value getFullBarrier() {
    return at(ring.getFullBarrier(0), RingPlan::kBarrierBytes);
  }
  Value getEmptyBarrier() {
    return at(ring.getEmptyBarrier(0), RingPlan::kBarrierBytes);
  }

private:
  Value at(int64_t first, int64_t bytes) {
    Value start = b.sharedMemory(first);
    return b.offset(start, b.mul(index, bytes));
  }

  NVVMBuilder &b;
  const RingPlan &ring;
  Value index, parity; // i32
};

/// Arrives at the barrier in this place of each block of the cluster: lane n of
/// the warp at that of block n (PTX ISA, mapa). Products have read a tile when
/// they have been waited for, so nothing is left to be ordered for the other
/// blocks: `release.cluster` would wait for all of a thread's memory accesses,
/// 30 % of a kernel's time. What threads load needs it: the release of the
/// block alone, which is the default, orders nothing for the others.
void emitClusterArrive(NVVMBuilder &b, Value barrier, const RingPlan &ring) {
  InlinePTX code;
  Value lane = b.getLane();
  code.inputs = {barrier, lane, b.cmp(Predicate::ult, lane, ring.sharers)};
  code.text = llvm::formatv(
      "{{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, {0}, {1};\n"
      "@{2} mbarrier.arrive{3}.shared::cluster.b64 _, [remote];\n"
      "}",
      code.input(0), code.input(1), code.input(2),
      ring.hasThreadReaders ? ".release.cluster" : "");
  b.ptx(code);
}

struct RingCreateLowering : OpConversionPattern<RingCreateOp> {
  RingCreateLowering(const TypeConverter &converter, MLIRContext *context,
                     const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(RingCreateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, b.sharedMemory(plan.getRing(op).offset));
    return success();
  }

  const KernelPlan &plan;
};

struct RingFillLowering : OpConversionPattern<RingFillOp> {
  RingFillLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(RingFillOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value map = getTileMapArgument(op, plan);
    if (!map)
      return failure();
    Value count = adaptor.getCount().front();
    NVVMBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> offsets =
        llvm::map_to_vector(adaptor.getOffsets(), [&](ValueRange values) {
          return b.toI32(values.front());
        });
    if (plan.hasProducer()) {
      emitFill(b, op, map, count, offsets);
    } else {
      // One thread of the block; its warp goes on together.
      Value elected = b.cmp(Predicate::eq, b.getThread(), 0);
      auto branch = scf::IfOp::create(b, elected, /*withElseRegion=*/false);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(branch.thenBlock());
        emitFill(b, op, map, count, offsets);
      }
      NVVM::SyncWarpOp::create(b, b.i32(-1));
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  void emitFill(NVVMBuilder &b, RingFillOp op, Value map, Value count,
                ArrayRef<Value> offsets) const {
    const RingPlan &ring = plan.getRing(op);
    Stage stage(b, ring, count);
    Value empty = stage.getEmptyBarrier();
    emitBarrierWait(b, empty, stage.getParityBefore());
    Value full = stage.getFullBarrier();
    NVVM::MBarrierArriveExpectTxOp::create(
        b, /*res=*/Type(), full, b.i32(ring.copiedBytes),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());

    Value place = stage.getTile();
    SmallVector<Value> at = llvm::map_to_vector(
        offsets, [&](Value offset) { return b.toI32(offset); });
    TileLayout tile(op.getRing().getType().getTile());
    const TileMapPlan &boxes = plan.getTileMaps()[plan.getTileMap(op)];
    bool isShared = ring.sharers > 1;
    Value mask;
    int64_t rows = tile.getRows() / ring.sharers;
    if (isShared) {
      // The rows of this block's share; the others' place is the same as here.
      Value rank = b.getClusterRank();
      place = b.offset(place, b.mul(rank, tile.getElementOffset(rows, 0)));
      at[boxes.rowDimension] = b.add(at[boxes.rowDimension], b.mul(rank, rows));
      place = LLVM::AddrSpaceCastOp::create(
          b, LLVM::LLVMPointerType::get(b.getContext(), kClusterSpace), place);
      mask = b.constant(b.getI16Type(), (1 << ring.sharers) - 1);
    }
    forEachBox(b, boxes, tile, rows, at,
               [&](int64_t bytes, ArrayRef<Value> coordinates) {
                 NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
                     b, b.offset(place, b.i32(bytes)), map, coordinates, full,
                     /*im2colOffsets=*/ValueRange(), mask,
                     /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
                     /*isCTAOnly=*/!isShared,
                     /*group=*/NVVM::CTAGroupKindAttr(),
                     /*predicate=*/Value());
               });
  }

  const KernelPlan &plan;
};

struct RingWaitLowering : OpConversionPattern<RingWaitOp> {
  RingWaitLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(RingWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Stage stage(b, plan.getRing(op), adaptor.getCount());
    emitBarrierWait(b, stage.getFullBarrier(), stage.getParity());
    rewriter.replaceOp(op, stage.getTile());
    return success();
  }

  const KernelPlan &plan;
};

struct RingReleaseLowering : OpConversionPattern<RingReleaseOp> {
  RingReleaseLowering(const TypeConverter &converter, MLIRContext *context,
                      const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(RingReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    const RingPlan &ring = plan.getRing(op);
    // What threads have loaded, the copy engine must not overwrite before: the
    // arrival alone does not order loads with the other proxy (PTX ISA, async
    // proxy). One lane speaks for what all lanes have loaded.
    if (ring.hasThreadReaders) {
      NVVM::FenceProxyOp::create(
          b, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(b.getContext(),
                                     NVVM::SharedSpace::shared_cta));
      NVVM::SyncWarpOp::create(b, b.i32(-1));
    }
    Stage stage(b, ring, adaptor.getCount());
    Value empty = stage.getEmptyBarrier();
    if (ring.sharers == 1)
      emitBarrierArrive(b, empty, b.cmp(Predicate::eq, b.getLane(), 0));
    else
      emitClusterArrive(b, empty, ring);
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
};
} // namespace

Value attn::getTileMapArgument(Operation *op, const KernelPlan &plan) {
  auto func = op->getParentOfType<LLVM::LLVMFuncOp>();
  // Maps are the last parameters.
  return func
             ? func.getArgument(func.getNumArguments() -
                                plan.getTileMaps().size() + plan.getTileMap(op))
             : Value();
}

void attn::forEachBox(NVVMBuilder &b, const TileMapPlan &map, TileLayout tile,
                      int64_t rows, ArrayRef<Value> offsets,
                      llvm::function_ref<void(int64_t, ArrayRef<Value>)> emit) {
  int64_t lastDim = offsets.size() - 1;
  for (int64_t column = 0; column < tile.getColumns();
       column += TileType::kPanelColumns)
    for (int64_t row = 0; row < rows; row += map.rows) {
      SmallVector<Value> coordinates(offsets);
      coordinates[map.rowDimension] = b.add(coordinates[map.rowDimension], row);
      coordinates[lastDim] = b.add(coordinates[lastDim], column);
      std::reverse(coordinates.begin(), coordinates.end());
      emit(tile.getElementOffset(row, column), coordinates);
    }
}

void attn::emitBarrierWait(NVVMBuilder &b, Value barrier, Value parity) {
  InlinePTX code;
  code.inputs = {barrier, parity};
  code.text =
      llvm::formatv("{{\n.reg .pred p;\nWAIT:\n"
                    "mbarrier.try_wait.parity.shared::cta.b64 p, [{0}], {1};\n"
                    "@!p bra WAIT;\n}",
                    code.input(0), code.input(1));
  b.ptx(code);
}

void attn::emitBarrierArrive(NVVMBuilder &b, Value barrier, Value predicate) {
  InlinePTX code;
  code.inputs = {barrier, predicate};
  code.text = llvm::formatv("@{1} mbarrier.arrive.shared::cta.b64 _, [{0}];",
                            code.input(0), code.input(1));
  b.ptx(code);
}

void attn::emitBarrierSetup(NVVMBuilder &b, const KernelPlan &plan,
                            ValueRange tileMaps) {
  const PointPlan &points = plan.getPoints();
  if (plan.getRings().empty() && tileMaps.empty() && !points.hasBarriers)
    return;
  Value first = b.cmp(Predicate::eq, b.getThread(), 0);
  auto branch = scf::IfOp::create(b, first, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    for (Value map : tileMaps) {
      InlinePTX code;
      code.inputs = {map};
      code.text =
          llvm::formatv("prefetch.tensormap [{0}];", code.input(0)).str();
      b.ptx(code);
    }
    auto init = [&](int64_t barrier, int64_t arrivals) {
      Value place = b.sharedMemory(barrier);
      NVVM::MBarrierInitOp::create(b, place, b.i32(arrivals),
                                   /*predicate=*/Value());
    };
    for (const RingPlan &ring : plan.getRings())
      for (int64_t stage = 0; stage < ring.stages; ++stage) {
        init(ring.getFullBarrier(stage), 1);
        init(ring.getEmptyBarrier(stage),
             plan.getEmptyArrivals() * ring.sharers);
      }
    if (points.hasBarriers)
      for (int64_t slot = 0; slot < PointPlan::kSlots; ++slot) {
        init(points.getFullBarrier(slot), 1);
        init(points.getEmptyBarrier(slot), plan.getEmptyArrivals());
      }
    // The copy engine sees them (PTX ISA, fence.mbarrier_init, async proxy).
    NVVM::FenceMbarrierInitOp::create(b);
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  }
  if (plan.getCluster() == 1)
    NVVM::Barrier0Op::create(b);
  else
    emitClusterBarrier(b);
}

void attn::emitClusterBarrier(NVVMBuilder &b) {
  NVVM::ClusterArriveOp::create(b, /*aligned=*/UnitAttr());
  NVVM::ClusterWaitOp::create(b, /*aligned=*/UnitAttr());
}

void attn::populateRingPatterns(const TypeConverter &converter,
                                const KernelPlan &plan,
                                RewritePatternSet &patterns) {
  patterns.add<RingCreateLowering, RingFillLowering, RingWaitLowering,
               RingReleaseLowering>(converter, patterns.getContext(), plan);
}
