//===- SplitKeys.cpp - Splitting keys into parts --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split-KV: upstream's reduction tiling of attn.partial, whose states are
// merged in order.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/Remarks.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSPLITKEYSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

LogicalResult attn::splitKeys(RewriterBase &rewriter, PartialOp op,
                              int64_t parts) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  OpFoldResult keys = op.getIterationDomain(rewriter)[PartialOp::Key].size;
  AffineExpr s0 = getAffineSymbolExpr(0, op.getContext());
  // At least 1: a size of 0 would mean "do not tile".
  AffineMap perPart = AffineMap::get(
      0, 1, {s0.ceilDiv(parts), rewriter.getAffineConstantExpr(1)},
      op.getContext());
  OpFoldResult size =
      affine::makeComposedFoldedAffineMax(rewriter, loc, perPart, {keys});

  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setReductionTilingStrategy(
      ReductionTilingStrategy::PartialReductionOuterParallel);
  options.setReductionDims({unsigned(PartialOp::Key)});
  OpFoldResult zero = rewriter.getIndexAttr(0);
  options.setTileSizes({zero, zero, zero, zero, size});
  options.setMapping(
      {DimensionAttr::get(op.getContext(), Dimension::KeySplit)});
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

/// How many parts give every core something to do: with fewer query tiles than
/// cores, as many as there are idle cores for each tile, but no part shorter
/// than four key tiles. Only from extents that are known.
static int64_t chooseParts(PartialOp op, int64_t threads) {
  auto rows = cast<RankedTensorType>(op.getM().getType());
  unsigned axis = *PartialOp::getAxis(op.getKMap(), PartialOp::Key);
  int64_t keys = cast<RankedTensorType>(op.getK().getType()).getDimSize(axis);
  if (!rows.hasStaticShape() || ShapedType::isDynamic(keys))
    return 1;
  TileSizes sizes = chooseTileSizes(op);
  int64_t tiles =
      llvm::divideCeil(rows.getDimSize(PartialOp::Query), sizes.query);
  for (unsigned dim : {PartialOp::Batch, PartialOp::KvHead, PartialOp::Group})
    tiles *= rows.getDimSize(dim);
  if (tiles == 0 || tiles >= threads)
    return 1;
  return std::max<int64_t>(1,
                           std::min(threads / tiles, keys / (4 * sizes.key)));
}

namespace {
struct SplitKeysPass : attn::impl::AttnSplitKeysPassBase<SplitKeysPass> {
  using AttnSplitKeysPassBase::AttnSplitKeysPassBase;

  void runOnOperation() override {
    bool ok = true;
    for (const std::string &fault : {kKeyPartsRange.check("parts", parts),
                                     kThreadsRange.check("threads", threads)}) {
      if (fault.empty())
        continue;
      getOperation()->emitError("attn-split-keys: ") << fault;
      ok = false;
    }
    if (!ok)
      return signalPassFailure();
    SmallVector<PartialOp> whole;
    getOperation()->walk([&](PartialOp op) {
      if (!op->getParentOfType<scf::ForallOp>() &&
          !op->getParentOfType<WalkOp>())
        whole.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (PartialOp op : whole) {
      int64_t count = parts ? int64_t(parts) : chooseParts(op, threads);
      if (count == 1)
        continue;
      Location loc = op.getLoc();
      remark::passed(
          loc,
          remark::RemarkOpts::name("key-parts").category("attn-split-keys"))
          << ("keys split into " + Twine(count) + " parts: " +
              (parts ? "given by option" : "fewer query tiles than cores"))
                 .str();
      if (failed(splitKeys(rewriter, op, count))) {
        emitError(loc, "attn-split-keys: cannot split this operation");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
