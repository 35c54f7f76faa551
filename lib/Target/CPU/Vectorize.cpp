//===- Vectorize.cpp - drive register tiling ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies register tiling to every linalg operation on buffers.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/MicroKernel.h"
#include "attn/Target/CPU/Passes.h"
#include "attn/Target/CPU/RegisterTiling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CPUVECTORIZEPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Replaces `op` by one without loops of one iteration; null if it has none, or
/// computes with the index of one.
static linalg::GenericOp dropUnitDims(RewriterBase &rewriter,
                                      linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
      !llvm::is_contained(op.getStaticLoopRanges(), 1))
    return nullptr;
  linalg::ControlDropUnitDims control;
  control.rankReductionStrategy =
      linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
  FailureOr<linalg::DropUnitDimsResult> result =
      linalg::dropUnitDims(rewriter, op, control);
  if (failed(result) || result->resultOp.getOperation() == op)
    return nullptr;
  rewriter.eraseOp(op);
  return cast<linalg::GenericOp>(result->resultOp);
}

namespace {
struct TileLinalgToRegisters
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  TileLinalgToRegisters(MLIRContext *context, const VectorRegisters &registers)
      : OpInterfaceRewritePattern(context), registers(registers) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    // A tile of one query: without the unit dimension keys and queries are both
    // contiguous along the reduction.
    if (auto generic = dyn_cast<linalg::GenericOp>(*op))
      if (linalg::GenericOp dropped = dropUnitDims(rewriter, generic))
        op = cast<linalg::LinalgOp>(*dropped);

    std::string reason;
    FailureOr<RegisterTiling> tiling =
        RegisterTiling::plan(op, registers, &reason);
    if (succeeded(tiling)) {
      tiling->emit(rewriter, op);
      return success();
    }
    // A map with expressions or constants: scalar loops, as upstream makes
    // them.
    if (op.hasPureBufferSemantics() &&
        succeeded(linalg::linalgOpToLoops(rewriter, op))) {
      rewriter.eraseOp(op);
      return success();
    }
    return rewriter.notifyMatchFailure(op, reason);
  }

  VectorRegisters registers;
};

struct CopyToRegisters : public OpRewritePattern<memref::CopyOp> {
  CopyToRegisters(MLIRContext *context, const VectorRegisters &registers)
      : OpRewritePattern(context), registers(registers) {}

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getSource().getType()) ||
        !isa<MemRefType>(op.getTarget().getType()))
      return rewriter.notifyMatchFailure(op, "unranked buffer");
    if (op.getSource() == op.getTarget()) {
      rewriter.eraseOp(op);
      return success();
    }
    linalg::GenericOp generic = linalg::makeMemRefCopyOp(
        rewriter, op.getLoc(), op.getSource(), op.getTarget());
    FailureOr<RegisterTiling> tiling = RegisterTiling::plan(generic, registers);
    assert(succeeded(tiling) && "the maps of a copy are identities");
    tiling->emit(rewriter, generic);
    rewriter.eraseOp(op);
    return success();
  }

  VectorRegisters registers;
};

struct CPUVectorize : public attn::impl::CPUVectorizePassBase<CPUVectorize> {
  using CPUVectorizePassBase::CPUVectorizePassBase;

  void runOnOperation() override {
    if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512) {
      getOperation()->emitError("vector-bits is ")
          << vectorBits.getValue() << ", expected 128, 256 or 512";
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    populateCPUVectorizePatterns(patterns, VectorRegisters{vectorBits});
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::attn::populateCPUVectorizePatterns(
    RewritePatternSet &patterns, const VectorRegisters &registers) {
  patterns.add<TileLinalgToRegisters, CopyToRegisters>(patterns.getContext(),
                                                       registers);
}
