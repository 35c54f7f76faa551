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

#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
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
/// the start of the block, carried by all the loops around it. What is carried
/// has 32 bits: registers are dear, and a fill needs the bits of phase and
/// stage.
static FailureOr<Value> countRuns(RewriterBase &rewriter, Operation *op) {
  Location loc = op->getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<LoopLikeOpInterface> loops; // the innermost first
  WorkLoopOp work;
  for (Operation *at = op->getParentOp(); !work; at = at->getParentOp()) {
    work = dyn_cast<WorkLoopOp>(at);
    if (!work && !isa<scf::ForOp>(at))
      return op->emitOpError("is under '")
             << at->getName() << "': expected loops only";
    // The body of a work loop that is not persistent is run once.
    if (!work || work.isPersistent())
      loops.push_back(cast<LoopLikeOpInterface>(at));
  }
  Value count;
  LoopLikeOpInterface inner;
  for (LoopLikeOpInterface loop : loops) {
    auto next = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> carried) {
      if (inner)
        return SmallVector<Value>{inner.getLoopResults()->back()};
      Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
      return SmallVector<Value>{
          arith::AddIOp::create(b, loc, carried.front(), one)};
    };
    rewriter.setInsertionPoint(loop);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    FailureOr<LoopLikeOpInterface> counted = loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false, next);
    if (failed(counted))
      return failure();
    Value carried = counted->getRegionIterArgs().back();
    if (inner)
      inner.getInitsMutable().back().set(carried);
    else
      count = carried;
    inner = *counted;
  }
  rewriter.setInsertionPointToStart(op->getBlock());
  if (!count)
    return arith::ConstantIndexOp::create(rewriter, loc, 0).getResult();
  return arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(),
                                      count)
      .getResult();
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

int64_t attn_gpu::chooseOuterStages(KernelOp kernel, int64_t stages) {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      bytes += read.getTile().getType().getBytes() *
               (isa<WorkLoopOp>(op->getParentOp()) ? 2 : stages);
    auto write = dyn_cast<WriteOp>(op);
    if (!write || !isFragment(write.getValue().getType()))
      return;
    auto type = cast<VectorType>(write.getValue().getType());
    if (type.getElementTypeBitWidth() == 16)
      bytes += kernel.getWarpgroups() * type.getNumElements() * 2;
  });
  return bytes <= attn::sm90::kMaxTileBytes ? 2 : 1;
}

/// Whether all thread blocks of a cluster make `read`, equally often, of the
/// same tile, so that they can copy it together.
static bool isReadByCluster(ReadOp read, const Uniformity &uniformity) {
  int64_t cluster = read->getParentOfType<KernelOp>().getCluster();
  auto isShared = [&](Value value) {
    return uniformity.get(value) == Sharing::Cluster;
  };
  return cluster != 1 &&
         canShareRows(read.getTile().getType().getRows(), cluster) &&
         uniformity.getControl(read) == Sharing::Cluster &&
         llvm::all_of(read.getOffsets(), isShared);
}

LogicalResult attn_gpu::makeCopiesAsync(RewriterBase &rewriter, KernelOp kernel,
                                        int64_t stages, int64_t outerStages) {
  // Loops are replaced on the way: the reads stay what they are.
  llvm::MapVector<Block *, SmallVector<ReadOp>> reads;
  llvm::SmallPtrSet<Operation *, 4> byCluster;
  Uniformity uniformity(kernel);
  bool valid = true;
  kernel.walk([&](ReadOp read) {
    reads[read->getBlock()].push_back(read);
    if (isReadByCluster(read, uniformity))
      byCluster.insert(read);
    int64_t bits = read.getSource().getType().getElementTypeBitWidth();
    if (isCopiedColumn(read.getOffsets().back(), bits))
      return;
    valid = false;
    read.emitOpError("the last offset expected a known multiple of 16 bytes: "
                     "the copy engine begins rows nowhere else");
  });
  if (!valid)
    return failure();
  for (auto &[_, inBlock] : reads) {
    auto work = dyn_cast<WorkLoopOp>(inBlock.front()->getParentOp());
    int64_t count = stages;
    if (work)
      count = work.isPersistent() ? outerStages : 1;
    FailureOr<Value> number = countRuns(rewriter, inBlock.front());
    if (failed(number))
      return failure();
    for (ReadOp read : inBlock) {
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      Value ring = RingCreateOp::create(
          rewriter, read.getLoc(),
          RingType::get(rewriter.getContext(), count, read.getTile().getType()),
          byCluster.contains(read));
      if (failed(replaceRead(rewriter, read, ring, *number)))
        return failure();
    }
  }
  return success();
}

namespace {
struct AsyncCopyPass : attn_gpu::impl::AttnGPUAsyncCopyPassBase<AsyncCopyPass> {
  using AttnGPUAsyncCopyPassBase::AttnGPUAsyncCopyPassBase;

  void runOnOperation() override {
    bool valid = true;
    // 0: what the kernel wants, what memory allows.
    for (auto [name, count] :
         {std::pair("stages", stages.getValue()),
          std::pair("outer-stages", outerStages.getValue())}) {
      if (count < 0 || count > 8) {
        getOperation().emitError("attn-gpu-async-copy: '")
            << name << "' expected 0 to 8, got " << count;
        valid = false;
      }
    }
    if (!valid)
      return signalPassFailure();
    int64_t inner = stages, outer = outerStages;
    if (inner == 0)
      inner = getOperation().getWantedStages().value_or(2);
    if (outer == 0)
      outer = chooseOuterStages(getOperation(), inner);
    IRRewriter rewriter(&getContext());
    if (failed(makeCopiesAsync(rewriter, getOperation(), inner, outer)))
      signalPassFailure();
  }
};
} // namespace
