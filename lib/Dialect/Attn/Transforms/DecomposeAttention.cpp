//===- DecomposeAttention.cpp - attn.attention into the monoid ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits heads into kv head and group, turns the alignment into positions, and
// makes a loop over batches where lengths are the batch's own.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDECOMPOSEATTENTIONPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

using Folds = SmallVector<OpFoldResult>;

namespace {

/// A run of queries or keys: which batch, where it begins, how long it is.
struct Piece {
  OpFoldResult begin;
  OpFoldResult length;
};

/// Decomposes one attn.attention.
class Decomposer {
public:
  Decomposer(AttentionOp op, RewriterBase &b)
      : op(op), b(b), loc(op.getLoc()), context(op.getContext()) {
    heads = size(op.getQ(), op.getHeadAxis());
    kvHeads = size(op.getK(), op.getHeadAxis());
    // Without kv heads there are no heads at all: any group size is right.
    AffineExpr h = getAffineSymbolExpr(0, context);
    AffineExpr kv = getAffineSymbolExpr(1, context);
    OpFoldResult divisor = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1, {h, getAffineConstantExpr(1, context)}, context),
        {kvHeads});
    group = affine::makeComposedFoldedAffineApply(b, loc, h.floorDiv(kv),
                                                  {heads, divisor});
  }

  SmallVector<Value> run() {
    spreadEmptyExtents();
    return op.isPacked() || op.getSequsedQ() || op.getSequsedKv()
               ? loopOverBatches()
               : decomposeAll();
  }

private:
  OpFoldResult size(Value tensor, int64_t axis) {
    return tensor::getMixedSize(b, loc, tensor, axis);
  }
  OpFoldResult index(int64_t n) { return b.getIndexAttr(n); }
  Value toValue(OpFoldResult fold) {
    return getValueOrCreateConstantIndexOp(b, loc, fold);
  }
  AffineMap mapOf(unsigned dims, ArrayRef<unsigned> results) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : results)
      exprs.push_back(getAffineDimExpr(dim, context));
    return AffineMap::get(dims, 0, exprs, context);
  }

  /// Splits axis `axis` of `tensor`, the query heads, into kv head and group.
  Value splitHeads(Value tensor, int64_t axis) {
    Folds shape = tensor::getMixedSizes(b, loc, tensor);
    SmallVector<ReassociationIndices> groups;
    Folds split;
    for (int64_t n = 0, e = shape.size(); n < e; ++n) {
      int64_t at = split.size();
      if (n != axis) {
        groups.push_back({at});
        split.push_back(shape[n]);
        continue;
      }
      groups.push_back({at, at + 1});
      split.append({kvHeads, group});
    }
    SmallVector<int64_t> staticShape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(split, dynamic, staticShape);
    auto source = cast<RankedTensorType>(tensor.getType());
    // An extent that splits into unknown ones must be unknown itself.
    if (!source.isDynamicDim(axis) &&
        ShapedType::isDynamicShape(ArrayRef(staticShape).slice(axis, 2))) {
      SmallVector<int64_t> shape(source.getShape());
      shape[axis] = ShapedType::kDynamic;
      tensor = tensor::CastOp::create(b, loc, source.clone(shape), tensor);
    }
    return tensor::ExpandShapeOp::create(b, loc, source.clone(staticShape),
                                         tensor, groups, split);
  }

  /// Joins axes `axis` and `axis + 1` of `tensor` into the heads of `type`.
  Value joinHeads(Value tensor, int64_t axis, Type type) {
    SmallVector<ReassociationIndices> groups;
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t n = 0; n < rank; ++n) {
      groups.push_back({n});
      if (n == axis)
        groups.back().push_back(++n);
    }
    Value joined = tensor::CollapseShapeOp::create(b, loc, tensor, groups);
    if (joined.getType() != type)
      joined = tensor::CastOp::create(b, loc, type, joined);
    return joined;
  }

  /// Where one operand says that there are no queries or no keys, all say so:
  /// a slice of nothing is no operation of `tensor`.
  void spreadEmptyExtents() {
    enum { I = 2, J = 3 };
    for (unsigned place : {I, J}) {
      SmallVector<std::pair<OpOperand *, int64_t>> axes;
      bool isQuery = place == I, isEmpty = false;
      if (isQuery) {
        axes.push_back({&op.getQMutable(), op.getLengthAxis()});
        isEmpty = op.getOut().getType().getDimSize(op.getLengthAxis()) == 0;
      } else {
        axes.push_back({&op.getKMutable(), op.getLengthAxis()});
        axes.push_back({&op.getVMutable(), op.getLengthAxis()});
      }
      for (OpOperand &ids :
           isQuery ? op.getQIdsMutable() : op.getKvIdsMutable())
        axes.push_back({&ids, 1});
      auto addCaptures = [&](MutableOperandRange captures,
                             std::optional<ArrayAttr> maps) {
        for (auto [n, capture] : llvm::enumerate(captures)) {
          AffineMap map = cast<AffineMapAttr>((*maps)[n]).getValue();
          if (auto axis =
                  map.getResultPosition(getAffineDimExpr(place, context)))
            axes.push_back({&capture, *axis});
        }
      };
      addCaptures(op.getScoreCapturesMutable(), op.getScoreMaps());
      addCaptures(op.getMaskCapturesMutable(), op.getMaskMaps());
      auto sizeOf = [](std::pair<OpOperand *, int64_t> at) {
        return cast<RankedTensorType>(at.first->get().getType())
            .getDimSize(at.second);
      };
      if (!isEmpty &&
          llvm::none_of(axes, [&](auto at) { return sizeOf(at) == 0; }))
        continue;
      for (auto [operand, axis] : axes) {
        if (sizeOf({operand, axis}) == 0)
          continue;
        Folds shape = tensor::getMixedSizes(b, loc, operand->get());
        shape[axis] = index(0);
        Value empty = tensor::EmptyOp::create(
            b, loc, shape, getElementTypeOrSelf(operand->get()));
        b.modifyOpInPlace(op, [&, operand = operand] { operand->set(empty); });
      }
    }
  }

  static bool hasNoElements(Value tensor) {
    return llvm::is_contained(
        cast<RankedTensorType>(tensor.getType()).getShape(), 0);
  }

  Value slice(Value tensor, ArrayRef<OpFoldResult> offsets,
              ArrayRef<OpFoldResult> sizes) {
    if (hasNoElements(tensor))
      return tensor::EmptyOp::create(b, loc, sizes,
                                     getElementTypeOrSelf(tensor));
    Folds strides(offsets.size(), index(1));
    return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes,
                                          strides);
  }

  /// The parts of a capture that one batch sees, its heads split, and its map
  /// over (b, kv_head, group, i, j).
  std::pair<Value, Attribute> convertCapture(Value capture, Attribute mapAttr,
                                             std::optional<OpFoldResult> batch,
                                             const Piece &queries,
                                             const Piece &keys) {
    AffineMap map = cast<AffineMapAttr>(mapAttr).getValue();
    if (map.getNumResults() == 0)
      return {capture, AffineMapAttr::get(AffineMap::get(PartialOp::kNumLoops,
                                                         0, {}, context))};
    enum { B, H, I, J };
    if (batch) {
      Folds offsets, sizes;
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        unsigned place = dim ? dim.getPosition() : unsigned(H);
        offsets.push_back(place == B   ? *batch
                          : place == I ? queries.begin
                          : place == J ? keys.begin
                                       : index(0));
        sizes.push_back(place == B   ? index(1)
                        : place == I ? queries.length
                        : place == J ? keys.length
                                     : size(capture, axis));
      }
      capture = slice(capture, offsets, sizes);
    }
    SmallVector<AffineExpr> exprs;
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim) {
        exprs.push_back(expr);
        continue;
      }
      const unsigned places[] = {PartialOp::Batch, PartialOp::KvHead,
                                 PartialOp::Query, PartialOp::Key};
      exprs.push_back(getAffineDimExpr(places[dim.getPosition()], context));
      if (dim.getPosition() == H) {
        capture = splitHeads(capture, exprs.size() - 1);
        exprs.push_back(getAffineDimExpr(PartialOp::Group, context));
      }
    }
    return {capture, AffineMapAttr::get(AffineMap::get(PartialOp::kNumLoops, 0,
                                                       exprs, context))};
  }

  std::pair<SmallVector<Value>, ArrayAttr>
  convertCaptures(ValueRange captures, std::optional<ArrayAttr> maps,
                  std::optional<OpFoldResult> batch, const Piece &queries,
                  const Piece &keys) {
    SmallVector<Value> values;
    SmallVector<Attribute> newMaps;
    for (auto [n, capture] : llvm::enumerate(captures)) {
      auto [value, map] =
          convertCapture(capture, (*maps)[n], batch, queries, keys);
      values.push_back(value);
      newMaps.push_back(map);
    }
    return {values, maps ? b.getArrayAttr(newMaps) : ArrayAttr()};
  }

  /// neutral, partial and finalize over `q` (heads split), `k`, `v` as laid out
  /// by `maps`, into the destinations. `batch` is set inside a loop over
  /// batches, where tensors hold that batch alone.
  FinalizeOp emit(Value q, Value k, Value v, ArrayRef<AffineMap> maps,
                  std::optional<OpFoldResult> batch, const Piece &queries,
                  const Piece &keys, Value out, Value lse, AffineMap outMap) {
    Folds accShape = {batch ? index(1) : size(op.getQ(), 0), kvHeads, group,
                      queries.length, index(op.getValueDim())};
    SmallVector<int64_t> staticShape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(accShape, dynamic, staticShape);
    Type acc = RankedTensorType::get(staticShape, b.getF32Type());
    Type rows = RankedTensorType::get(ArrayRef(staticShape).drop_back(),
                                      b.getF32Type());
    auto neutral = NeutralOp::create(b, loc, rows, rows, acc, dynamic);

    // Position of the first query: bottom right puts the last at the last key.
    OpFoldResult shift = index(0);
    if (op.getAlignment() == Alignment::BottomRight) {
      AffineExpr s0, s1;
      bindSymbols(context, s0, s1);
      shift = affine::makeComposedFoldedAffineApply(
          b, loc, s0 - s1, {keys.length, queries.length});
    }
    Value zero = toValue(index(0));
    SmallVector<Value> origin = {batch ? toValue(*batch) : zero, zero, zero,
                                 toValue(shift), zero};
    auto [scoreCaptures, scoreMaps] = convertCaptures(
        op.getScoreCaptures(), op.getScoreMaps(), batch, queries, keys);
    auto [maskCaptures, maskMaps] = convertCaptures(
        op.getMaskCaptures(), op.getMaskMaps(), batch, queries, keys);
    Value qIds = op.getQIds(), kvIds = op.getKvIds(), prefix = op.getPrefix();
    if (batch) {
      OpFoldResult row = op.isPacked() ? index(0) : *batch;
      if (qIds) {
        qIds = slice(qIds, {row, queries.begin}, {index(1), queries.length});
        kvIds = slice(kvIds, {row, keys.begin}, {index(1), keys.length});
      }
      if (prefix)
        prefix = slice(prefix, {*batch}, {index(1)});
    }
    auto partial = PartialOp::create(
        b, loc, TypeRange{rows, rows, acc}, q, k, v, neutral.getM(),
        neutral.getL(), neutral.getAcc(), origin, toValue(group),
        /*valid=*/Value(), /*rows=*/Value(), /*masked=*/Value(), scoreCaptures,
        maskCaptures, qIds, kvIds, prefix, op.getMaskAttr(),
        b.getF64FloatAttr(op.getEffectiveScale()),
        b.getAffineMapArrayAttr(maps), scoreMaps, maskMaps);
    IRMapping mapping;
    op.getScore().cloneInto(&partial.getScore(), mapping);
    op.getVisible().cloneInto(&partial.getVisible(), mapping);
    copySchedule(op, partial);

    Value sinks = op.getSinks() ? splitHeads(op.getSinks(), 0) : Value();
    return FinalizeOp::create(
        b, loc, out.getType(), lse ? lse.getType() : Type(), partial.getNewM(),
        partial.getNewL(), partial.getNewAcc(), out, lse, sinks,
        outMap ? AffineMapAttr::get(outMap) : AffineMapAttr());
  }

  SmallVector<AffineMap> getBatchedMaps() {
    return {mapOf(7, {0, 1, 2, 3, 5}), mapOf(7, {0, 1, 4, 5}),
            mapOf(7, {0, 1, 4, 6})};
  }

  SmallVector<Value> decomposeAll() {
    Piece queries = {index(0), size(op.getQ(), 2)};
    Piece keys = {index(0), size(op.getK(), 2)};
    Type element = op.getOut().getType().getElementType();
    Folds shape = {size(op.getQ(), 0), kvHeads, group, queries.length,
                   index(op.getValueDim())};
    Value out = tensor::EmptyOp::create(b, loc, shape, element);
    Value lse;
    if (op.getLse())
      lse = tensor::EmptyOp::create(b, loc, ArrayRef(shape).drop_back(),
                                    b.getF32Type());
    FinalizeOp result =
        emit(splitHeads(op.getQ(), 1), op.getK(), op.getV(), getBatchedMaps(),
             std::nullopt, queries, keys, out, lse, AffineMap());
    SmallVector<Value> results = {
        joinHeads(result.getOut(), 1, op.getOut().getType())};
    if (op.getLse())
      results.push_back(joinHeads(result.getLse(), 1, op.getLse().getType()));
    return results;
  }

  /// Entry `n` of an i32 tensor, clamped to [low, high].
  Value readClamped(Value tensor, Value n, OpFoldResult low,
                    OpFoldResult high) {
    Value entry = tensor::ExtractOp::create(b, loc, tensor, ValueRange{n});
    entry = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry);
    entry = arith::MaxSIOp::create(b, loc, entry, toValue(low));
    return arith::MinSIOp::create(b, loc, entry, toValue(high));
  }

  /// The entries of `cuSeqlens` as indices, clamped to `[0, extent]` and none
  /// below the one before: bounds of segments that lie apart, whatever the
  /// caller passed. All at once, so that segments do not depend on each other.
  Value getBounds(Value cuSeqlens, OpFoldResult extent) {
    OpFoldResult count = size(cuSeqlens, 0);
    Value empty =
        tensor::EmptyOp::create(b, loc, ArrayRef(count), b.getIndexType());
    Value zero = toValue(index(0)), one = toValue(index(1));
    auto loop = scf::ForOp::create(
        b, loc, zero, toValue(count), one, ValueRange{empty, zero},
        [&](OpBuilder &, Location, Value, ValueRange) {});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value n = loop.getInductionVar();
    Value bound = readClamped(cuSeqlens, n, loop.getRegionIterArg(1), extent);
    Value bounds =
        tensor::InsertOp::create(b, loc, bound, loop.getRegionIterArg(0), n);
    scf::YieldOp::create(b, loc, ValueRange{bounds, bound});
    return loop.getResult(0);
  }

  /// What of the queries or keys batch `batch` has. `bounds`, of segments, and
  /// `used` may be null.
  Piece getPiece(Value batch, OpFoldResult extent, Value bounds, Value used) {
    Piece piece = {index(0), extent};
    if (bounds) {
      Value next = arith::AddIOp::create(b, loc, batch, toValue(index(1)));
      Value begin = tensor::ExtractOp::create(b, loc, bounds, batch);
      Value end = tensor::ExtractOp::create(b, loc, bounds, next);
      piece.begin = begin;
      piece.length = arith::SubIOp::create(b, loc, end, begin).getResult();
    }
    if (used)
      piece.length = readClamped(used, batch, index(0), piece.length);
    return piece;
  }

  /// A tensor of the given shape filled with `value`.
  Value filled(ArrayRef<OpFoldResult> shape, TypedAttr value) {
    Value empty = tensor::EmptyOp::create(b, loc, shape, value.getType());
    Value scalar = arith::ConstantOp::create(b, loc, value);
    return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
  }

  SmallVector<Value> loopOverBatches() {
    bool packed = op.isPacked();
    OpFoldResult queryExtent = size(op.getQ(), op.getLengthAxis());
    OpFoldResult keyExtent = size(op.getK(), op.getLengthAxis());
    OpFoldResult batches =
        packed ? affine::makeComposedFoldedAffineApply(
                     b, loc, getAffineSymbolExpr(0, context) - 1,
                     {size(op.getCuSeqlensQ(), 0)})
               : size(op.getQ(), 0);
    Value boundsQ, boundsKv;
    if (packed) {
      boundsQ = getBounds(op.getCuSeqlensQ(), queryExtent);
      boundsKv = getBounds(op.getCuSeqlensKv(), keyExtent);
    }
    // Rows beyond a segment's length, or in no segment, keep these values.
    auto element = cast<FloatType>(op.getOut().getType().getElementType());
    OpFoldResult dv = index(op.getValueDim());
    Folds outShape = packed ? Folds{queryExtent, kvHeads, group, dv}
                            : Folds{batches, kvHeads, group, queryExtent, dv};
    SmallVector<Value> inits = {filled(outShape, b.getFloatAttr(element, 0))};
    Folds lseShape = packed ? Folds{kvHeads, group, queryExtent}
                            : Folds{batches, kvHeads, group, queryExtent};
    if (op.getLse())
      inits.push_back(filled(
          lseShape, b.getFloatAttr(b.getF32Type(),
                                   -std::numeric_limits<double>::infinity())));

    Value zero = toValue(index(0)), end = toValue(batches),
          one = toValue(index(1));
    auto loop =
        scf::ForOp::create(b, loc, zero, end, one, inits,
                           [&](OpBuilder &, Location, Value, ValueRange) {});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value batch = loop.getInductionVar();
    Piece queries = getPiece(batch, queryExtent, boundsQ, op.getSequsedQ());
    Piece keys = getPiece(batch, keyExtent, boundsKv, op.getSequsedKv());

    SmallVector<Value> results =
        packed ? emitPackedBatch(batch, queries, keys, loop.getRegionIterArgs())
               : emitUsedBatch(batch, queries, keys, loop.getRegionIterArgs());
    scf::YieldOp::create(b, loc, results);
    b.setInsertionPointAfter(loop);
    results = {joinHeads(loop.getResult(0), 1, op.getOut().getType())};
    if (op.getLse())
      results.push_back(
          joinHeads(loop.getResult(1), packed ? 0 : 1, op.getLse().getType()));
    return results;
  }

  /// One segment of packed tensors: [rows, heads, dim] without a batch.
  SmallVector<Value> emitPackedBatch(Value batch, const Piece &queries,
                                     const Piece &keys, ValueRange outs) {
    auto take = [&](Value tensor, const Piece &piece) {
      return slice(tensor, {piece.begin, index(0), index(0)},
                   {piece.length, size(tensor, 1), size(tensor, 2)});
    };
    SmallVector<AffineMap> maps = {mapOf(7, {3, 1, 2, 5}), mapOf(7, {4, 1, 5}),
                                   mapOf(7, {4, 1, 6})};
    Folds outOffsets = {queries.begin, index(0), index(0), index(0)};
    Folds outSizes = {queries.length, kvHeads, group, index(op.getValueDim())};
    Folds lseOffsets = {index(0), index(0), queries.begin};
    Folds lseSizes = {kvHeads, group, queries.length};
    // A finalized lse has a batch dimension; the slice drops it.
    Value lse =
        op.getLse() ? sliceWithBatch(outs[1], lseOffsets, lseSizes) : Value();
    Value q = splitHeads(take(op.getQ(), queries), 1);
    Value k = take(op.getK(), keys), v = take(op.getV(), keys);
    Value out = slice(outs[0], outOffsets, outSizes);
    FinalizeOp result = emit(q, k, v, maps, OpFoldResult(batch), queries, keys,
                             out, lse, mapOf(5, {3, 1, 2, 4}));
    SmallVector<Value> results = {
        insert(result.getOut(), outs[0], outOffsets, outSizes)};
    if (op.getLse()) {
      Value rows = tensor::CollapseShapeOp::create(
          b, loc, result.getLse(),
          SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
      results.push_back(insert(rows, outs[1], lseOffsets, lseSizes));
    }
    return results;
  }

  /// `tensor`'s slice with a leading dimension of 1 put before.
  Value sliceWithBatch(Value tensor, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
    Value part = slice(tensor, offsets, sizes);
    Folds shape = {index(1)};
    llvm::append_range(shape, sizes);
    SmallVector<int64_t> staticShape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(shape, dynamic, staticShape);
    auto type = RankedTensorType::get(
        staticShape, cast<RankedTensorType>(part.getType()).getElementType());
    return tensor::ExpandShapeOp::create(
        b, loc, type, part, SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}},
        shape);
  }

  Value insert(Value part, Value tensor, ArrayRef<OpFoldResult> offsets,
               ArrayRef<OpFoldResult> sizes) {
    if (hasNoElements(tensor))
      return tensor;
    Folds strides(offsets.size(), index(1));
    return tensor::InsertSliceOp::create(b, loc, part, tensor, offsets, sizes,
                                         strides);
  }

  /// The used part of one batch of unpacked tensors.
  SmallVector<Value> emitUsedBatch(Value batch, const Piece &queries,
                                   const Piece &keys, ValueRange outs) {
    OpFoldResult at = batch, zero = index(0), one = index(1);
    auto take = [&](Value tensor, const Piece &piece) {
      return slice(tensor, {at, zero, piece.begin, zero},
                   {one, size(tensor, 1), piece.length, size(tensor, 3)});
    };
    Folds offsets = {at, zero, zero, queries.begin, zero};
    Folds sizes = {one, kvHeads, group, queries.length,
                   index(op.getValueDim())};
    ArrayRef<OpFoldResult> rowOffsets = ArrayRef(offsets).drop_back();
    ArrayRef<OpFoldResult> rowSizes = ArrayRef(sizes).drop_back();
    Value lse = op.getLse() ? slice(outs[1], rowOffsets, rowSizes) : Value();
    Value q = splitHeads(take(op.getQ(), queries), 1);
    Value k = take(op.getK(), keys), v = take(op.getV(), keys);
    Value out = slice(outs[0], offsets, sizes);
    FinalizeOp result = emit(q, k, v, getBatchedMaps(), at, queries, keys, out,
                             lse, AffineMap());
    SmallVector<Value> results = {
        insert(result.getOut(), outs[0], offsets, sizes)};
    if (op.getLse())
      results.push_back(insert(result.getLse(), outs[1], rowOffsets, rowSizes));
    return results;
  }

  AttentionOp op;
  RewriterBase &b;
  Location loc;
  MLIRContext *context;
  OpFoldResult heads, kvHeads, group;
};

struct DecomposeAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, Decomposer(op, rewriter).run());
    return success();
  }
};

struct DecomposeAttentionPass
    : attn::impl::AttnDecomposeAttentionPassBase<DecomposeAttentionPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeAttentionPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void attn::populateDecomposeAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeAttention>(patterns.getContext());
}
