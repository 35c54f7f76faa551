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

void AttentionOp::build(OpBuilder &b, OperationState &state, Value q, Value k,
                        Value v, Attribute mask) {
  auto type = cast<RankedTensorType>(q.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = cast<RankedTensorType>(v.getType()).getShape().back();
  state.addTypes(RankedTensorType::get(shape, type.getElementType()));
  state.addOperands({q, k, v});
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.mask = mask;
  llvm::fill(properties.operandSegmentSizes, 0);
  std::fill_n(properties.operandSegmentSizes.begin(), 3, 1);
  for (unsigned region = 0; region < 2; ++region)
    state.addRegion();
}

double AttentionOp::getEffectiveScale() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  return 1.0 / std::sqrt(static_cast<double>(getHeadDim()));
}

/// The domain that the operands of `op` span, for agreement of extents.
enum AttentionDim { kBatch, kHead, kQuery, kKey, kKvHead, kHeadDim, kValueDim };
static constexpr StringRef kDimNames[] = {"B",   "Hq", "Sq", "Skv",
                                          "Hkv", "D",  "Dv"};

/// C1, C2, C9: the type of every tensor, each fault by the operand's name. An
/// operand that fits the IR but not the operation is no less the user's error,
/// so ODS leaves all of it to this check.
static void verifyTypes(AttentionOp op, Faults &faults) {
  auto isElement = [](Type t) { return t.isF32() || t.isBF16() || t.isF16(); };
  Type element = op.getQ().getType().getElementType();
  auto check = [&](Value value, StringRef name, int64_t rank, StringRef form) {
    if (!value)
      return Type();
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    faults.require(tensor && tensor.getRank() == rank, "'", name,
                   "' expected rank ", rank, " ", form, ", got ",
                   value.getType());
    faults.require(!tensor || !tensor.getEncoding(), "'", name,
                   "' expected a tensor without encoding, got ",
                   value.getType());
    return cast<TensorType>(value.getType()).getElementType();
  };
  auto checkLikeQ = [&](Value value, StringRef name, int64_t rank,
                        StringRef form) {
    Type got = check(value, name, rank, form);
    faults.require(got == element || !isElement(element), "'", name,
                   "' expected element type ", element, " as in 'q', got ",
                   got);
  };
  auto checkI32 = [&](Value value, StringRef name, int64_t rank,
                      StringRef form) {
    Type got = check(value, name, rank, form);
    faults.require(!got || got.isInteger(32), "'", name,
                   "' expected element type i32, got ", got);
  };

  bool packed = op.isPacked();
  int64_t rank = packed ? 3 : 4;
  StringRef form = packed ? "[total, heads, dim], as 'cu_seqlens' packs"
                          : "[batch, heads, length, dim]";
  check(op.getQ(), "q", rank, form);
  faults.require(isElement(element),
                 "'q' expected element type f32, bf16 or f16, got ", element);
  checkLikeQ(op.getK(), "k", rank, form);
  checkLikeQ(op.getV(), "v", rank, form);
  checkLikeQ(op.getOut(), "out", rank, form);
  if (Type lse = check(op.getLse(), "lse", rank - 1,
                       packed ? "[heads, total]" : "[batch, heads, length]"))
    faults.require(lse.isF32(), "'lse' expected element type f32, got ", lse);
  if (Type sinks = check(op.getSinks(), "sinks", 1, "[heads]"))
    faults.require(isElement(sinks),
                   "'sinks' expected element type f32, bf16 or f16, got ",
                   sinks);
  StringRef ids = packed ? "[1, total]" : "[batch, length]";
  checkI32(op.getQIds(), "q_ids", 2, ids);
  checkI32(op.getKvIds(), "kv_ids", 2, ids);
  checkI32(op.getPrefix(), "prefix", 1, "[batch]");
  checkI32(op.getCuSeqlensQ(), "cu_seqlens_q", 1, "[batch + 1]");
  checkI32(op.getCuSeqlensKv(), "cu_seqlens_kv", 1, "[batch + 1]");
  checkI32(op.getSequsedQ(), "seqused_q", 1, "[batch]");
  checkI32(op.getSequsedKv(), "seqused_kv", 1, "[batch]");
}

static void verifyExtents(AttentionOp op, Faults &faults,
                          DomainExtents &extents) {
  // Nothing where the rank is not known; where it is wrong, which has been
  // reported, extents are nobody's.
  auto shape = [](Value v) -> ArrayRef<int64_t> {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  };
  auto setAll = [&](Value value, StringRef name, ArrayRef<unsigned> dims) {
    if (shape(value).size() != dims.size())
      return;
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
      if (!value || shape(value).size() != 1)
        continue;
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
      setAll(value, name, {dim});
  if (op.getQIds() && op.getKvIds()) {
    if (packed) {
      for (auto [value, name, dim] : {std::tuple<Value, StringRef, unsigned>{
                                          op.getQIds(), "q_ids", kQuery},
                                      {op.getKvIds(), "kv_ids", kKey}}) {
        if (shape(value).size() != 2)
          continue;
        faults.require(shape(value)[0] == 1, "'", name,
                       "' expected extent 1 first for packed operands, got ",
                       ShapedType::isDynamic(shape(value)[0])
                           ? "an unknown one"
                           : std::to_string(shape(value)[0]));
        extents.set(dim, shape(value)[1], name);
      }
    } else {
      setAll(op.getQIds(), "q_ids", {kBatch, kQuery});
      setAll(op.getKvIds(), "kv_ids", {kBatch, kKey});
    }
  }

  for (auto [value, name, dim] :
       {std::tuple<Value, StringRef, unsigned>{op.getQ(), "q", kHeadDim},
        {op.getK(), "k", kHeadDim},
        {op.getV(), "v", kValueDim},
        {op.getOut(), "out", kValueDim}}) {
    if (shape(value).size() != (packed ? 3 : 4))
      continue;
    int64_t extent = shape(value).back();
    faults.require(
        !ShapedType::isDynamic(extent) && extent > 0, "'", name,
        "' expected a static ", kDimNames[dim], " of at least 1, got ",
        ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  }
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
                 "'cu_seqlens' expected those of queries and of keys together, "
                 "got those of ",
                 getCuSeqlensQ() ? "queries" : "keys", " alone");
  verifyDiscardableAttributes(faults, *this); // C11
  verifyTypes(*this, faults);
  DomainExtents extents(faults, kDimNames);
  verifyExtents(*this, faults, extents); // C3, C4, C5
  if (getScale())
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
