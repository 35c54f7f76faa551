//===- StagedWritesToNVVM.cpp - Writes through shared memory to NVVM ------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores into tiles by all threads of a warpgroup, copies out of them by the
// copy engine, which its first thread starts and waits for. No branch depends
// on the thread: that thread's instructions are predicated.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {
struct TileCreateLowering : OpConversionPattern<TileCreateOp> {
  TileCreateLowering(const TypeConverter &converter, MLIRContext *context,
                     const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(TileCreateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, b.sharedMemory(plan.getTile(op)));
    return success();
  }

  const KernelPlan &plan;
};

struct StoreFragmentLowering : OpConversionPattern<StoreFragmentOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreFragmentOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    TileLayout tile(op.getTile().getType());
    SmallVector<Value> pairs = b.unpackPairs(adaptor.getFragment());
    // Registers of a lane in a step, and the columns of a step.
    constexpr int64_t kPairs = 4, kStep = MatrixOperand::kStep;
    MatrixAddress address(b, adaptor.getTile(), tile);
    int64_t first = op.getColumn() / kStep;
    for (int64_t step = 0; step < tile.getColumns() / kStep; ++step)
      NVVM::StMatrixOp::create(
          b, address.get(step),
          ArrayRef(pairs).slice((first + step) * kPairs, kPairs),
          NVVM::MMALayout::row,
          NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
          NVVM::LdStMatrixEltType::B16);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Lets the threads of the running warpgroup meet.
void emitWarpgroupBarrier(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                          const KernelPlan &plan) {
  Value consumer = b.toI32(rewriter.getRemappedValue(plan.getWarpgroup()));
  InlinePTX code;
  code.inputs = {b.add(consumer, plan.getFirstWarpgroupBarrier())};
  code.text = llvm::formatv("bar.sync {0}, {1};", code.input(0),
                            AttnGPUDialect::kWarpgroupThreads);
  b.ptx(code);
}

/// Whether the running thread is the one that deals with the copy engine.
Value isFirstOfWarpgroup(NVVMBuilder &b) {
  return b.cmp(arith::CmpIPredicate::eq, b.getWarpgroupThread(), 0);
}

struct CopyOutLowering : OpConversionPattern<CopyOutOp> {
  CopyOutLowering(const TypeConverter &converter, MLIRContext *context,
                  const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(CopyOutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value map = getTileMapArgument(op, plan);
    if (!map)
      return failure();
    NVVMBuilder b(op.getLoc(), rewriter);
    // What threads have stored is for the copy engine to see (PTX ISA, async
    // proxy); then all of them have.
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(getContext(),
                                   NVVM::SharedSpace::shared_cta));
    emitWarpgroupBarrier(b, rewriter, plan);
    Value elected = isFirstOfWarpgroup(b);
    SmallVector<Value> offsets =
        llvm::map_to_vector(adaptor.getOffsets(), [&](ValueRange values) {
          return b.toI32(values.front());
        });
    Value tile = adaptor.getTile().front();
    TileLayout layout(op.getTile().getType());
    forEachBox(b, plan.getTileMaps()[plan.getTileMap(op)], layout,
               layout.getRows(), offsets,
               [&](int64_t bytes, ArrayRef<Value> coordinates) {
                 InlinePTX code;
                 code.inputs = {elected, map, b.offset(tile, b.i32(bytes))};
                 llvm::append_range(code.inputs, coordinates);
                 SmallVector<std::string> names;
                 for (size_t n = 0; n < coordinates.size(); ++n)
                   names.push_back(code.input(3 + n));
                 code.text = llvm::formatv(
                     "@{0} cp.async.bulk.tensor.{1}d.global.shared::cta.tile."
                     "bulk_group [{2}, {{{3}}], [{4}];",
                     code.input(0), coordinates.size(), code.input(1),
                     llvm::join(names, ", "), code.input(2));
                 b.ptx(code);
               });
    InlinePTX commit;
    commit.inputs = {elected};
    commit.text =
        llvm::formatv("@{0} cp.async.bulk.commit_group;", commit.input(0));
    b.ptx(commit);
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
};

struct CopyWaitLowering : OpConversionPattern<CopyWaitOp> {
  CopyWaitLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(CopyWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    InlinePTX code;
    code.inputs = {isFirstOfWarpgroup(b)};
    code.text = llvm::formatv("@{0} cp.async.bulk.wait_group{1} 0;",
                              code.input(0), op.getRead() ? ".read" : "");
    b.ptx(code);
    emitWarpgroupBarrier(b, rewriter, plan);
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
};
} // namespace

void attn::populateStagedWritePatterns(const TypeConverter &converter,
                                       const KernelPlan &plan,
                                       RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<TileCreateLowering, CopyOutLowering, CopyWaitLowering>(
      converter, context, plan);
  patterns.add<StoreFragmentLowering>(converter, context);
}
