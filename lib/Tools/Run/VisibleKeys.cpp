//===- VisibleKeys.cpp - A function that counts keys ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the counting function from the attention's mask and what it needs.
//
//===----------------------------------------------------------------------===//

#include "VisibleKeys.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

/// The argument of the entry block that `value` is, seen through casts.
static BlockArgument traceArgument(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return dyn_cast<BlockArgument>(value);
}

static RankedTensorType withLastExtent(Type type, int64_t extent) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.back() = extent;
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// `value` in the new function, with what computes it.
static Value cloneValue(OpBuilder &builder, IRMapping &mapping, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneValue(builder, mapping, operand);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Replaces `function` by the log-sum-exp of its only attention, without score
/// region and sinks. With `countsKeys` q, k and v have one head dimension.
static LogicalResult replaceByLogSumExp(func::FuncOp function,
                                        bool countsKeys) {
  SmallVector<AttentionOp> ops;
  function.walk([&](AttentionOp op) { ops.push_back(op); });
  if (ops.size() != 1)
    return function.emitError("expected one attn.attention, got ")
           << ops.size();
  AttentionOp op = ops.front();

  SmallVector<Type> types(function.getArgumentTypes());
  SmallVector<unsigned> numbers;
  for (Value operand : {Value(op.getQ()), Value(op.getK()), Value(op.getV())}) {
    BlockArgument argument = traceArgument(operand);
    if (!argument || argument.getOwner() != &function.front())
      return op.emitOpError("expected q, k and v to be arguments");
    numbers.push_back(argument.getArgNumber());
    if (countsKeys)
      types[argument.getArgNumber()] = withLastExtent(argument.getType(), 1);
  }

  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(types[numbers[0]]).getShape();
  SmallVector<int64_t> rows = op.isPacked()
                                  ? SmallVector<int64_t>{shape[1], shape[0]}
                                  : SmallVector<int64_t>(shape.drop_back());
  OpBuilder builder(function);
  auto lse = RankedTensorType::get(rows, builder.getF32Type());
  auto counter =
      func::FuncOp::create(builder, function.getLoc(), function.getName(),
                           builder.getFunctionType(types, lse));
  Block *body = counter.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [n, argument] : llvm::enumerate(function.getArguments()))
    mapping.map(argument, body->getArgument(n));
  auto get = [&](Value value) {
    return value ? cloneValue(builder, mapping, value) : Value();
  };
  SmallVector<Value> captures = llvm::map_to_vector(op.getMaskCaptures(), get);
  Value qIds = get(op.getQIds()), kvIds = get(op.getKvIds()),
        prefix = get(op.getPrefix()), cuSeqlensQ = get(op.getCuSeqlensQ()),
        cuSeqlensKv = get(op.getCuSeqlensKv()),
        sequsedQ = get(op.getSequsedQ()), sequsedKv = get(op.getSequsedKv());
  auto result = AttentionOp::create(
      builder, op.getLoc(),
      TypeRange{
          withLastExtent(
              types[numbers[0]],
              cast<RankedTensorType>(types[numbers[2]]).getShape().back()),
          lse},
      body->getArgument(numbers[0]), body->getArgument(numbers[1]),
      body->getArgument(numbers[2]), /*score_captures=*/ValueRange(), captures,
      /*sinks=*/Value(), qIds, kvIds, prefix, cuSeqlensQ, cuSeqlensKv, sequsedQ,
      sequsedKv, op.getMaskAttr(), op.getAlignmentAttr(),
      builder.getF64FloatAttr(countsKeys ? 1.0 : op.getEffectiveScale()),
      /*score_maps=*/ArrayAttr(), op.getMaskMapsAttr());
  op.getVisible().cloneInto(&result.getVisible(), mapping);
  func::ReturnOp::create(builder, op.getLoc(), result.getLse());
  function.erase();
  return success();
}

LogicalResult mlir::attn::run::replaceByVisibleKeys(func::FuncOp function) {
  return replaceByLogSumExp(function, /*countsKeys=*/true);
}

LogicalResult mlir::attn::run::replaceByScoreSizes(func::FuncOp function) {
  return replaceByLogSumExp(function, /*countsKeys=*/false);
}
