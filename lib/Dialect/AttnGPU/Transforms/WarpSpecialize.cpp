//===- WarpSpecialize.cpp - Producer and consumers ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices a kernel into roles and gives consumers their turns.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUWARPSPECIALIZEPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::sm90::RoleRegisters;

/// Gives the consumers of `region` turns at the tensor cores: in innermost
/// loops, and where others start several products side by side.
static void insertTurns(RewriterBase &rewriter, Region &region) {
  region.walk([&](LoopLikeOpInterface loop) {
    Block &body = loop.getLoopRegions().front()->front();
    bool innermost =
        !body.walk([](scf::ForOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
    MmaOp first, last;
    for (Operation &op : body) {
      if (isa<MmaWaitOp>(op) && last)
        break;
      auto product = dyn_cast<MmaOp>(op);
      if (!product)
        continue;
      if (!first)
        first = product;
      last = product;
    }
    if (!first || (!innermost && first == last))
      return;
    rewriter.setInsertionPoint(first);
    TurnWaitOp::create(rewriter, first.getLoc());
    rewriter.setInsertionPointAfter(last);
    TurnPassOp::create(rewriter, last.getLoc());
  });
}

/// Whether `op` itself, not what is inside, does something.
static bool hasOwnEffect(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0)
    return false;
  return !isMemoryEffectFree(op) && !isa<MmaOp>(op);
}

LogicalResult attn_gpu::specializeWarps(RewriterBase &rewriter, KernelOp kernel,
                                        RoleRegisters registers, bool turns) {
  bool fills = kernel.walk([](RingFillOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  if (!fills)
    return success();
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> work;
  for (Operation &op : body.without_terminator()) {
    // Rings and tiles belong to all roles.
    if (isa<RingCreateOp, TileCreateOp>(op))
      continue;
    if (!work.empty() || isa<WorkLoopOp>(op))
      work.push_back(&op);
    else if (!isMemoryEffectFree(&op))
      return op.emitOpError("expected to be in an attn_gpu.work_loop");
  }

  Location loc = kernel.getLoc();
  rewriter.setInsertionPoint(body.getTerminator());
  auto roles = WarpSpecializeOp::create(rewriter, loc, registers.producer,
                                        registers.consumer);
  for (Region *role : {&roles.getProducer(), &roles.getConsumer()}) {
    rewriter.createBlock(role);
    IRMapping mapping;
    for (Operation *op : work)
      rewriter.clone(*op, mapping);
    YieldOp::create(rewriter, loc);
  }
  for (Operation *op : llvm::reverse(work))
    rewriter.eraseOp(op);
  sliceRegion(rewriter, roles.getProducer(), llvm::IsaPred<RingFillOp>);
  sliceRegion(rewriter, roles.getConsumer(), [](Operation *op) {
    return hasOwnEffect(op) && !isa<RingFillOp>(op);
  });
  if (turns && kernel.getWarpgroups() > 1)
    insertTurns(rewriter, roles.getConsumer());
  return success();
}

namespace {
struct WarpSpecializePass
    : attn_gpu::impl::AttnGPUWarpSpecializePassBase<WarpSpecializePass> {
  using AttnGPUWarpSpecializePassBase::AttnGPUWarpSpecializePassBase;

  void runOnOperation() override {
    RoleRegisters registers =
        attn::sm90::chooseRegisters(getOperation().getWarpgroups());
    if (producerRegisters)
      registers.producer = producerRegisters;
    if (consumerRegisters)
      registers.consumer = consumerRegisters;
    bool takeTurns = turns && getOperation().getWantedTurns().value_or(true);
    IRRewriter rewriter(&getContext());
    if (failed(specializeWarps(rewriter, getOperation(), registers, takeTurns)))
      signalPassFailure();
  }
};
} // namespace
