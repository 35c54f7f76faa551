//===- FormClusters.cpp - Thread blocks that share copies -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives neighbouring points to the thread blocks of a cluster.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUFORMCLUSTERSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// Whether neighbours in the last dimension of `work` make `read`, in loops of
/// the same steps, of the same tile.
static bool isReadByNeighbours(const Uniformity &uniformity, WorkLoopOp work,
                               ReadOp read) {
  auto isSame = [&](Value value) {
    return !uniformity.getPointDimensions(work, value)
                .test(work.getExtents().size() - 1);
  };
  if (!llvm::all_of(read.getOffsets(), isSame))
    return false;
  for (Operation *parent = read->getParentOp(); parent != work;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || !isSame(loop.getLowerBound()) ||
        !isSame(loop.getUpperBound()) || !isSame(loop.getStep()))
      return false;
  }
  return true;
}

std::string attn_gpu::formClusters(RewriterBase &rewriter, KernelOp kernel,
                                   int64_t size) {
  auto loops = llvm::to_vector(kernel.getBody().getOps<WorkLoopOp>());
  if (kernel.getCluster() != 1)
    return "it has clusters already";
  if (loops.size() != 1 || loops.front().getExtents().empty())
    return "expected one work loop, with one dimension or more";
  if (loops.front().getSchedule() != WorkSchedule::Strided)
    return ("expected work that is strided, got " +
            stringifyWorkSchedule(loops.front().getSchedule()))
        .str();
  WorkLoopOp work = loops.front();
  if (getConstantIntValue(work.getExtents().back()) == 1 ||
      work.getPoint().back().use_empty())
    return "the last dimension has one point, or nothing depends on it: all "
           "thread blocks of a cluster would do the same";
  Uniformity uniformity(kernel);
  bool isCommon = false, isShared = false;
  work.walk([&](ReadOp read) {
    if (read->getParentOp() == work ||
        !isReadByNeighbours(uniformity, work, read))
      return;
    isCommon = true;
    isShared |= canShareRows(read.getTile().getType().getRows(), size);
  });
  if (!isCommon)
    return "neighbours in the last dimension share nothing that loops read: "
           "bounds or tiles differ, as under a mask";
  if (!isShared)
    return "the rows of what neighbours share are no multiple of " +
           std::to_string(size) + " * 8";

  Location loc = work.getLoc();
  rewriter.setInsertionPoint(work);
  Value count = arith::ConstantIndexOp::create(rewriter, loc, size);
  OpOperand &last = work.getExtentsMutable()[work.getExtents().size() - 1];
  Value clusters = arith::CeilDivSIOp::create(rewriter, loc, last.get(), count);
  rewriter.modifyOpInPlace(work, [&] { last.set(clusters); });

  rewriter.setInsertionPointToStart(&work.getBody().front());
  Value cluster = work.getPoint().back();
  Value rank = ClusterRankOp::create(rewriter, loc);
  Value first = arith::MulIOp::create(rewriter, loc, cluster, count);
  Value point = arith::AddIOp::create(rewriter, loc, first, rank);
  rewriter.replaceAllUsesExcept(cluster, point, first.getDefiningOp());
  rewriter.modifyOpInPlace(kernel, [&] { kernel.setCluster(size); });
  return "";
}

namespace {
struct FormClustersPass
    : attn_gpu::impl::AttnGPUFormClustersPassBase<FormClustersPass> {
  using AttnGPUFormClustersPassBase::AttnGPUFormClustersPassBase;

  void runOnOperation() override {
    if (size < 0 || size > 8) {
      getOperation().emitError("attn-gpu-form-clusters: 'size' expected 0 to "
                               "8, got ")
          << size.getValue();
      return signalPassFailure();
    }
    int64_t wanted = size;
    if (wanted == 0)
      wanted = getOperation().getWantedCluster().value_or(1);
    if (wanted == 1)
      return;
    IRRewriter rewriter(&getContext());
    std::string reason = formClusters(rewriter, getOperation(), wanted);
    if (reason.empty())
      return;
    remark::missed(
        getOperation().getLoc(),
        remark::RemarkOpts::name("clusters").category("attn-gpu-form-clusters"))
        << ("no clusters: " + reason);
    // No schedule of the table has clusters: somebody has asked for them.
    if (size == 0)
      getOperation().emitWarning("'cluster' = ")
          << wanted << " of the schedule has no effect: " << reason;
  }
};
} // namespace
