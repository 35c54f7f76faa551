//===- ClassifyBlocks.cpp - Which key tiles a query tile visits -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives walks the segments that interval analysis of their masks finds.
//
//===----------------------------------------------------------------------===//

#include "WalkMask.h"
#include "attn/Analysis/IRArith.h"
#include "attn/Analysis/KeyTiles.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCLASSIFYBLOCKSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static constexpr StringRef kCategory = "attn-classify-blocks";

/// `map` of `operands`, with what computes these by affine.apply composed in.
/// Afterwards all are dimensions, each once.
static void compose(AffineMap &map, SmallVectorImpl<Value> &operands) {
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> dims, symbols;
  llvm::SetVector<Value> distinct;
  for (auto [n, operand] : llvm::enumerate(operands)) {
    auto &replacements = n < map.getNumDims() ? dims : symbols;
    if (std::optional<int64_t> number = getConstantIntValue(operand)) {
      replacements.push_back(getAffineConstantExpr(*number, map.getContext()));
      continue;
    }
    distinct.insert(operand);
    unsigned place = llvm::find(distinct, operand) - distinct.begin();
    replacements.push_back(getAffineDimExpr(place, map.getContext()));
  }
  map = simplifyAffineMap(
      map.replaceDimsAndSymbols(dims, symbols, distinct.size(), 0));
  operands.assign(distinct.begin(), distinct.end());
}

/// Whether the one segment of `walk` is all of its tiles, unclassified.
static bool visitsAllTiles(WalkOp walk) {
  if (walk.getSegments().size() != 1)
    return false;
  SegmentAttr segment = walk.getSegment(0);
  if (segment.getKind() != SegmentKind::Range ||
      segment.getTiles() != SegmentClass::Partial ||
      segment.getDirection() != SegmentDirection::Ascending)
    return false;
  auto [begin, end] = walk.getSegmentBounds(0);
  if (!isConstantIntValue(begin, 0))
    return false;
  AffineExpr d0, d1;
  bindDims(walk.getContext(), d0, d1);
  AffineMap difference =
      AffineMap::get(2, 0, d0 - d1.ceilDiv(int64_t(walk.getTile())));
  SmallVector<Value> operands = {end, walk.getExtent()};
  compose(difference, operands);
  return difference.isSingleConstant() &&
         difference.getSingleConstantResult() == 0;
}

/// The position of the walk's first key, made before the walk, if that of a
/// tile's is this plus its `start`.
static std::optional<OpFoldResult> getKeyOrigin(RewriterBase &rewriter,
                                                WalkOp walk, PartialOp tile) {
  AffineMap map = rewriter.getDimIdentityMap();
  SmallVector<Value> operands = {tile.getOrigin()[PartialOp::Key]};
  compose(map, operands);
  auto *place = llvm::find(operands, walk.getStart());
  if (place == operands.end())
    return std::nullopt;
  unsigned number = place - operands.begin();
  AffineExpr start = rewriter.getAffineDimExpr(number);
  AffineMap origin = map.replace(start, rewriter.getAffineConstantExpr(0),
                                 map.getNumDims(), 0);
  AffineExpr rest = simplifyAffineExpr(
      map.getResult(0) - origin.getResult(0) - start, map.getNumDims(), 0);
  if (rest != rewriter.getAffineConstantExpr(0))
    return std::nullopt;
  // The map does not use `start` any more.
  operands[number] = walk.getExtent();
  for (Value operand : operands)
    if (!hoistOutOfWalk(rewriter, walk, operand))
      return std::nullopt;
  rewriter.setInsertionPoint(walk);
  return affine::makeComposedFoldedAffineApply(rewriter, tile.getLoc(), origin,
                                               getAsOpFoldResult(operands));
}

/// Number of rows of the query tile; null if it is not known before the walk.
static OpFoldResult getRows(RewriterBase &rewriter, WalkOp walk,
                            PartialOp tile) {
  if (Value rows = tile.getRows())
    return hoistOutOfWalk(rewriter, walk, rows);
  int64_t rows = cast<RankedTensorType>(tile.getM().getType())
                     .getDimSize(PartialOp::Query);
  if (!ShapedType::isDynamic(rows))
    return rewriter.getIndexAttr(rows);
  auto state = dyn_cast<BlockArgument>(tile.getM());
  if (!state || state.getOwner() != &walk.getBody().front())
    return OpFoldResult();
  Value init =
      walk.getInits()[state.getArgNumber() - WalkOp::kNumTileArguments];
  return tensor::getMixedSize(rewriter, tile.getLoc(), init, PartialOp::Query);
}

/// The remark's text: what stands for each segment.
static std::string describe(ArrayAttr segments) {
  if (segments.empty())
    return "no tile";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(segments, os, [&](Attribute segment) {
    os << stringifySegmentClass(cast<SegmentAttr>(segment).getTiles());
  });
  return text;
}

LogicalResult attn::classifyWalk(RewriterBase &rewriter, WalkOp walk) {
  auto refuse = [&](const Twine &reason) {
    remark::missed(walk.getLoc(),
                   remark::RemarkOpts::name("segments").category(kCategory))
        << "not classified: " + reason.str();
    return failure();
  };
  if (!visitsAllTiles(walk))
    return refuse("the segments are not one of all tiles");
  auto tiles = walk.getBody().front().getOps<PartialOp>();
  if (!llvm::hasSingleElement(tiles))
    return refuse("the body does not hold one attn.partial");
  PartialOp tile = *tiles.begin();
  if (tile.getMasked() && tile.getMasked() != walk.getMasked())
    return refuse("whether the mask counts does not depend on the walk alone");
  if (tile.getValid() && tile.getValid() != walk.getValid())
    return refuse("'valid' is not that of the walk");
  Value first =
      hoistOutOfWalk(rewriter, walk, tile.getOrigin()[PartialOp::Query]);
  if (!first)
    return refuse("query positions depend on the step");
  rewriter.setInsertionPoint(walk);
  OpFoldResult rows = getRows(rewriter, walk, tile);
  if (!rows)
    return refuse("the number of rows depends on the step");
  std::optional<OpFoldResult> keyOrigin = getKeyOrigin(rewriter, walk, tile);
  if (!keyOrigin)
    return refuse("key positions are not an origin plus the tile's start");

  WalkMask reader(rewriter, walk, tile, rows, *keyOrigin);
  MaskExpr mask = reader.build();

  rewriter.setInsertionPoint(walk);
  IRArith arith(rewriter, walk.getLoc());
  TilePositions<IRArith> positions;
  positions.queryFirst = IRArith::get(first);
  positions.queryLast = arith.add(
      positions.queryFirst, arith.sub(IRArith::get(rows), arith.constant(1)));
  positions.keyOrigin = IRArith::get(*keyOrigin);
  positions.keyExtent = IRArith::get(walk.getExtent());
  positions.uniforms = reader.getUniforms();
  SmallVector<Attribute> segments;
  SmallVector<Value> bounds;
  for (const TileSegment<IRArith::Value> &segment :
       classifyKeyTiles(arith, mask, positions, walk.getTile())) {
    segments.push_back(SegmentAttr::get(walk.getContext(), SegmentKind::Range,
                                        segment.tileClass == TileClass::Full
                                            ? SegmentClass::Full
                                            : SegmentClass::Partial,
                                        SegmentDirection::Ascending));
    bounds.push_back(arith.materialize(segment.begin));
    bounds.push_back(arith.materialize(segment.end));
  }
  rewriter.modifyOpInPlace(walk, [&] {
    walk.setSegmentsAttr(rewriter.getArrayAttr(segments));
    walk.getBoundsMutable().assign(bounds);
  });

  remark::passed(walk.getLoc(),
                 remark::RemarkOpts::name("segments").category(kCategory))
      << describe(walk.getSegments()) + ": between the mask's bounds, in order";
  for (const OpaquePart &part : reader.getOpaqueParts())
    remark::missed(part.loc,
                   remark::RemarkOpts::name("opaque").category(kCategory))
        << "not understood, taken to hide no tile: " + part.what;
  return success();
}

namespace {
struct ClassifyBlocksPass
    : attn::impl::AttnClassifyBlocksPassBase<ClassifyBlocksPass> {
  void runOnOperation() override {
    SmallVector<WalkOp> walks;
    getOperation()->walk([&](WalkOp walk) { walks.push_back(walk); });
    IRRewriter rewriter(&getContext());
    for (WalkOp walk : walks)
      (void)classifyWalk(rewriter, walk);
  }
};
} // namespace
