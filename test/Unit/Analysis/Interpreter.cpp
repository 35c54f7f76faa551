//===- Interpreter.cpp - Evaluates a block of integer arithmetic ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace mlir::attn::test {

static int64_t wrap(int64_t number, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1)
    return number & 1;
  return llvm::SignExtend64(number, width);
}

Interpreter::Interpreter(Block &block, ArrayRef<int64_t> arguments) {
  assert(arguments.size() == block.getNumArguments());
  for (auto [argument, number] : llvm::zip(block.getArguments(), arguments))
    numbers[argument] = wrap(number, argument.getType());
  for (Operation &op : block)
    if (op.getNumResults() == 1)
      numbers[op.getResult(0)] = wrap(evaluate(op), op.getResult(0).getType());
}

int64_t Interpreter::get(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return numbers.lookup(cast<Value>(value));
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  uint64_t x = a, y = b;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return x < y;
  case arith::CmpIPredicate::ule:
    return x <= y;
  case arith::CmpIPredicate::ugt:
    return x > y;
  case arith::CmpIPredicate::uge:
    return x >= y;
  }
  llvm_unreachable("unknown predicate");
}

int64_t Interpreter::evaluate(Operation &op) const {
  auto in = [&](unsigned i) { return numbers.lookup(op.getOperand(i)); };
  auto bits = [&](unsigned i) { return static_cast<uint64_t>(in(i)); };
  auto floorDiv = [](int64_t a, int64_t b) {
    int64_t quotient = a / b;
    return (a % b != 0) && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
  };
  return TypeSwitch<Operation *, int64_t>(&op)
      .Case([&](arith::ConstantOp op) {
        return cast<IntegerAttr>(op.getValue()).getValue().getSExtValue();
      })
      .Case([&](arith::AddIOp) { return int64_t(bits(0) + bits(1)); })
      .Case([&](arith::SubIOp) { return int64_t(bits(0) - bits(1)); })
      .Case([&](arith::MulIOp) { return int64_t(bits(0) * bits(1)); })
      .Case([&](arith::FloorDivSIOp) { return floorDiv(in(0), in(1)); })
      .Case([&](arith::CeilDivSIOp) { return -floorDiv(-in(0), in(1)); })
      .Case([&](arith::DivSIOp) { return in(0) / in(1); })
      .Case([&](arith::RemSIOp) { return in(0) % in(1); })
      .Case([&](arith::DivUIOp) { return int64_t(bits(0) / bits(1)); })
      .Case([&](arith::CeilDivUIOp) {
        return int64_t((bits(0) + bits(1) - 1) / bits(1));
      })
      .Case([&](arith::ShRSIOp) { return in(0) >> in(1); })
      .Case([&](arith::MinSIOp) { return std::min(in(0), in(1)); })
      .Case([&](arith::MaxSIOp) { return std::max(in(0), in(1)); })
      .Case([&](arith::AndIOp) { return in(0) & in(1); })
      .Case([&](arith::OrIOp) { return in(0) | in(1); })
      .Case([&](arith::XOrIOp) { return in(0) ^ in(1); })
      .Case([&](arith::CmpIOp op) {
        return int64_t(compare(op.getPredicate(), in(0), in(1)));
      })
      .Case([&](arith::SelectOp) { return in(0) ? in(1) : in(2); })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *) { return in(0); })
      .Default([](Operation *op) -> int64_t {
        op->emitError("the test's interpreter has no meaning for this");
        abort();
      });
}

} // namespace mlir::attn::test
