//===- ElementwiseOps.cpp - Arithmetic on scalars and vectors -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// arith, math and vector.broadcast. Floats are computed in f32 and rounded to
// their type, integers in 64 bits and wrapped to theirs.
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

static Outcome setFloats(Agent &agent, Operation *op,
                         std::vector<float> values) {
  roundTo(getElementType(op->getResult(0).getType()), values);
  agent.set(op->getResult(0), makeDatum({std::move(values), {}}));
  return Outcome::Done;
}

static Outcome setInts(Agent &agent, Operation *op,
                       std::vector<int64_t> values) {
  Type type = getElementType(op->getResult(0).getType());
  for (int64_t &value : values)
    value = wrapTo(type, value);
  agent.set(op->getResult(0), makeDatum({{}, std::move(values)}));
  return Outcome::Done;
}

namespace {
/// Adds operations to the table, by what they do to one element.
class Adder {
public:
  explicit Adder(OpTable &table) : table(table) {}

  template <typename OpT, typename Fn>
  void floatUnary(Fn fn) {
    table.add<OpT>([fn](Agent &agent, OpT op) {
      std::vector<float> x = agent.getElements(op->getOperand(0)).floats;
      for (float &value : x)
        value = fn(value);
      return setFloats(agent, op, std::move(x));
    });
  }

  template <typename OpT, typename Fn>
  void floatBinary(Fn fn) {
    table.add<OpT>([fn](Agent &agent, OpT op) {
      std::vector<float> x = agent.getElements(op->getOperand(0)).floats;
      const std::vector<float> &y = agent.getElements(op->getOperand(1)).floats;
      for (size_t i = 0, e = x.size(); i < e; ++i)
        x[i] = fn(x[i], y[i]);
      return setFloats(agent, op, std::move(x));
    });
  }

  template <typename OpT, typename Fn>
  void intUnary(Fn fn) {
    table.add<OpT>([fn](Agent &agent, OpT op) {
      Type from = getElementType(op->getOperand(0).getType());
      std::vector<int64_t> x = agent.getElements(op->getOperand(0)).ints;
      for (int64_t &value : x)
        value = fn(value, from);
      return setInts(agent, op, std::move(x));
    });
  }

  template <typename OpT, typename Fn>
  void intBinary(Fn fn) {
    table.add<OpT>([fn](Agent &agent, OpT op) {
      std::vector<int64_t> x = agent.getElements(op->getOperand(0)).ints;
      const std::vector<int64_t> &y = agent.getElements(op->getOperand(1)).ints;
      for (size_t i = 0, e = x.size(); i < e; ++i)
        x[i] = fn(x[i], y[i]);
      return setInts(agent, op, std::move(x));
    });
  }

  /// A division, of unsigned numbers in the type's width if `isUnsigned`.
  template <typename OpT, typename Fn>
  void division(bool isUnsigned, Fn fn) {
    table.add<OpT>([=](Agent &agent, OpT op) {
      Type type = getElementType(op.getType());
      std::vector<int64_t> x = agent.getElements(op->getOperand(0)).ints;
      const std::vector<int64_t> &y = agent.getElements(op->getOperand(1)).ints;
      for (size_t i = 0, e = x.size(); i < e; ++i) {
        if (y[i] == 0)
          return agent.fail(FaultKind::Bounds, op, "divides by 0");
        x[i] = isUnsigned ? fn(toUnsigned(type, x[i]), toUnsigned(type, y[i]))
                          : fn(x[i], y[i]);
      }
      return setInts(agent, op, std::move(x));
    });
  }

  static int64_t toUnsigned(Type type, int64_t value) {
    unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
    return value & llvm::maskTrailingOnes<uint64_t>(width);
  }

private:
  OpTable &table;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operations on elements of several types
//===----------------------------------------------------------------------===//

static Outcome runConstant(Agent &agent, arith::ConstantOp op) {
  Elements result;
  auto addInt = [&](const APInt &value) {
    Type type = getElementType(op.getType());
    result.ints.push_back(wrapTo(type, value.getSExtValue()));
  };
  Attribute value = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    result.floats.push_back(number.getValue().convertToDouble());
  } else if (auto number = dyn_cast<IntegerAttr>(value)) {
    addInt(number.getValue());
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    int64_t count = dense.getNumElements();
    bool isFloat = isa<FloatType>(dense.getElementType());
    if (dense.isSplat() && isFloat)
      result.floats.assign(count,
                           dense.getSplatValue<APFloat>().convertToDouble());
    else if (isFloat)
      for (const APFloat &number : dense.getValues<APFloat>())
        result.floats.push_back(number.convertToDouble());
    else
      for (const APInt &number : dense.getValues<APInt>())
        addInt(number);
  } else {
    return agent.fail(FaultKind::Unsupported, op,
                      "has a value that the simulator does not know");
  }
  agent.set(op.getResult(), makeDatum(std::move(result)));
  return Outcome::Done;
}

static Outcome runSelect(Agent &agent, arith::SelectOp op) {
  const std::vector<int64_t> &condition =
      agent.getElements(op.getCondition()).ints;
  if (condition.size() == 1) {
    agent.set(op.getResult(),
              agent.get(condition[0] ? op.getTrueValue() : op.getFalseValue()));
    return Outcome::Done;
  }
  Elements result = agent.getElements(op.getFalseValue());
  const Elements &other = agent.getElements(op.getTrueValue());
  for (size_t i = 0, e = condition.size(); i < e; ++i) {
    if (!condition[i])
      continue;
    if (!result.floats.empty())
      result.floats[i] = other.floats[i];
    else
      result.ints[i] = other.ints[i];
  }
  agent.set(op.getResult(), makeDatum(std::move(result)));
  return Outcome::Done;
}

static bool compare(arith::CmpIPredicate predicate, int64_t x, int64_t y) {
  using P = arith::CmpIPredicate;
  auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  switch (predicate) {
  case P::eq:
    return x == y;
  case P::ne:
    return x != y;
  case P::slt:
    return x < y;
  case P::sle:
    return x <= y;
  case P::sgt:
    return x > y;
  case P::sge:
    return x >= y;
  case P::ult:
    return ux < uy;
  case P::ule:
    return ux <= uy;
  case P::ugt:
    return ux > uy;
  case P::uge:
    return ux >= uy;
  }
  llvm_unreachable("unknown predicate");
}

static Outcome runCmpI(Agent &agent, arith::CmpIOp op) {
  // Sign extension keeps the order of unsigned numbers as well.
  std::vector<int64_t> x = agent.getElements(op.getLhs()).ints;
  const std::vector<int64_t> &y = agent.getElements(op.getRhs()).ints;
  for (size_t i = 0, e = x.size(); i < e; ++i)
    x[i] = compare(op.getPredicate(), x[i], y[i]);
  return setInts(agent, op, std::move(x));
}

static bool compare(arith::CmpFPredicate predicate, float x, float y) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(x) || std::isnan(y);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return !unordered && x != y;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return !(x <= y);
  case P::UGE:
    return !(x < y);
  case P::ULT:
    return !(x >= y);
  case P::ULE:
    return !(x > y);
  case P::UNE:
    return x != y;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

static Outcome runCmpF(Agent &agent, arith::CmpFOp op) {
  const std::vector<float> &x = agent.getElements(op.getLhs()).floats;
  const std::vector<float> &y = agent.getElements(op.getRhs()).floats;
  std::vector<int64_t> result(x.size());
  for (size_t i = 0, e = x.size(); i < e; ++i)
    result[i] = compare(op.getPredicate(), x[i], y[i]);
  return setInts(agent, op, std::move(result));
}

static Outcome runFma(Agent &agent, math::FmaOp op) {
  const std::vector<float> &x = agent.getElements(op.getA()).floats;
  const std::vector<float> &y = agent.getElements(op.getB()).floats;
  std::vector<float> result = agent.getElements(op.getC()).floats;
  for (size_t i = 0, e = x.size(); i < e; ++i)
    result[i] = std::fma(x[i], y[i], result[i]);
  return setFloats(agent, op, std::move(result));
}

/// Elements of `from`, repeated along dimensions that are missing or 1.
template <typename T>
static std::vector<T> broadcast(const std::vector<T> &from,
                                ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> fromShape) {
  if (from.empty())
    return {};
  int64_t columns = shape.back(), rows = shape.size() == 2 ? shape[0] : 1;
  int64_t fromColumns = fromShape.empty() ? 1 : fromShape.back();
  int64_t fromRows = fromShape.size() == 2 ? fromShape[0] : 1;
  std::vector<T> result(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result[i * columns + j] = from[(fromRows == 1 ? 0 : i) * fromColumns +
                                     (fromColumns == 1 ? 0 : j)];
  return result;
}

static Outcome runBroadcast(Agent &agent, vector::BroadcastOp op) {
  VectorType type = op.getResultVectorType();
  ArrayRef<int64_t> fromShape;
  if (auto from = dyn_cast<VectorType>(op.getSourceType()))
    fromShape = from.getShape();
  if (type.getRank() < 1 || type.getRank() > 2)
    return agent.fail(FaultKind::Unsupported, op,
                      "expected a vector of one or two dimensions");
  const Elements &from = agent.getElements(op.getSource());
  agent.set(op.getResult(),
            makeDatum({broadcast(from.floats, type.getShape(), fromShape),
                       broadcast(from.ints, type.getShape(), fromShape)}));
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <typename OpT>
static void addIntToFloat(OpTable &table, bool isUnsigned) {
  table.add<OpT>([isUnsigned](Agent &agent, OpT op) {
    Type from = getElementType(op.getIn().getType());
    std::vector<float> result;
    for (int64_t value : agent.getElements(op.getIn()).ints)
      result.push_back(isUnsigned ? static_cast<float>(static_cast<uint64_t>(
                                        Adder::toUnsigned(from, value)))
                                  : static_cast<float>(value));
    return setFloats(agent, op, std::move(result));
  });
}

template <typename OpT>
static void addFloatToInt(OpTable &table) {
  table.add<OpT>([](Agent &agent, OpT op) {
    // Saturates, as the hardware's conversion does (PTX ISA, cvt).
    constexpr float kLimit = 9.2233715e18F; // The greatest f32 below 2^63.
    std::vector<int64_t> result;
    for (float value : agent.getElements(op.getIn()).floats)
      result.push_back(std::isnan(value) ? 0
                                         : static_cast<int64_t>(std::clamp(
                                               value, -kLimit, kLimit)));
    return setInts(agent, op, std::move(result));
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static void addFloatOps(OpTable &table) {
  Adder add(table);
  add.floatUnary<arith::NegFOp>([](float x) { return -x; });
  add.floatUnary<arith::TruncFOp>([](float x) { return x; });
  add.floatUnary<arith::ExtFOp>([](float x) { return x; });
  add.floatUnary<math::AbsFOp>([](float x) { return std::fabs(x); });
  add.floatUnary<math::CeilOp>([](float x) { return std::ceil(x); });
  add.floatUnary<math::FloorOp>([](float x) { return std::floor(x); });
  add.floatUnary<math::TruncOp>([](float x) { return std::trunc(x); });
  add.floatUnary<math::RoundEvenOp>([](float x) { return std::nearbyint(x); });
  add.floatUnary<math::SqrtOp>([](float x) { return std::sqrt(x); });
  add.floatUnary<math::Exp2Op>([](float x) { return std::exp2(x); });
  add.floatUnary<math::Log2Op>([](float x) { return std::log2(x); });
  add.floatBinary<arith::AddFOp>([](float x, float y) { return x + y; });
  add.floatBinary<arith::SubFOp>([](float x, float y) { return x - y; });
  add.floatBinary<arith::MulFOp>([](float x, float y) { return x * y; });
  add.floatBinary<arith::DivFOp>([](float x, float y) { return x / y; });
  add.floatBinary<arith::RemFOp>(
      [](float x, float y) { return std::fmod(x, y); });
  add.floatBinary<arith::MaxNumFOp>(
      [](float x, float y) { return std::fmax(x, y); });
  add.floatBinary<arith::MinNumFOp>(
      [](float x, float y) { return std::fmin(x, y); });
  // NaN if either is.
  add.floatBinary<arith::MaximumFOp>([](float x, float y) {
    return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
  });
  add.floatBinary<arith::MinimumFOp>([](float x, float y) {
    return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
  });
  add.floatBinary<math::CopySignOp>(
      [](float x, float y) { return std::copysign(x, y); });
  table.add<math::FmaOp>(runFma);
}

static void addIntOps(OpTable &table) {
  using I = int64_t;
  Adder add(table);
  // Through unsigned numbers, which wrap.
  add.intBinary<arith::AddIOp>([](I x, I y) { return I(uint64_t(x) + y); });
  add.intBinary<arith::SubIOp>([](I x, I y) { return I(uint64_t(x) - y); });
  add.intBinary<arith::MulIOp>([](I x, I y) { return I(uint64_t(x) * y); });
  add.intBinary<arith::AndIOp>([](I x, I y) { return x & y; });
  add.intBinary<arith::OrIOp>([](I x, I y) { return x | y; });
  add.intBinary<arith::XOrIOp>([](I x, I y) { return x ^ y; });
  add.intBinary<arith::MaxSIOp>([](I x, I y) { return std::max(x, y); });
  add.intBinary<arith::MinSIOp>([](I x, I y) { return std::min(x, y); });
  add.intBinary<arith::MaxUIOp>(
      [](I x, I y) { return uint64_t(x) > uint64_t(y) ? x : y; });
  add.intBinary<arith::MinUIOp>(
      [](I x, I y) { return uint64_t(x) < uint64_t(y) ? x : y; });
  add.division<arith::DivSIOp>(false, [](I x, I y) { return x / y; });
  add.division<arith::RemSIOp>(false, [](I x, I y) { return x % y; });
  add.division<arith::CeilDivSIOp>(
      false, [](I x, I y) { return llvm::divideCeilSigned(x, y); });
  add.division<arith::FloorDivSIOp>(
      false, [](I x, I y) { return llvm::divideFloorSigned(x, y); });
  add.division<arith::DivUIOp>(
      true, [](I x, I y) { return I(uint64_t(x) / uint64_t(y)); });
  add.division<arith::RemUIOp>(
      true, [](I x, I y) { return I(uint64_t(x) % uint64_t(y)); });
  add.division<arith::CeilDivUIOp>(true, [](I x, I y) {
    return x == 0 ? 0 : I((uint64_t(x) - 1) / uint64_t(y) + 1);
  });
  add.intUnary<math::AbsIOp>([](I x, Type) { return x < 0 ? -x : x; });
  // All of these wrap to their result's type.
  add.intUnary<arith::IndexCastOp>(
      [](I x, Type from) { return from.isInteger(1) ? -x : x; });
  add.intUnary<arith::IndexCastUIOp>(
      [](I x, Type from) { return Adder::toUnsigned(from, x); });
  add.intUnary<arith::ExtSIOp>(
      [](I x, Type from) { return from.isInteger(1) ? -x : x; });
  add.intUnary<arith::ExtUIOp>(
      [](I x, Type from) { return Adder::toUnsigned(from, x); });
  add.intUnary<arith::TruncIOp>([](I x, Type) { return x; });
}

void sim::populateElementwiseOps(OpTable &table) {
  addFloatOps(table);
  addIntOps(table);
  table.add<arith::ConstantOp>(runConstant);
  table.add<arith::SelectOp>(runSelect);
  table.add<arith::CmpIOp>(runCmpI);
  table.add<arith::CmpFOp>(runCmpF);
  table.add<vector::BroadcastOp>(runBroadcast);
  addIntToFloat<arith::SIToFPOp>(table, /*isUnsigned=*/false);
  addIntToFloat<arith::UIToFPOp>(table, /*isUnsigned=*/true);
  addFloatToInt<arith::FPToSIOp>(table);
}
