//===- Tile.cpp - Query tiles and the walk over key tiles -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles attn.partial by upstream's tiling, then makes the walk over its keys
// with tiles of static shape.
//
//===----------------------------------------------------------------------===//

#include "PartialOperands.h"
#include "attn/Analysis/KernelSchedules.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTILEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Cost model
//===----------------------------------------------------------------------===//

TileSizes attn::chooseTileSizes(PartialOp op) {
  // 64 x 64 scores in f32 are 16 KiB: they stay in the first-level cache beside
  // the rows that one micro-kernel reads.
  TileSizes sizes{64, 64, "64 x 64 scores stay in the first-level cache"};
  int64_t queries =
      cast<RankedTensorType>(op.getM().getType()).getDimSize(PartialOp::Query);
  if (!ShapedType::isDynamic(queries) && queries < sizes.query) {
    // One row is its own case, with vectors along the head dimension; twice
    // that is still cheaper than a tile of four, which is the next that has
    // vectors along its rows.
    sizes.query =
        queries <= 2 ? 1 : std::max<int64_t>(4, llvm::PowerOf2Ceil(queries));
    sizes.reason =
        "few queries: tiles of " + std::to_string(sizes.query) + " rows";
  }
  return sizes;
}

FailureOr<TileSizes> attn::chooseKernelTileSizes(PartialOp op, StringRef chip) {
  if (auto given = op->getAttrOfType<ScheduleAttr>(kScheduleAttrName))
    return TileSizes{given.getQueryTile(), given.getKeyTile(),
                     "as its schedule says"};
  int64_t headDim =
      cast<RankedTensorType>(op.getQ().getType()).getShape().back();
  int64_t valueDim =
      cast<RankedTensorType>(op.getAcc().getType()).getShape().back();
  std::optional<ScheduleRow> row =
      findScheduleRow(chip, headDim, valueDim,
                      op.getMaskAttr() ? MaskKind::Masked : MaskKind::Full);
  if (!row)
    return op.emitOpError("has no schedule for ")
           << chip << " with head dimensions " << headDim << " and " << valueDim
           << ": expected tile sizes by option";
  const ScheduleCandidate &first = row->candidates.front();
  return TileSizes{first.schedule.queryTile, first.schedule.keyTile,
                   first.reason};
}

//===----------------------------------------------------------------------===//
// Static tiles
//===----------------------------------------------------------------------===//

/// `value` with axis `axis` padded at its end to `extent` by `fill`.
static Value padAxis(OpBuilder &b, Location loc, Value value, unsigned axis,
                     int64_t extent, TypedAttr fill) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(axis) == extent)
    return value;
  SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> high = low;
  AffineExpr s0 = getAffineSymbolExpr(0, b.getContext());
  high[axis] = affine::makeComposedFoldedAffineApply(
      b, loc, extent - s0, {tensor::getMixedSize(b, loc, value, axis)});
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = extent;
  Value scalar = arith::ConstantOp::create(b, loc, fill);
  return tensor::PadOp::create(b, loc, type.clone(shape), value, low, high,
                               scalar, /*nofold=*/false);
}

static TypedAttr getPadding(OpBuilder &b, Type element, double value = 0) {
  if (isa<FloatType>(element))
    return b.getFloatAttr(element, value);
  return cast<TypedAttr>(b.getZeroAttr(element));
}

/// Pads every operand of `op` that has dimension `dim` to `extent`. `op` must
/// hide what is behind by other means.
static void padDimension(RewriterBase &rewriter, PartialOp op, unsigned dim,
                         int64_t extent) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (auto [operand, axis] : getOperandsAlong(op, dim)) {
    Type element =
        cast<RankedTensorType>(operand->get().getType()).getElementType();
    Value padded = padAxis(rewriter, op.getLoc(), operand->get(), axis, extent,
                           getPadding(rewriter, element));
    rewriter.modifyOpInPlace(op,
                             [&, operand = operand] { operand->set(padded); });
  }
}

/// A copy of `op` whose query rows, states included, are padded to `rows`. Rows
/// behind start from a neutral state.
static PartialOp clonePaddedRows(RewriterBase &rewriter, PartialOp op,
                                 int64_t rows) {
  auto padded = cast<PartialOp>(rewriter.clone(*op));
  padDimension(rewriter, padded, PartialOp::Query, rows);
  rewriter.setInsertionPoint(padded);
  for (OpOperand &state : padded.getDpsInitsMutable()) {
    bool isMaximum = state.get() == op.getM();
    double neutral = isMaximum ? -std::numeric_limits<double>::infinity() : 0;
    state.set(padAxis(rewriter, op.getLoc(), state.get(), PartialOp::Query,
                      rows,
                      getPadding(rewriter, rewriter.getF32Type(), neutral)));
    padded.getTiedOpResult(&state).setType(
        cast<RankedTensorType>(state.get().getType()));
  }
  rewriter.setInsertionPointAfter(padded);
  return padded;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Makes the body of `walk`: the tile of `whole` that the walk's arguments
/// name, folded into the state that they carry. `rows`: how many of its rows
/// exist, null for all.
static LogicalResult buildWalkBody(RewriterBase &rewriter, WalkOp walk,
                                   PartialOp whole, ArrayRef<Range> domain,
                                   Value rows) {
  Location loc = whole.getLoc();
  SmallVector<Type> types = {rewriter.getIndexType(), rewriter.getIndexType(),
                             rewriter.getI1Type()};
  llvm::append_range(types, walk.getInits().getTypes());
  SmallVector<Location> locs(types.size(), loc);
  OpBuilder::InsertionGuard guard(rewriter);
  Block *body = rewriter.createBlock(&walk.getBody(), {}, types, locs);

  SmallVector<OpFoldResult> offsets, sizes;
  for (const Range &range : domain) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets[PartialOp::Key] = walk.getStart();
  sizes[PartialOp::Key] = walk.getValid();
  FailureOr<TilingResult> tiled =
      whole.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiled))
    return failure();
  auto tile = cast<PartialOp>(tiled->tiledOps.front());
  rewriter.setInsertionPoint(tile);
  Value masked = walk.getMasked();
  if (tile.getMasked())
    masked = arith::AndIOp::create(rewriter, loc, masked, tile.getMasked());
  rewriter.modifyOpInPlace(tile, [&] {
    for (auto [init, state] : llvm::zip_equal(
             tile.getDpsInitsMutable(),
             body->getArguments().drop_front(WalkOp::kNumTileArguments)))
      init.set(state);
    if (!tile.getValid())
      tile.getValidMutable().assign(walk.getValid());
    if (rows)
      tile.getRowsMutable().assign(rows);
    tile.getMaskedMutable().assign(masked);
  });
  padDimension(rewriter, tile, PartialOp::Key, walk.getTile());
  rewriter.setInsertionPointToEnd(body);
  YieldOp::create(rewriter, loc, tile->getResults());
  return success();
}

/// Replaces `op`, one query tile over all its keys, by a walk over key tiles.
static LogicalResult walkKeys(RewriterBase &rewriter, PartialOp op,
                              const TileSizes &sizes) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  rewriter.setInsertionPoint(op);
  OpFoldResult rows = op.getIterationDomain(rewriter)[PartialOp::Query].size;
  PartialOp whole = clonePaddedRows(rewriter, op, sizes.query);
  SmallVector<Range> domain = whole.getIterationDomain(rewriter);

  OpFoldResult keys = domain[PartialOp::Key].size;
  AffineExpr s0 = getAffineSymbolExpr(0, context);
  // Keys that do not exist are none of the walk's: a tile's `valid` is within
  // its keys. (With `masked`, whether it counts is not known here.)
  if (whole.getValid() && !whole.getMasked()) {
    keys = OpFoldResult(whole.getValid());
    whole.getValidMutable().clear();
  }
  Value extent = getValueOrCreateConstantIndexOp(rewriter, loc, keys);
  Value tiles = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(rewriter, loc,
                                            s0.ceilDiv(sizes.key), {keys}));
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Attribute segment =
      SegmentAttr::get(context, SegmentKind::Range, SegmentClass::Partial,
                       SegmentDirection::Ascending);
  SmallVector<Value> states = llvm::to_vector(whole.getDpsInits());
  Value existing;
  if (!isEqualConstantIntOrValue(rows, rewriter.getIndexAttr(sizes.query)))
    existing = getValueOrCreateConstantIndexOp(rewriter, loc, rows);
  auto walk = WalkOp::create(
      rewriter, loc, ValueRange(states).getTypes(), extent, sizes.key,
      rewriter.getArrayAttr({segment}), ValueRange{zero, tiles},
      /*lists=*/ValueRange(), states);
  if (failed(buildWalkBody(rewriter, walk, whole, domain, existing)))
    return failure();
  rewriter.eraseOp(whole);

  // Only the rows that exist leave the tile.
  SmallVector<Value> results = llvm::to_vector_of<Value>(walk.getResults());
  for (Value &result : results) {
    auto shape = tensor::getMixedSizes(rewriter, loc, result);
    if (isEqualConstantIntOrValue(shape[PartialOp::Query], rows))
      continue;
    shape[PartialOp::Query] = rows;
    SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
    result = tensor::ExtractSliceOp::create(rewriter, loc, result, zeros, shape,
                                            ones);
  }
  rewriter.replaceOp(op, results);
  return success();
}

FailureOr<scf::ForallOp> attn::tilePartial(RewriterBase &rewriter, PartialOp op,
                                           const TileSizes &sizes) {
  MLIRContext *context = op.getContext();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  OpFoldResult one = rewriter.getIndexAttr(1), zero = rewriter.getIndexAttr(0);
  options.setTileSizes(
      {one, one, one, rewriter.getIndexAttr(sizes.query), zero});
  SmallVector<Attribute> mapping;
  for (Dimension dim : {Dimension::Batch, Dimension::KvHead, Dimension::Group,
                        Dimension::Query})
    mapping.push_back(DimensionAttr::get(context, dim));
  options.setMapping(mapping);

  NamedAttrList schedule;
  for (StringRef name : {kScheduleAttrName, kChoiceAttrName})
    if (Attribute attr = op->getDiscardableAttr(name))
      schedule.set(name, attr);
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(op, tiled->replacements);
  auto loop = cast<scf::ForallOp>(tiled->loops.front());
  if (failed(
          walkKeys(rewriter, cast<PartialOp>(tiled->tiledOps.front()), sizes)))
    return failure();
  loop.walk([&](WalkOp walk) {
    rewriter.modifyOpInPlace(walk,
                             [&] { walk->setDiscardableAttrs(schedule); });
  });
  return loop;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct TilePass : attn::impl::AttnTilePassBase<TilePass> {
  using AttnTilePassBase::AttnTilePassBase;

  void runOnOperation() override {
    SmallVector<PartialOp> whole;
    getOperation()->walk([&](PartialOp op) {
      if (!op->getParentOfType<WalkOp>())
        whole.push_back(op);
    });
    bool ok = true;
    for (const std::string &fault :
         {kQueryTileRange.check("query-tile", queryTile),
          kKeyTileRange.check("key-tile", keyTile)}) {
      if (fault.empty())
        continue;
      getOperation()->emitError("attn-tile: ") << fault;
      ok = false;
    }
    if (!ok)
      return signalPassFailure();
    if (target != "cpu" && target != "sm_90a") {
      getOperation()->emitError("attn-tile: target expected cpu or sm_90a, "
                                "got ")
          << target.getValue();
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    for (PartialOp op : whole) {
      FailureOr<TileSizes> chosen = TileSizes();
      if (target == "cpu")
        chosen = chooseTileSizes(op);
      else if (!queryTile || !keyTile)
        chosen = chooseKernelTileSizes(op, target);
      if (failed(chosen))
        return signalPassFailure();
      TileSizes sizes = *chosen;
      if (queryTile || keyTile)
        sizes.reason = "given by option";
      if (queryTile)
        sizes.query = queryTile;
      if (keyTile)
        sizes.key = keyTile;
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("tile-sizes").category("attn-tile"))
          << ("query tile " + Twine(sizes.query) + ", key tile " +
              Twine(sizes.key) + ": " + sizes.reason)
                 .str();
      Location loc = op.getLoc();
      if (failed(tilePartial(rewriter, op, sizes))) {
        emitError(loc, "attn-tile: cannot tile this operation");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
