//===- StateOps.cpp - neutral, merge, finalize ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies and folds the operations on states other than attn.partial.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

/// Adds a fault unless `m` is `acc` without its last dimension.
static void requireRowsOf(Faults &faults, Type m, StringRef name, Type acc) {
  auto rows = cast<RankedTensorType>(m), full = cast<RankedTensorType>(acc);
  faults.require(full.getRank() > 0 &&
                     rows.getShape() == full.getShape().drop_back(),
                 "'", name,
                 "' expected the shape of 'acc' without its last "
                 "dimension, got ",
                 m, " for 'acc' ", acc);
}

//===----------------------------------------------------------------------===//
// NeutralOp
//===----------------------------------------------------------------------===//

LogicalResult
NeutralOp::reifyResultShapes(OpBuilder &b,
                             ReifiedRankedShapedTypeDims &reifiedShapes) {
  for (Value state : getResults()) {
    SmallVector<OpFoldResult> shape;
    // The extents are those of acc; m and l lack its last dimension.
    auto extent = getExtents().begin();
    for (int64_t size : cast<RankedTensorType>(state.getType()).getShape())
      shape.push_back(ShapedType::isDynamic(size)
                          ? OpFoldResult(*extent++)
                          : OpFoldResult(b.getIndexAttr(size)));
    reifiedShapes.push_back(shape);
  }
  return success();
}

LogicalResult NeutralOp::verify() {
  Faults faults(*this);
  requireTensors(faults, (*this)->getResults(), {"m", "l", "acc"},
                 Elements::F32);
  if (!faults.empty())
    return faults.emit();
  requireRowsOf(faults, getM().getType(), "m", getAcc().getType()); // C1
  size_t dynamic =
      cast<RankedTensorType>(getAcc().getType()).getNumDynamicDims();
  faults.require(getExtents().size() == dynamic, "expected ", dynamic,
                 " extents, one per dynamic extent of 'acc', got ",
                 getExtents().size()); // C2
  return faults.emit();
}

//===----------------------------------------------------------------------===//
// MergeOp
//===----------------------------------------------------------------------===//

LogicalResult MergeOp::verify() {
  Faults faults(*this);
  requireTensors(faults, (*this)->getOperands(),
                 {"m", "l", "acc", "other_m", "other_l", "other_acc"},
                 Elements::F32);
  if (!faults.empty())
    return faults.emit();
  requireRowsOf(faults, getM().getType(), "m", getAcc().getType()); // C1
  return faults.emit();
}

/// Whether m, l and acc are the three results of one attn.neutral.
static bool isNeutral(Value m, Value l, Value acc) {
  auto neutral = m.getDefiningOp<NeutralOp>();
  return neutral && neutral.getM() == m && neutral.getL() == l &&
         neutral.getAcc() == acc;
}

LogicalResult MergeOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (isNeutral(getOtherM(), getOtherL(), getOtherAcc())) {
    results.assign({getM(), getL(), getAcc()});
    return success();
  }
  if (isNeutral(getM(), getL(), getAcc())) {
    results.assign({getOtherM(), getOtherL(), getOtherAcc()});
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// FinalizeOp
//===----------------------------------------------------------------------===//

AffineMap FinalizeOp::getOutLayout() {
  if (std::optional<AffineMap> map = getOutMap())
    return *map;
  return AffineMap::getMultiDimIdentityMap(5, getContext());
}

LogicalResult FinalizeOp::verify() {
  Faults faults(*this);
  // C5
  requireTensors(faults, (*this)->getOperands().take_front(3),
                 {"m", "l", "acc"}, Elements::F32);
  requireTensor(faults, getOutInitMutable().get(), "out_init", Elements::Float);
  // By range: a typed getter would believe the type.
  for (OpOperand &operand : getLseInitMutable())
    requireTensor(faults, operand.get(), "lse_init", Elements::F32);
  for (OpOperand &operand : getSinksMutable())
    requireTensor(faults, operand.get(), "sinks", Elements::Float);
  for (Value result : getODSResults(1))
    requireTensor(faults, result, "lse", Elements::F32);
  if (!faults.empty())
    return faults.emit();
  auto acc = cast<RankedTensorType>(getAcc().getType());
  auto out = cast<RankedTensorType>(getOut().getType());
  faults.require(acc.getRank() == 5,
                 "'acc' expected [batch, kv_head, group, query, Dv], got ",
                 acc); // C1
  if (!faults.empty())
    return faults.emit();
  requireRowsOf(faults, getM().getType(), "m", acc);
  faults.require(static_cast<bool>(getLse()) == static_cast<bool>(getLseInit()),
                 "'lse' and 'lse_init' expected together"); // C3
  for (auto [value, name] : {std::pair<Value, StringRef>{getLse(), "lse"},
                             {getLseInit(), "lse_init"}})
    if (value)
      faults.require(value.getType() == getM().getType(), "'", name,
                     "' expected ", getM().getType(), " as 'm', got ",
                     value.getType());
  // C4
  AffineMap layout = getOutLayout();
  if (faults.require(
          layout.getNumDims() == 5 && layout.isProjectedPermutation() &&
              layout.getNumResults() == out.getRank(),
          "'out_map' expected a map of 5 dimensions with ", out.getRank(),
          " results, each a dimension used once, "
          "got ",
          layout)) {
    SmallVector<int64_t> expected;
    for (AffineExpr expr : layout.getResults())
      expected.push_back(
          acc.getDimSize(cast<AffineDimExpr>(expr).getPosition()));
    faults.require(succeeded(verifyCompatibleShape(out.getShape(), expected)),
                   "'out' expected the extents of 'acc' ", acc, " by ", layout,
                   ", got ", out);
    for (unsigned dim = 0; dim < 5; ++dim)
      if (!PartialOp::getAxis(layout, dim))
        faults.require(acc.getDimSize(dim) == 1,
                       "'out_map' leaves out "
                       "dimension ",
                       dim, ", expected its extent to be 1, got ",
                       acc.getDimSize(dim));
  }
  // C2
  if (Value sinks = getSinks()) {
    auto type = cast<RankedTensorType>(sinks.getType());
    bool right = type.getRank() == 2 &&
                 succeeded(verifyCompatibleShape(type.getShape(),
                                                 acc.getShape().slice(1, 2)));
    faults.require(right, "'sinks' expected [kv_head, group] of 'acc' ", acc,
                   ", got ", sinks.getType());
  }
  return faults.emit();
}

LogicalResult FinalizeOp::reifyResultShapes(OpBuilder &b,
                                            ReifiedRankedShapedTypeDims &dims) {
  for (Value init : getDpsInits())
    dims.push_back(tensor::getMixedSizes(b, getLoc(), init));
  return success();
}
