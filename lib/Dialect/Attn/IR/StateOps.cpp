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

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

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

LogicalResult NeutralOp::verify() {
  Faults faults(*this);
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

LogicalResult FinalizeOp::verify() {
  Faults faults(*this);
  requireRowsOf(faults, getM().getType(), "m", getAcc().getType()); // C1
  auto acc = cast<RankedTensorType>(getAcc().getType());
  auto out = cast<RankedTensorType>(getOut().getType());
  faults.require(out.getShape() == acc.getShape(),
                 "'out' expected the shape of 'acc' ", acc, ", got ", out);
  if (getLse())
    faults.require(getLse().getType() == getM().getType(), "'lse' expected ",
                   getM().getType(), " as 'm', got ", getLse().getType()); // C3
  if (Value sinks = getSinks()) {
    auto type = cast<RankedTensorType>(sinks.getType());
    // C2
    bool right = acc.getRank() == 5 && type.getRank() == 2 &&
                 succeeded(verifyCompatibleShape(type.getShape(),
                                                 acc.getShape().slice(1, 2)));
    faults.require(right, "'sinks' expected [kv_head, group] of 'acc' ", acc,
                   ", got ", type);
  }
  return faults.emit();
}

LogicalResult FinalizeOp::reifyResultShapes(OpBuilder &b,
                                            ReifiedRankedShapedTypeDims &dims) {
  dims.push_back(tensor::getMixedSizes(b, getLoc(), getAcc()));
  if (getLse())
    dims.push_back(tensor::getMixedSizes(b, getLoc(), getM()));
  return success();
}
