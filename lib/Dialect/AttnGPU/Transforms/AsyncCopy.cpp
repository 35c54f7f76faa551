//===- AsyncCopy.cpp - Rings for the tiles that a kernel reads ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces reads by fills, waits and releases of rings.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUASYNCCOPYPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// How often the block of `op` was run before, in this thread block: a value at
/// the start of the block, carried by all the loops around it.
static FailureOr<Value> countRuns(RewriterBase &rewriter, Operation *op) {
  Location loc = op->getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<scf::ForOp> loops; // the innermost first
  Operation *at = op->getParentOp();
  for (; !isa<WorkLoopOp>(at); at = at->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(at);
    if (!loop)
      return op->emitOpError("is under '")
             << at->getName() << "': expected loops only";
    loops.push_back(loop);
  }
  // The body of a work loop is run once.
  rewriter.setInsertionPointToStart(&cast<WorkLoopOp>(at).getBody().front());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value count = zero;
  scf::ForOp inner;
  for (scf::ForOp loop : loops) {
    auto next = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> carried) {
      if (inner)
        return SmallVector<Value>{inner.getResults().back()};
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      return SmallVector<Value>{
          arith::AddIOp::create(b, loc, carried.front(), one)};
    };
    rewriter.setInsertionPoint(loop);
    FailureOr<LoopLikeOpInterface> counted = loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false, next);
    if (failed(counted))
      return failure();
    auto outer = cast<scf::ForOp>(**counted);
    Value carried = outer.getRegionIterArgs().back();
    if (inner)
      rewriter.modifyOpInPlace(inner, [&] {
        inner.getInitArgsMutable()
            .slice(inner.getInitArgs().size() - 1, 1)
            .assign(carried);
      });
    else
      count = carried;
    inner = outer;
  }
  return count;
}

/// Collects where `value`, a tile or what is made of it, is used last: by
/// operations in registers at once, by products until they have been waited
/// for.
static void collectLastUses(Value value, SmallVectorImpl<Operation *> &uses) {
  for (Operation *user : value.getUsers()) {
    uses.push_back(user);
    if (isa<SubtileOp, MmaOp>(user))
      collectLastUses(user->getResult(0), uses);
  }
}

static LogicalResult replaceRead(RewriterBase &rewriter, ReadOp read,
                                 Value ring, Value count) {
  Location loc = read.getLoc();
  SmallVector<Operation *> uses;
  collectLastUses(read.getTile(), uses);
  Operation *last = read;
  for (Operation *use : uses) {
    Operation *here = read->getBlock()->findAncestorOpInBlock(*use);
    if (!here || here->hasTrait<OpTrait::IsTerminator>()) {
      InFlightDiagnostic diag = read.emitOpError(
          "expected its tile to be used in the block that reads it");
      diag.attachNote(use->getLoc()) << "used here";
      return diag;
    }
    if (last->isBeforeInBlock(here))
      last = here;
  }
  rewriter.setInsertionPointAfter(last);
  RingReleaseOp::create(rewriter, loc, ring, count);
  rewriter.setInsertionPoint(read);
  RingFillOp::create(rewriter, loc, ring, count, read.getSource(),
                     read.getOffsets(), read.getRowDimAttr());
  rewriter.replaceOpWithNewOp<RingWaitOp>(read, read.getTile().getType(), ring,
                                          count);
  return success();
}

LogicalResult attn_gpu::makeCopiesAsync(RewriterBase &rewriter, KernelOp kernel,
                                        int64_t stages) {
  // Loops are replaced on the way, blocks with them: the reads stay what they
  // are.
  llvm::MapVector<Block *, SmallVector<ReadOp>> reads;
  kernel.walk([&](ReadOp read) { reads[read->getBlock()].push_back(read); });
  for (auto &[_, inBlock] : reads) {
    bool inLoop = !isa<WorkLoopOp>(inBlock.front()->getParentOp());
    FailureOr<Value> count = countRuns(rewriter, inBlock.front());
    if (failed(count))
      return failure();
    for (ReadOp read : inBlock) {
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      Value ring = RingCreateOp::create(
          rewriter, read.getLoc(),
          RingType::get(rewriter.getContext(), inLoop ? stages : 1,
                        read.getTile().getType()));
      if (failed(replaceRead(rewriter, read, ring, *count)))
        return failure();
    }
  }
  return success();
}

namespace {
struct AsyncCopyPass : attn_gpu::impl::AttnGPUAsyncCopyPassBase<AsyncCopyPass> {
  using AttnGPUAsyncCopyPassBase::AttnGPUAsyncCopyPassBase;

  void runOnOperation() override {
    if (stages < 1 || stages > 8) {
      getOperation().emitError("attn-gpu-async-copy: 'stages' expected 1 to 8, "
                               "got ")
          << stages.getValue();
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    if (failed(makeCopiesAsync(rewriter, getOperation(), stages)))
      signalPassFailure();
  }
};
} // namespace
