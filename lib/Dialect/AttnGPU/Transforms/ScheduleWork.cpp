//===- ScheduleWork.cpp - Which thread block works on what ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives work loops a schedule and an order of points.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSCHEDULEWORKPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// What the loops of a point read, and which dimensions that depends on.
class PointReads {
public:
  explicit PointReads(WorkLoopOp work)
      : work(work), used(work.getExtents().size()) {
    Uniformity uniformity(work->getParentOfType<KernelOp>());
    work.walk([&](ReadOp read) {
      auto loop = read->getParentOfType<scf::ForOp>();
      if (!loop)
        return;
      reads.insert({read.getSource(), read.getRowDimension()});
      for (auto [dim, offset] : llvm::enumerate(read.getOffsets()))
        if (static_cast<int64_t>(dim) != read.getRowDimension())
          used |= uniformity.getPointDimensions(work, offset);
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
        differ |=
            uniformity.getPointDimensions(work, bound).test(used.size() - 1);
    });
  }

  /// Whether points differ in length along the last dimension.
  bool doPointsDiffer() { return differ; }

  /// How many points before the last dimension read `bytes` in all.
  Value buildGroup(OpBuilder &b, int64_t bytes) {
    Location loc = work.getLoc();
    auto index = [&](int64_t n) -> Value {
      return arith::ConstantIndexOp::create(b, loc, n);
    };
    Value one = index(1), sum = index(0);
    for (auto [source, rowDim] : reads) {
      auto type = cast<MemRefType>(source.getType());
      Value size = index(type.getElementTypeBitWidth() / 8);
      for (int64_t dim : {rowDim, type.getRank() - 1})
        size = arith::MulIOp::create(
            b, loc, size, memref::DimOp::create(b, loc, source, dim));
      sum = arith::AddIOp::create(b, loc, sum, size);
    }
    sum = arith::MaxSIOp::create(b, loc, sum, one);
    Value group = arith::MaxSIOp::create(
        b, loc, arith::DivUIOp::create(b, loc, index(bytes), sum), one);
    // Points that read the same.
    for (int64_t dim = used.size() - 2; dim >= 0 && !used.test(dim); --dim)
      group = arith::MulIOp::create(
          b, loc, group,
          arith::MaxSIOp::create(b, loc, work.getExtents()[dim], one));
    return group;
  }

private:
  WorkLoopOp work;
  llvm::SetVector<std::pair<Value, int64_t>> reads;
  llvm::BitVector used;
  bool differ = false;
};

} // namespace

void attn_gpu::scheduleWork(RewriterBase &rewriter, KernelOp kernel,
                            WorkSchedule schedule, int64_t groupBytes) {
  kernel.walk([&](WorkLoopOp work) {
    rewriter.modifyOpInPlace(work, [&] { work.setSchedule(schedule); });
    if (groupBytes == 0 || work.getExtents().size() < 2)
      return;
    PointReads reads(work);
    if (!reads.doPointsDiffer())
      return;
    rewriter.setInsertionPoint(work);
    Value group = reads.buildGroup(rewriter, groupBytes);
    rewriter.modifyOpInPlace(work,
                             [&] { work.getGroupMutable().assign(group); });
  });
}

namespace {
struct ScheduleWorkPass
    : attn_gpu::impl::AttnGPUScheduleWorkPassBase<ScheduleWorkPass> {
  using AttnGPUScheduleWorkPassBase::AttnGPUScheduleWorkPassBase;

  void runOnOperation() override {
    std::optional<WorkSchedule> known =
        schedule.empty()
            ? getOperation().getWantedWork().value_or(WorkSchedule::Dynamic)
            : symbolizeWorkSchedule(schedule);
    if (!known)
      getOperation().emitError("attn-gpu-schedule-work: 'schedule' expected "
                               "once, strided or dynamic, got '")
          << schedule.getValue() << "'";
    if (groupBytes < 0)
      getOperation().emitError("attn-gpu-schedule-work: 'group-bytes' expected "
                               "0 or more, got ")
          << groupBytes.getValue();
    if (!known || groupBytes < 0)
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    scheduleWork(rewriter, getOperation(), *known, groupBytes);
  }
};
} // namespace
