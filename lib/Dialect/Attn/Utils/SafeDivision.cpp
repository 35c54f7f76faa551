//===- SafeDivision.cpp - Divisions that do not trap ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces divisors by selects.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Utils/SafeDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

void attn::makeDivisionSafe(OpBuilder &b, Operation *op) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
                      index::CeilDivSOp, index::FloorDivSOp>(op);
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
                        index::DivUOp, index::RemUOp, index::CeilDivUOp>(op);
  Value dividend, divisor;
  if (isSigned || isUnsigned) {
    dividend = op->getOperand(0);
    divisor = op->getOperand(1);
  }
  if (!divisor || !divisor.getType().isIntOrIndex())
    return;
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      !(isSigned && constant.isAllOnes()))
    return;

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  Type type = divisor.getType();
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  auto number = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  auto equal = [&](Value x, const APInt &value) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x,
                                 number(value));
  };
  Value traps = equal(divisor, APInt::getZero(width));
  if (isSigned) {
    Value isMinusOne = equal(divisor, APInt::getAllOnes(width));
    Value isLeast = equal(dividend, APInt::getSignedMinValue(width));
    Value overflows = arith::AndIOp::create(b, loc, isMinusOne, isLeast);
    traps = arith::OrIOp::create(b, loc, traps, overflows);
  }
  op->setOperand(1, arith::SelectOp::create(b, loc, traps,
                                            number(APInt(width, 1)), divisor));
}
