//===- AttentionOp.cpp - The user-level attention operation ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies attn.attention and tells the shapes of its results.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

double AttentionOp::getEffectiveScale() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  return 1.0 / std::sqrt(static_cast<double>(getHeadDim()));
}

/// The domain that the operands of `op` span, for agreement of extents.
enum AttentionDim { kBatch, kHead, kQuery, kKey, kKvHead, kHeadDim, kValueDim };
static constexpr StringRef kDimNames[] = {"B",   "Hq", "Sq", "Skv",
                                          "Hkv", "D",  "Dv"};

static void verifyRanks(AttentionOp op, Faults &faults) {
  int64_t rank = op.isPacked() ? 3 : 4;
  StringRef form = op.isPacked() ? "[total, heads, dim], as 'cu_seqlens' packs"
                                 : "[batch, heads, length, dim]";
  auto check = [&](Value value, StringRef name, int64_t expected,
                   StringRef what) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    faults.require(type && type.getRank() == expected, "'", name,
                   "' expected rank ", expected, " ", what, ", got ",
                   value.getType());
  };
  check(op.getQ(), "q", rank, form);
  check(op.getK(), "k", rank, form);
  check(op.getV(), "v", rank, form);
  check(op.getOut(), "out", rank, form);
  if (Value lse = op.getLse())
    check(lse, "lse", rank - 1,
          op.isPacked() ? "[heads, total]" : "[batch, heads, length]");
  if (Value sinks = op.getSinks())
    check(sinks, "sinks", 1, "[heads]");
}

static void verifyElementTypes(AttentionOp op, Faults &faults) {
  Type element = op.getQ().getType().getElementType();
  auto check = [&](Value value, StringRef name) {
    Type got = cast<ShapedType>(value.getType()).getElementType();
    faults.require(got == element, "'", name, "' expected element type ",
                   element, " as in 'q', got ", got);
  };
  check(op.getK(), "k");
  check(op.getV(), "v");
  check(op.getOut(), "out");
}

static void verifyExtents(AttentionOp op, Faults &faults,
                          DomainExtents &extents) {
  auto shape = [](Value v) { return cast<ShapedType>(v.getType()).getShape(); };
  auto setAll = [&](Value value, StringRef name, ArrayRef<unsigned> dims) {
    for (auto [dim, extent] : llvm::zip_equal(dims, shape(value)))
      extents.set(dim, extent, name);
  };
  bool packed = op.isPacked();
  if (packed) {
    setAll(op.getQ(), "q", {kQuery, kHead, kHeadDim});
    setAll(op.getK(), "k", {kKey, kKvHead, kHeadDim});
    setAll(op.getV(), "v", {kKey, kKvHead, kValueDim});
    setAll(op.getOut(), "out", {kQuery, kHead, kValueDim});
    if (Value lse = op.getLse())
      setAll(lse, "lse", {kHead, kQuery});
    auto batches = [](int64_t extent) {
      return ShapedType::isDynamic(extent) ? extent : extent - 1;
    };
    for (auto [value, name] :
         {std::pair<Value, StringRef>{op.getCuSeqlensQ(), "cu_seqlens_q"},
          {op.getCuSeqlensKv(), "cu_seqlens_kv"}}) {
      int64_t extent = shape(value)[0];
      if (faults.require(extent != 0, "'", name,
                         "' expected B + 1 entries, got 0"))
        extents.set(kBatch, batches(extent), name);
    }
  } else {
    setAll(op.getQ(), "q", {kBatch, kHead, kQuery, kHeadDim});
    setAll(op.getK(), "k", {kBatch, kKvHead, kKey, kHeadDim});
    setAll(op.getV(), "v", {kBatch, kKvHead, kKey, kValueDim});
    setAll(op.getOut(), "out", {kBatch, kHead, kQuery, kValueDim});
    if (Value lse = op.getLse())
      setAll(lse, "lse", {kBatch, kHead, kQuery});
  }
  for (auto [value, name, dim] : {std::tuple<Value, StringRef, unsigned>{
                                      op.getPrefix(), "prefix", kBatch},
                                  {op.getSequsedQ(), "seqused_q", kBatch},
                                  {op.getSequsedKv(), "seqused_kv", kBatch},
                                  {op.getSinks(), "sinks", kHead}})
    if (value)
      extents.set(dim, shape(value)[0], name);
  if (op.getQIds()) {
    if (packed) {
      for (auto [value, name] :
           {std::pair<Value, StringRef>{op.getQIds(), "q_ids"},
            {op.getKvIds(), "kv_ids"}})
        faults.require(shape(value)[0] == 1, "'", name,
                       "' expected extent 1 first for packed operands, got ",
                       shape(value)[0]);
      extents.set(kQuery, shape(op.getQIds())[1], "q_ids");
      extents.set(kKey, shape(op.getKvIds())[1], "kv_ids");
    } else {
      setAll(op.getQIds(), "q_ids", {kBatch, kQuery});
      setAll(op.getKvIds(), "kv_ids", {kBatch, kKey});
    }
  }

  for (auto [dim, name] :
       {std::pair<unsigned, StringRef>{kHeadDim, "q"}, {kValueDim, "v"}})
    faults.require(extents.get(dim) > 0, "'", name, "' expected a static ",
                   kDimNames[dim], " of at least 1, got ",
                   ShapedType::isDynamic(extents.get(dim))
                       ? "?"
                       : std::to_string(extents.get(dim)));
  int64_t heads = extents.get(kHead), kvHeads = extents.get(kKvHead);
  if (!ShapedType::isDynamic(heads) && !ShapedType::isDynamic(kvHeads)) {
    bool divides = kvHeads == 0 ? heads == 0 : heads % kvHeads == 0;
    faults.require(divides,
                   "'q' expected a number of heads that is a multiple "
                   "of the ",
                   kvHeads, " heads of 'k', got ", heads);
  }
}

LogicalResult AttentionOp::verify() {
  Faults faults(*this);
  // C10
  faults.require(static_cast<bool>(getCuSeqlensQ()) ==
                     static_cast<bool>(getCuSeqlensKv()),
                 "'cu_seqlens' expected for queries and keys together");
  verifyRanks(*this, faults); // C1
  if (!faults.empty())
    return faults.emit();
  verifyElementTypes(*this, faults); // C2
  DomainExtents extents(faults, kDimNames);
  verifyExtents(*this, faults, extents); // C3, C4, C5, C9
  if (getHeadDim() > 0)
    verifyScale(faults, getEffectiveScale()); // C6
  verifyMaskOperands(faults, getMaskAttr(), getVisible(), getQIds(), getKvIds(),
                     getPrefix()); // C7
  return faults.emit();
}

LogicalResult AttentionOp::verifyRegions() {
  Faults faults(*this);
  Builder b(getContext());
  DomainExtents extents(faults, ArrayRef(kDimNames).take_front(4));
  auto shape = [](Value v) { return cast<ShapedType>(v.getType()).getShape(); };
  if (!isPacked()) {
    extents.set(kBatch, shape(getQ())[0], "q");
    extents.set(kKey, shape(getK())[2], "k");
  } else {
    extents.set(kKey, shape(getK())[0], "k");
  }
  extents.set(kHead, shape(getQ())[1], "q");
  extents.set(kQuery, shape(getQ())[getLengthAxis()], "q");
  Type index = b.getIndexType();
  // C8
  verifyRegion(faults, "score", getScore(), getScoreCaptures(), getScoreMaps(),
               {b.getF32Type(), index, index, index, index}, b.getF32Type(),
               extents, /*numDims=*/4);
  verifyRegion(faults, "visible", getVisible(), getMaskCaptures(),
               getMaskMaps(), {index, index, index, index}, b.getI1Type(),
               extents, /*numDims=*/4);
  return faults.emit();
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &shapes) {
  auto extent = [&](Value value, int64_t axis) {
    return tensor::getMixedSize(b, getLoc(), value, axis);
  };
  OpFoldResult valueDim = b.getIndexAttr(getValueDim());
  if (isPacked()) {
    OpFoldResult total = extent(getQ(), 0), heads = extent(getQ(), 1);
    shapes.push_back({total, heads, valueDim});
    if (getLse())
      shapes.push_back({heads, total});
    return success();
  }
  OpFoldResult batch = extent(getQ(), 0), heads = extent(getQ(), 1),
               length = extent(getQ(), 2);
  shapes.push_back({batch, heads, length, valueDim});
  if (getLse())
    shapes.push_back({batch, heads, length});
  return success();
}
