//===- PartialOp.cpp - Folding keys into a state --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies and canonicalizes attn.partial.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

static constexpr StringRef kDimNames[] = {"batch", "kv_head", "group", "query",
                                          "key",   "D",       "Dv"};

std::optional<unsigned> PartialOp::getAxis(AffineMap map, unsigned dim) {
  for (auto [axis, expr] : llvm::enumerate(map.getResults()))
    if (auto d = dyn_cast<AffineDimExpr>(expr); d && d.getPosition() == dim)
      return axis;
  return std::nullopt;
}

/// C1 for one of q, k, v: uses exactly the two `required` dimensions, and only
/// batch, kv_head and (for q) group beside.
static void verifyLayout(Faults &faults, StringRef name, AffineMap map,
                         RankedTensorType type, ArrayRef<unsigned> required,
                         ArrayRef<unsigned> allowed) {
  if (!faults.require(map.getNumDims() == 7 && map.isProjectedPermutation() &&
                          map.getNumResults() == type.getRank(),
                      "'", name, "' expected a map of 7 dimensions with ",
                      type.getRank(),
                      " results, each a dimension used once, "
                      "got ",
                      map))
    return;
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    faults.require(llvm::is_contained(required, dim) ||
                       llvm::is_contained(allowed, dim),
                   "'", name, "' expected no dimension ", kDimNames[dim],
                   " in its map, got ", map);
  }
  for (unsigned dim : required)
    faults.require(PartialOp::getAxis(map, dim).has_value(), "'", name,
                   "' expected dimension ", kDimNames[dim], " in its map, got ",
                   map);
}

LogicalResult PartialOp::verify() {
  Faults faults(*this);
  if (!faults.require(getMaps().size() == 3,
                      "'maps' expected 3 maps, for q, "
                      "k and v, got ",
                      getMaps().size()))
    return faults.emit();
  // Results have the types of the states: C7.
  requireTensors(faults, (*this)->getOperands().take_front(3), {"q", "k", "v"},
                 Elements::Float);
  requireTensors(faults, (*this)->getOperands().slice(3, 3), {"m", "l", "acc"},
                 Elements::F32);
  // By range: a typed getter would believe the type.
  auto requireIds = [&](MutableOperandRange range, StringRef name,
                        int64_t rank) {
    for (OpOperand &operand : range)
      requireTensor(faults, operand.get(), name, Elements::I32, rank);
  };
  requireIds(getQIdsMutable(), "q_ids", 2);
  requireIds(getKvIdsMutable(), "kv_ids", 2);
  requireIds(getPrefixMutable(), "prefix", 1);
  if (!faults.empty())
    return faults.emit();
  auto tensor = [](Value v) { return cast<RankedTensorType>(v.getType()); };
  faults.require(getOrigin().size() == kNumLoops, "'origin' expected ",
                 kNumLoops, " values, got ", getOrigin().size());
  faults.require(tensor(getM()).getRank() == 4,
                 "'m' expected [batch, kv_head, group, query], got ",
                 getM().getType());
  faults.require(tensor(getAcc()).getRank() == 5,
                 "'acc' expected [batch, kv_head, group, query, Dv], got ",
                 getAcc().getType());
  if (!faults.empty())
    return faults.emit();

  // C1
  const unsigned outer[] = {Batch, KvHead, Group};
  verifyLayout(faults, "q", getQMap(), tensor(getQ()), {Query, HeadDim}, outer);
  verifyLayout(faults, "k", getKMap(), tensor(getK()), {Key, HeadDim},
               ArrayRef(outer).take_front(2));
  verifyLayout(faults, "v", getVMap(), tensor(getV()), {Key, ValueDim},
               ArrayRef(outer).take_front(2));
  if (!faults.empty())
    return faults.emit();

  // C2, C3
  DomainExtents extents(faults, kDimNames);
  for (auto [dim, extent] : llvm::enumerate(tensor(getM()).getShape()))
    extents.set(dim, extent, "m");
  for (auto [dim, extent] : llvm::enumerate(tensor(getAcc()).getShape()))
    extents.set(dim == 4 ? unsigned(ValueDim) : dim, extent, "acc");
  extents.set(getQMap(), tensor(getQ()), "q");
  extents.set(getKMap(), tensor(getK()), "k");
  extents.set(getVMap(), tensor(getV()), "v");
  if (getQIds() && getKvIds()) {
    extents.set(Batch, tensor(getQIds()).getDimSize(0), "q_ids");
    extents.set(Query, tensor(getQIds()).getDimSize(1), "q_ids");
    extents.set(Batch, tensor(getKvIds()).getDimSize(0), "kv_ids");
    extents.set(Key, tensor(getKvIds()).getDimSize(1), "kv_ids");
  }
  if (getPrefix())
    extents.set(Batch, tensor(getPrefix()).getDimSize(0), "prefix");

  // C4
  Type element = tensor(getQ()).getElementType();
  for (auto [value, name] :
       {std::pair<Value, StringRef>{getK(), "k"}, {getV(), "v"}})
    faults.require(tensor(value).getElementType() == element, "'", name,
                   "' expected element type ", element, " as in 'q', got ",
                   tensor(value).getElementType());
  verifyScale(faults, getScale().convertToDouble()); // C5
  verifyMaskOperands(faults, getMaskAttr(), getVisible(), getQIds(), getKvIds(),
                     getPrefix()); // C6
  return faults.emit();            // C7 is AllTypesMatch
}

LogicalResult PartialOp::verifyRegions() {
  Faults faults(*this);
  Builder b(getContext());
  DomainExtents extents(faults, ArrayRef(kDimNames).take_front(kNumLoops));
  for (auto [dim, extent] :
       llvm::enumerate(cast<RankedTensorType>(getM().getType()).getShape()))
    extents.set(dim, extent, "m");
  auto k = cast<RankedTensorType>(getK().getType());
  extents.set(Key, k.getDimSize(*getAxis(getKMap(), Key)), "k");
  Type index = b.getIndexType();
  verifyRegion(faults, "score", getScore(), getScoreCaptures(), getScoreMaps(),
               {b.getF32Type(), index, index, index, index}, b.getF32Type(),
               extents, kNumLoops);
  verifyRegion(faults, "visible", getVisible(), getMaskCaptures(),
               getMaskMaps(), {index, index, index, index}, b.getI1Type(),
               extents, kNumLoops);
  return faults.emit();
}

LogicalResult PartialOp::reifyResultShapes(OpBuilder &b,
                                           ReifiedRankedShapedTypeDims &dims) {
  for (Value init : {Value(getM()), Value(getL()), Value(getAcc())})
    dims.push_back(tensor::getMixedSizes(b, getLoc(), init));
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

PartialOp PartialOp::cloneUnmasked(OpBuilder &b) {
  auto clone = PartialOp::create(
      b, getLoc(), getResultTypes(), getQ(), getK(), getV(), getM(), getL(),
      getAcc(), getOrigin(), getGroupSize(), /*valid=*/Value(), getRows(),
      /*masked=*/Value(), getScoreCaptures(), /*mask_captures=*/ValueRange(),
      /*q_ids=*/Value(), /*kv_ids=*/Value(), /*prefix=*/Value(),
      /*mask=*/Attribute(), getScaleAttr(), getMapsAttr(), getScoreMapsAttr(),
      /*mask_maps=*/ArrayAttr());
  IRMapping mapping;
  getScore().cloneInto(&clone.getScore(), mapping);
  clone->setDiscardableAttrs(
      llvm::to_vector(getOperation()->getDiscardableAttrs()));
  return clone;
}

namespace {
/// `masked` is the constant false: mask and `valid` hide nothing.
struct DropUnusedMask : OpRewritePattern<PartialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMasked())
      return rewriter.notifyMatchFailure(op, "the mask always counts");
    if (op.hidesKeys() && !matchPattern(op.getMasked(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "the mask may count");
    rewriter.replaceOp(op, op.cloneUnmasked(rewriter));
    return success();
  }
};

/// `masked` is the constant true: the mask always counts.
struct DropConstantMasked : OpRewritePattern<PartialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMasked() || !matchPattern(op.getMasked(), m_One()))
      return rewriter.notifyMatchFailure(op, "masked is not the constant true");
    rewriter.modifyOpInPlace(op, [&] { op.getMaskedMutable().clear(); });
    return success();
  }
};

/// No key: the state stays as it is.
struct DropWithoutKeys : OpRewritePattern<PartialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    unsigned axis = *PartialOp::getAxis(op.getKMap(), PartialOp::Key);
    if (cast<RankedTensorType>(op.getK().getType()).getDimSize(axis) != 0)
      return rewriter.notifyMatchFailure(op, "there may be keys");
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
};

/// Every key of the piece is valid.
struct DropFullValid : OpRewritePattern<PartialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    unsigned axis = *PartialOp::getAxis(op.getKMap(), PartialOp::Key);
    int64_t keys = cast<RankedTensorType>(op.getK().getType()).getDimSize(axis);
    std::optional<int64_t> valid =
        op.getValid() ? getConstantIntValue(op.getValid()) : std::nullopt;
    if (!valid || ShapedType::isDynamic(keys) || *valid < keys)
      return rewriter.notifyMatchFailure(op, "some keys may not be valid");
    rewriter.modifyOpInPlace(op, [&] { op.getValidMutable().clear(); });
    return success();
  }
};

/// Casts to less static types are looked through, as upstream's pattern for
/// operations in destination-passing style does. That one clones the operation
/// and cannot clone a region without blocks: this one must come first.
struct FoldOperandCasts : OpRewritePattern<PartialOp> {
  explicit FoldOperandCasts(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    if (!tensor::hasFoldableTensorCastOperand(op))
      return rewriter.notifyMatchFailure(op, "no cast to look through");
    SmallVector<Type> types(op->getResultTypes());
    SmallVector<Value> operands =
        tensor::getUpdatedOperandsAfterCastOpFolding(op, types);
    OperationState state(op.getLoc(), op->getName(), operands, types);
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *folded = rewriter.create(state);
    for (auto [to, from] :
         llvm::zip_equal(folded->getRegions(), op->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    SmallVector<Value> results(folded->getResults());
    for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes()))
      if (result.getType() != type)
        result = tensor::CastOp::create(rewriter, op.getLoc(), type, result);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void PartialOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropUnusedMask, DropConstantMasked, DropFullValid,
               DropWithoutKeys, FoldOperandCasts>(context);
}
