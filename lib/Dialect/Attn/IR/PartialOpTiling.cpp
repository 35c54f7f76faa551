//===- PartialOpTiling.cpp - Tiling attn.partial --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// attn.partial as upstream's tiling interfaces see it: tiles over batch,
// heads, queries and keys, and splitting the keys into parts whose states are
// merged.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

using Folds = SmallVector<OpFoldResult>;

static OpFoldResult addFolds(OpBuilder &b, Location loc, OpFoldResult x,
                             OpFoldResult y) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  return affine::makeComposedFoldedAffineApply(b, loc, d0 + d1, {x, y});
}

/// The slice of `value`, laid out by `map`, that the tile `[offsets, sizes)` of
/// the loops reads. Axes that no loop tiles are taken whole.
static Value sliceOperand(OpBuilder &b, Location loc, Value value,
                          AffineMap map, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes,
                          SmallVectorImpl<Operation *> &slices) {
  if (!value || map.getNumResults() == 0)
    return value;
  Folds sliceOffsets, sliceSizes;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && dim.getPosition() < offsets.size()) {
      sliceOffsets.push_back(offsets[dim.getPosition()]);
      sliceSizes.push_back(sizes[dim.getPosition()]);
      continue;
    }
    sliceOffsets.push_back(b.getIndexAttr(0));
    sliceSizes.push_back(tensor::getMixedSize(b, loc, value, axis));
  }
  Folds strides(sliceOffsets.size(), b.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(b, loc, value, sliceOffsets,
                                              sliceSizes, strides);
  slices.push_back(slice);
  return slice;
}

static AffineMap getRowMap(MLIRContext *context, ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(PartialOp::kNumLoops, 0, exprs, context);
}

/// The tile of `op` that folds its keys into `inits`, which already are tiles.
static PartialOp createTile(PartialOp op, OpBuilder &b, ValueRange inits,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            SmallVectorImpl<Operation *> &slices) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  auto slice = [&](Value value, AffineMap map) {
    return sliceOperand(b, loc, value, map, offsets, sizes, slices);
  };
  auto sliceCaptures = [&](ValueRange captures, std::optional<ArrayAttr> maps) {
    SmallVector<Value> sliced;
    for (auto [n, capture] : llvm::enumerate(captures))
      sliced.push_back(
          slice(capture, cast<AffineMapAttr>((*maps)[n]).getValue()));
    return sliced;
  };

  SmallVector<Value> origin;
  for (auto [value, offset] : llvm::zip_equal(op.getOrigin(), offsets))
    origin.push_back(getValueOrCreateConstantIndexOp(
        b, loc, addFolds(b, loc, value, offset)));

  // Of the tile's keys and rows, those before op's `valid` and `rows` are left.
  auto countLeft = [&](Value count, unsigned dim) -> Value {
    if (!count)
      return count;
    AffineExpr d0, d1, d2;
    bindDims(context, d0, d1, d2);
    OpFoldResult left = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(3, 0, {d0 - d1, d2}, context),
        {OpFoldResult(count), offsets[dim], sizes[dim]});
    left = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(1, 0, {d0, getAffineConstantExpr(0, context)}, context),
        {left});
    return getValueOrCreateConstantIndexOp(b, loc, left);
  };
  Value valid = countLeft(op.getValid(), PartialOp::Key);
  Value rows = countLeft(op.getRows(), PartialOp::Query);

  AffineMap qIds = getRowMap(context, {PartialOp::Batch, PartialOp::Query});
  AffineMap kvIds = getRowMap(context, {PartialOp::Batch, PartialOp::Key});
  AffineMap batch = getRowMap(context, {PartialOp::Batch});
  Value q = slice(op.getQ(), op.getQMap()), k = slice(op.getK(), op.getKMap()),
        v = slice(op.getV(), op.getVMap());
  SmallVector<Value> scoreCaptures =
      sliceCaptures(op.getScoreCaptures(), op.getScoreMaps());
  SmallVector<Value> maskCaptures =
      sliceCaptures(op.getMaskCaptures(), op.getMaskMaps());
  Value tileQIds = slice(op.getQIds(), qIds),
        tileKvIds = slice(op.getKvIds(), kvIds),
        prefix = slice(op.getPrefix(), batch);
  auto tile = PartialOp::create(
      b, loc, inits.getTypes(), q, k, v, inits[0], inits[1], inits[2], origin,
      op.getGroupSize(), valid, rows, op.getMasked(), scoreCaptures,
      maskCaptures, tileQIds, tileKvIds, prefix, op.getMaskAttr(),
      op.getScaleAttr(), op.getMapsAttr(), op.getScoreMapsAttr(),
      op.getMaskMapsAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&tile.getScore(), mapping);
  op.getVisible().cloneInto(&tile.getVisible(), mapping);
  return tile;
}

/// The extent of `acc` along Dv, from `v`: while keys are split, `acc` stands
/// with one more dimension.
static OpFoldResult getValueExtent(PartialOp op, OpBuilder &b) {
  unsigned axis = *PartialOp::getAxis(op.getVMap(), PartialOp::ValueDim);
  return tensor::getMixedSize(b, op.getLoc(), op.getV(), axis);
}

/// Offsets and sizes of the tile of state `resultNumber`; `acc` adds Dv.
static void getStateTile(PartialOp op, OpBuilder &b, unsigned resultNumber,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes, Folds &stateOffsets,
                         Folds &stateSizes) {
  stateOffsets.append(offsets.begin(), offsets.begin() + PartialOp::Key);
  stateSizes.append(sizes.begin(), sizes.begin() + PartialOp::Key);
  if (resultNumber != 2)
    return;
  stateOffsets.push_back(b.getIndexAttr(0));
  stateSizes.push_back(getValueExtent(op, b));
}

//===----------------------------------------------------------------------===//
// TilingInterface
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> PartialOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> types(kNumLoops,
                                         utils::IteratorType::parallel);
  types[Key] = utils::IteratorType::reduction;
  return types;
}

SmallVector<Range> PartialOp::getIterationDomain(OpBuilder &b) {
  SmallVector<Range> domain;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  for (unsigned dim = 0; dim < Key; ++dim)
    domain.push_back(
        {zero, tensor::getMixedSize(b, getLoc(), getM(), dim), one});
  unsigned axis = *getAxis(getKMap(), Key);
  domain.push_back(
      {zero, tensor::getMixedSize(b, getLoc(), getK(), axis), one});
  return domain;
}

FailureOr<TilingResult>
PartialOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  SmallVector<Operation *> slices;
  SmallVector<Value> inits;
  for (auto [n, state] : llvm::enumerate(getDpsInits())) {
    Folds stateOffsets, stateSizes;
    getStateTile(*this, b, n, offsets, sizes, stateOffsets, stateSizes);
    Folds strides(stateOffsets.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        b, getLoc(), state, stateOffsets, stateSizes, strides);
    slices.push_back(slice);
    inits.push_back(slice);
  }
  PartialOp tile = createTile(*this, b, inits, offsets, sizes, slices);
  return TilingResult{
      {tile}, llvm::to_vector_of<Value>(tile->getResults()), slices};
}

LogicalResult PartialOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, Folds &resultOffsets, Folds &resultSizes) {
  getStateTile(*this, b, resultNumber, offsets, sizes, resultOffsets,
               resultSizes);
  return success();
}

LogicalResult PartialOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &iterOffsets,
    SmallVectorImpl<OpFoldResult> &iterSizes) {
  // A tile of Dv would need m and l of its own: there is no such loop.
  if (resultNumber == 2) {
    OpFoldResult whole = getValueExtent(*this, b);
    if (!isZeroInteger(offsets[Key]) ||
        !isEqualConstantIntOrValue(sizes[Key], whole))
      return failure();
  }
  SmallVector<Range> domain = getIterationDomain(b);
  iterOffsets.assign(offsets.begin(), offsets.begin() + Key);
  iterSizes.assign(sizes.begin(), sizes.begin() + Key);
  iterOffsets.push_back(domain[Key].offset);
  iterSizes.push_back(domain[Key].size);
  return success();
}

FailureOr<TilingResult>
PartialOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes) {
  Folds iterOffsets, iterSizes;
  if (failed(getIterationDomainTileFromResultTile(
          b, resultNumber, offsets, sizes, iterOffsets, iterSizes)))
    return failure();
  FailureOr<TilingResult> tile =
      getTiledImplementation(b, iterOffsets, iterSizes);
  if (failed(tile))
    return failure();
  return TilingResult{
      tile->tiledOps, {tile->tiledValues[resultNumber]}, tile->generatedSlices};
}

//===----------------------------------------------------------------------===//
// PartialReductionOpInterface: parts of the keys, each with a state of its own
//===----------------------------------------------------------------------===//

// The states of all parts stand in tensors with one leading dimension more.

static bool splitsKeysOnly(ReductionTilingStrategy strategy,
                           const llvm::SetVector<unsigned> &reductionDims) {
  return strategy == ReductionTilingStrategy::PartialReductionOuterParallel &&
         reductionDims.size() == 1 && reductionDims.contains(PartialOp::Key);
}

FailureOr<SmallVector<Value>>
PartialOp::generateInitialTensorForPartialReduction(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
    const llvm::SetVector<unsigned> &reductionDims) {
  if (reductionDims.size() != 1 || !reductionDims.contains(Key))
    return failure();
  Folds shape = {sizes[Key]};
  llvm::append_range(shape, tensor::getMixedSizes(b, loc, getAcc()));
  SmallVector<Value> dynamicExtents;
  SmallVector<int64_t> staticExtents;
  dispatchIndexOpFoldResults(shape, dynamicExtents, staticExtents);
  Type f32 = b.getF32Type();
  Type acc = RankedTensorType::get(staticExtents, f32);
  Type rows = RankedTensorType::get(ArrayRef(staticExtents).drop_back(), f32);
  auto neutral = NeutralOp::create(b, loc, rows, rows, acc, dynamicExtents);
  return llvm::to_vector_of<Value>(neutral->getResults());
}

LogicalResult PartialOp::getPartialResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ReductionTilingStrategy strategy,
    ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    const llvm::SetVector<unsigned> &reductionDims,
    ArrayRef<OpFoldResult> splitIvs, Folds &resultOffsets, Folds &resultSizes) {
  if (!splitsKeysOnly(strategy, reductionDims))
    return failure();
  resultOffsets.push_back(splitIvs.front());
  resultSizes.push_back(b.getIndexAttr(1));
  getStateTile(*this, b, resultNumber, offsets, sizes, resultOffsets,
               resultSizes);
  return success();
}

FailureOr<TilingResult> PartialOp::tileToPartialReduction(
    OpBuilder &b, Location loc, ReductionTilingStrategy strategy,
    ValueRange inits, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes,
    const llvm::SetVector<unsigned> &reductionDims,
    ArrayRef<OpFoldResult> splitIvs) {
  if (!splitsKeysOnly(strategy, reductionDims)) {
    emitOpError("splits keys in parallel parts only "
                "(PartialReductionOuterParallel over the key dimension): a "
                "state has no key dimension to accumulate into");
    return failure();
  }
  SmallVector<Operation *> slices;
  SmallVector<Value> states;
  for (auto [n, init] : llvm::enumerate(inits)) {
    Folds stateOffsets, stateSizes;
    if (failed(getPartialResultTilePosition(b, n, strategy, offsets, sizes,
                                            reductionDims, splitIvs,
                                            stateOffsets, stateSizes)))
      return failure();
    Folds strides(stateOffsets.size(), b.getIndexAttr(1));
    // The leading 1 goes: the tile is an ordinary state.
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(ArrayRef(stateSizes).drop_front(), dynamic,
                               shape);
    auto slice = tensor::ExtractSliceOp::create(
        b, loc, RankedTensorType::get(shape, b.getF32Type()), init,
        stateOffsets, stateSizes, strides);
    slices.push_back(slice);
    states.push_back(slice);
  }
  PartialOp tile = createTile(*this, b, states, offsets, sizes, slices);
  return TilingResult{
      {tile}, llvm::to_vector_of<Value>(tile->getResults()), slices};
}

FailureOr<MergeResult>
PartialOp::mergeReductions(OpBuilder &b, Location loc, ValueRange parts,
                           const llvm::SetVector<unsigned> &reductionDims) {
  // In the order of the keys, so that a result does not depend on timing.
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = tensor::DimOp::create(b, loc, parts[0], zero);
  auto loop = scf::ForOp::create(
      b, loc, zero, count, one, getDpsInits(),
      [&](OpBuilder &b, Location loc, Value part, ValueRange state) {
        SmallVector<Value> other;
        for (auto [tensor, merged] : llvm::zip_equal(parts, state)) {
          Folds sizes = tensor::getMixedSizes(b, loc, tensor);
          Folds offsets(sizes.size(), b.getIndexAttr(0));
          Folds strides(sizes.size(), b.getIndexAttr(1));
          offsets[0] = part;
          sizes[0] = b.getIndexAttr(1);
          other.push_back(tensor::ExtractSliceOp::create(
              b, loc, cast<RankedTensorType>(merged.getType()), tensor, offsets,
              sizes, strides));
        }
        auto merge = MergeOp::create(b, loc, TypeRange(state),
                                     ValueRange{state[0], state[1], state[2],
                                                other[0], other[1], other[2]});
        scf::YieldOp::create(b, loc, merge->getResults());
      });
  return MergeResult{{loop}, llvm::to_vector_of<Value>(loop->getResults())};
}
