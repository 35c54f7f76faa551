//===- FunctionLowering.cpp - Functions of the reference ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts loops on buffers in the place of each attention, between the tensors of
// whatever stands around it, and widens the results of the function.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// A buffer of any strides.
static MemRefType bufferType(RankedTensorType tensor) {
  SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(tensor.getContext(),
                                       ShapedType::kDynamic, strides);
  return MemRefType::get(tensor.getShape(), tensor.getElementType(), layout);
}

/// A buffer that holds `tensor`, not to be written.
static Value readBuffer(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::ToBufferOp::create(b, bufferType(type), tensor,
                                           /*read_only=*/true);
}

/// The tensor that `buffer`, fresh and written by now, holds.
static Value toTensor(ImplicitLocOpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      b, RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true, /*writable=*/true);
}

LogicalResult FunctionLowering::check() {
  bool ok = true;
  function.walk([&](AttentionOp op) { ok &= succeeded(checkRegions(op)); });
  return success(ok);
}

/// Emits the loops of `op`; its results become tensors of its types, and those
/// that the function returns as they are go into `exact`, not rounded.
void FunctionLowering::lower(AttentionOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  IRMapping map;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && !map.contains(operand))
      map.map(operand, readBuffer(b, operand));

  ReifiedRankedShapedTypeDims shapes;
  [[maybe_unused]] LogicalResult reified = op.reifyResultShapes(b, shapes);
  assert(succeeded(reified) && "attention knows its shapes");
  SmallVector<Value> buffers;
  for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes)) {
    auto type = cast<RankedTensorType>(result.getType());
    Type element = precision == ReferencePrecision::F64 ? Type(b.getF64Type())
                                                        : type.getElementType();
    SmallVector<Value> extents;
    for (auto [axis, size] : llvm::enumerate(shape))
      if (type.isDynamicDim(axis))
        extents.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
    buffers.push_back(
        result.use_empty()
            ? Value()
            : memref::AllocOp::create(
                  b, MemRefType::get(type.getShape(), element), extents));
  }
  if (llvm::any_of(buffers, [](Value buffer) { return bool(buffer); }))
    emitAttention(b, Buffers(op, map), buffers[0],
                  buffers.size() > 1 ? buffers[1] : Value(), precision);
  for (auto [result, buffer] : llvm::zip_equal(op->getResults(), buffers)) {
    if (!buffer)
      continue;
    Type element = getElementTypeOrSelf(result.getType());
    Value tensor = toTensor(b, buffer);
    if (getElementTypeOrSelf(tensor.getType()) != element) {
      Value rounded = toTensor(b, copyBuffer(b, buffer, element));
      exact[rounded] = tensor;
      tensor = rounded;
    }
    result.replaceAllUsesWith(tensor);
  }
  op.erase();
}

/// `tensor`, returned by the function, in f64: not rounded in between if it is
/// what attention computed, seen through casts.
Value FunctionLowering::widen(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>();
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    return tensor::CastOp::create(b, type.clone(b.getF64Type()),
                                  widen(b, cast.getSource()));
  if (Value wide = exact.lookup(tensor))
    return wide;
  return toTensor(b, copyBuffer(b, readBuffer(b, tensor), b.getF64Type()));
}

void FunctionLowering::apply() {
  SmallVector<AttentionOp> ops;
  function.walk([&](AttentionOp op) { ops.push_back(op); });
  for (AttentionOp op : ops)
    lower(op);
  if (precision != ReferencePrecision::F64)
    return;
  SmallVector<Type> types(function.getResultTypes());
  function.walk([&](func::ReturnOp ret) {
    ImplicitLocOpBuilder b(ret.getLoc(), ret);
    for (OpOperand &operand : ret->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !isa<FloatType>(type.getElementType()) ||
          type.getElementType().isF64())
        continue;
      operand.set(widen(b, operand.get()));
      types[operand.getOperandNumber()] = type.clone(b.getF64Type());
    }
  });
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getArgumentTypes(), types));
}
