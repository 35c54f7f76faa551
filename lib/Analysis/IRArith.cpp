//===- IRArith.cpp - The interval analysis as IR --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants fold through IntArith, so that both policies agree by construction;
// only identities with one constant operand are added here.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/IRArith.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::attn;

IRArith::Value IRArith::get(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value)) {
    MLIRContext *context = isa<Attribute>(value)
                               ? cast<Attribute>(value).getContext()
                               : cast<mlir::Value>(value).getContext();
    return IntegerAttr::get(IndexType::get(context), *number);
  }
  assert(cast<mlir::Value>(value).getType().isIndex() &&
         "the analysis computes on index values");
  return value;
}

mlir::Value IRArith::reuse(Code code, ArrayRef<mlir::Value> operands,
                           int64_t number, Emit emit) {
  std::vector<void *> key;
  for (mlir::Value operand : operands)
    key.push_back(operand.getAsOpaquePointer());
  mlir::Value &slot = emitted[{code, std::move(key), number}];
  if (!slot)
    slot = emit();
  return slot;
}

mlir::Value IRArith::materialize(Value value) {
  std::optional<int64_t> number = getConstantIntValue(value);
  if (!number)
    return cast<mlir::Value>(value);
  return reuse(Code::Constant, {}, *number, [&] {
    return arith::ConstantIndexOp::create(builder, loc, *number).getResult();
  });
}

IRArith::Value IRArith::constant(int64_t value) {
  return builder.getIndexAttr(value);
}

template <typename Op>
IRArith::Value IRArith::binary(Code code, Value a, Value b) {
  mlir::Value lhs = materialize(a), rhs = materialize(b);
  return reuse(code, {lhs, rhs}, 0,
               [&] { return Op::create(builder, loc, lhs, rhs).getResult(); });
}

IRArith::Value IRArith::add(Value a, Value b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x + *y);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  if (x) { // constants on the right, as the canonical form has them
    std::swap(a, b);
    std::swap(x, y);
  }
  // (c + constant) + constant
  if (y)
    if (auto inner = cast<mlir::Value>(a).getDefiningOp<arith::AddIOp>())
      if (std::optional<int64_t> z = getConstantIntValue(inner.getRhs()))
        return add(inner.getLhs(), constant(*y + *z));
  return binary<arith::AddIOp>(Code::Add, a, b);
}

IRArith::Value IRArith::sub(Value a, Value b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x - *y);
  if (a == b)
    return constant(0);
  if (y == 0)
    return a;
  return binary<arith::SubIOp>(Code::Sub, a, b);
}

IRArith::Value IRArith::mul(Value a, int64_t factor) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return constant(*x * factor);
  if (factor == 0)
    return constant(0);
  if (factor == 1)
    return a;
  return binary<arith::MulIOp>(Code::Mul, a, constant(factor));
}

IRArith::Value IRArith::min(Value a, Value b) {
  if (known(Order::LE, a, b) == true)
    return a;
  if (known(Order::LE, b, a) == true)
    return b;
  return binary<arith::MinSIOp>(Code::Min, a, b);
}

IRArith::Value IRArith::max(Value a, Value b) {
  if (known(Order::LE, a, b) == true)
    return b;
  if (known(Order::LE, b, a) == true)
    return a;
  return binary<arith::MaxSIOp>(Code::Max, a, b);
}

IRArith::Value IRArith::floorDiv(Value a, int64_t divisor) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return constant(IntArith().floorDiv(*x, divisor));
  if (divisor == 1)
    return a;
  return binary<arith::FloorDivSIOp>(Code::FloorDiv, a, constant(divisor));
}

IRArith::Value IRArith::ceilDiv(Value a, int64_t divisor) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return constant(IntArith().ceilDiv(*x, divisor));
  if (divisor == 1)
    return a;
  return binary<arith::CeilDivSIOp>(Code::CeilDiv, a, constant(divisor));
}

IRArith::Value IRArith::divDown(Value a, int64_t divisor) {
  if (divisor == 1 || getConstantIntValue(a))
    return floorDiv(a, divisor);
  return binary<arith::DivUIOp>(Code::DivDown, a, constant(divisor));
}

IRArith::Value IRArith::divUp(Value a, int64_t divisor) {
  if (divisor == 1 || getConstantIntValue(a))
    return ceilDiv(a, divisor);
  return binary<arith::CeilDivUIOp>(Code::DivUp, a, constant(divisor));
}

IRArith::Value IRArith::select(Order order, Value a, Value b, Value ifTrue,
                               Value ifFalse) {
  if (ifTrue == ifFalse)
    return ifTrue;
  if (std::optional<bool> holds = known(order, a, b))
    return *holds ? ifTrue : ifFalse;
  mlir::Value lhs = materialize(a), rhs = materialize(b);
  bool less = order == Order::LT;
  mlir::Value condition =
      reuse(less ? Code::LessThan : Code::AtMost, {lhs, rhs}, 0, [&] {
        return arith::CmpIOp::create(builder, loc,
                                     less ? arith::CmpIPredicate::slt
                                          : arith::CmpIPredicate::sle,
                                     lhs, rhs)
            .getResult();
      });
  mlir::Value x = materialize(ifTrue), y = materialize(ifFalse);
  return reuse(Code::Select, {condition, x, y}, 0, [&] {
    return arith::SelectOp::create(builder, loc, condition, x, y).getResult();
  });
}

std::optional<bool> IRArith::known(Order order, Value a, Value b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return IntArith().known(order, *x, *y);
  if (a == b)
    return order == Order::LE;
  if (proofs == Proofs::None)
    return std::nullopt;
  using Bounds = ValueBoundsConstraintSet;
  FailureOr<bool> holds =
      Bounds::strongCompare(a, order == Order::LT ? Bounds::LT : Bounds::LE, b);
  return holds;
}
