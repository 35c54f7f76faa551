//===- MaskRegion.cpp - Mask regions as mask expressions ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are read as sums of terms that depend on p alone or on r alone, each
// with a bound of its magnitude: a value that could wrap in its type, or in 64
// bits, has no reading. Comparisons of such sums are solved for the key term.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/MaskRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// `query * p + key * r + sum of quotients + offset`, below `magnitude`.
struct PositionSum {
  int64_t query = 0, key = 0;
  SmallVector<PositionTerm, 1> queryQuotients, keyQuotients;
  UniformSum offset;
  uint64_t magnitude = 0;

  void scale(int64_t factor) {
    query *= factor;
    key *= factor;
    offset *= factor;
    for (auto *terms : {&queryQuotients, &keyQuotients})
      for (PositionTerm &term : *terms)
        term.coefficient *= factor;
  }
};

constexpr uint64_t kMagnitudeLimit = uint64_t(1) << 62;

class RegionReader {
public:
  RegionReader(Block &block, const MaskRegionSignature &signature,
               function_ref<void(Value)> onOpaque)
      : block(block), signature(signature), onOpaque(onOpaque) {
    // In order, so that operands have been read: no recursion along chains.
    for (Operation &op : block)
      for (Value result : op.getResults())
        readSum(result);
  }

  MaskExpr readMask(Value value);

private:
  MaskExpr opaque(Value value) {
    if (onOpaque)
      onOpaque(value);
    return MaskExpr::opaque();
  }
  MaskExpr readCompare(arith::CmpIOp op);

  /// No value: the integer has no reading.
  std::optional<PositionSum> readSum(Value value);
  std::optional<PositionSum> computeSum(Value value);
  std::optional<PositionSum> readArgument(BlockArgument argument);
  std::optional<PositionSum> readLinear(Value lhs, Value rhs, int64_t sign);
  std::optional<PositionSum> readProduct(Value lhs, Value rhs);
  /// `dividend / divisor`; `rounded` is added to the dividend before.
  std::optional<PositionSum> readQuotient(Value dividend, Value divisor,
                                          Rounding rounding, bool up = false);
  std::optional<PositionSum> divide(PositionSum dividend, int64_t divisor,
                                    Rounding rounding);

  static std::optional<int64_t> constantOf(Value value) {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)) ||
        number.getSignificantBits() > 62)
      return std::nullopt;
    return number.getSExtValue();
  }

  Block &block;
  const MaskRegionSignature &signature;
  function_ref<void(Value)> onOpaque;
  DenseMap<Value, std::optional<PositionSum>> sums;
  /// An expression is a tree and a block is a graph: what is used twice is
  /// copied. The budget bounds the copies, and with them the analysis.
  unsigned budget = 256;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

MaskExpr RegionReader::readMask(Value value) {
  if (budget == 0)
    return opaque(value);
  --budget;
  if (matchPattern(value, m_One()))
    return MaskExpr::all();
  if (matchPattern(value, m_Zero()))
    return MaskExpr::none();
  Operation *op = value.getDefiningOp();
  if (!op)
    return opaque(value);
  return TypeSwitch<Operation *, MaskExpr>(op)
      .Case([&](arith::CmpIOp op) { return readCompare(op); })
      .Case([&](arith::AndIOp op) {
        MaskExpr lhs = readMask(op.getLhs());
        return MaskExpr::conjunction(std::move(lhs), readMask(op.getRhs()));
      })
      .Case([&](arith::OrIOp op) {
        MaskExpr lhs = readMask(op.getLhs());
        return MaskExpr::disjunction(std::move(lhs), readMask(op.getRhs()));
      })
      .Case([&](arith::XOrIOp op) {
        if (matchPattern(op.getRhs(), m_One()))
          return MaskExpr::negation(readMask(op.getLhs()));
        if (matchPattern(op.getLhs(), m_One()))
          return MaskExpr::negation(readMask(op.getRhs()));
        return opaque(value);
      })
      .Case([&](arith::SelectOp op) {
        // (c and a) or (not c and b)
        MaskExpr condition = readMask(op.getCondition());
        MaskExpr ifTrue = MaskExpr::conjunction(std::move(condition),
                                                readMask(op.getTrueValue()));
        condition = readMask(op.getCondition());
        return MaskExpr::disjunction(
            std::move(ifTrue),
            MaskExpr::conjunction(MaskExpr::negation(std::move(condition)),
                                  readMask(op.getFalseValue())));
      })
      .Default([&](Operation *) { return opaque(value); });
}

MaskExpr RegionReader::readCompare(arith::CmpIOp op) {
  using Predicate = MaskExpr::Predicate;
  using arith::CmpIPredicate;
  Predicate predicate;
  int64_t shift = 0;
  switch (op.getPredicate()) {
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    predicate = Predicate::Equal;
    break;
  case CmpIPredicate::sle:
    predicate = Predicate::AtMost;
    break;
  case CmpIPredicate::slt:
    predicate = Predicate::AtMost;
    shift = -1;
    break;
  case CmpIPredicate::sge:
    predicate = Predicate::AtLeast;
    break;
  case CmpIPredicate::sgt:
    predicate = Predicate::AtLeast;
    shift = 1;
    break;
  default: // unsigned
    return opaque(op);
  }
  std::optional<PositionSum> sum = readLinear(op.getLhs(), op.getRhs(), -1);
  if (!sum)
    return opaque(op);

  // sum <predicate> 0, solved for the one term in r.
  PositionCompare compare;
  compare.predicate = predicate;
  if (!sum->keyQuotients.empty()) {
    if (sum->key != 0 || sum->keyQuotients.size() > 1)
      return opaque(op);
    compare.key = sum->keyQuotients.front();
  } else {
    compare.key.multiplier = sum->key;
  }
  sum->scale(-1);
  compare.query = std::move(sum->queryQuotients);
  if (sum->query != 0) {
    compare.query.emplace_back();
    compare.query.back().multiplier = sum->query;
  }
  compare.offset = std::move(sum->offset);
  compare.offset += shift;
  MaskExpr mask = MaskExpr::compare(std::move(compare));
  if (mask.getKind() == MaskExpr::Kind::Opaque)
    return opaque(op);
  return op.getPredicate() == CmpIPredicate::ne
             ? MaskExpr::negation(std::move(mask))
             : mask;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::optional<PositionSum> RegionReader::readSum(Value value) {
  if (auto it = sums.find(value); it != sums.end())
    return it->second;
  std::optional<PositionSum> sum;
  unsigned width = value.getType().isIndex() ? 64 : 0;
  if (auto type = dyn_cast<IntegerType>(value.getType()))
    width = type.getWidth();
  if (width > 1)
    sum = computeSum(value);
  // The reading is that of integers without bound: refuse it where the type
  // could wrap. An argument is what it is.
  if (sum && !isa<BlockArgument>(value) &&
      (sum->magnitude >= kMagnitudeLimit ||
       sum->magnitude > uint64_t(llvm::maxIntN(std::min(width, 64u)))))
    sum = std::nullopt;
  sums[value] = sum;
  return sum;
}

std::optional<PositionSum> RegionReader::computeSum(Value value) {
  if (std::optional<int64_t> number = constantOf(value)) {
    PositionSum sum;
    sum.offset = *number;
    sum.magnitude = *number < 0 ? -*number : *number;
    return sum;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return readArgument(argument);
  using Result = std::optional<PositionSum>;
  if (value.getDefiningOp()->getBlock() != &block)
    return std::nullopt;
  return TypeSwitch<Operation *, Result>(value.getDefiningOp())
      .Case([&](arith::AddIOp op) {
        return readLinear(op.getLhs(), op.getRhs(), 1);
      })
      .Case([&](arith::SubIOp op) {
        return readLinear(op.getLhs(), op.getRhs(), -1);
      })
      .Case([&](arith::MulIOp op) {
        return readProduct(op.getLhs(), op.getRhs());
      })
      .Case([&](arith::FloorDivSIOp op) {
        return readQuotient(op.getLhs(), op.getRhs(), Rounding::Floor);
      })
      .Case([&](arith::CeilDivSIOp op) {
        return readQuotient(op.getLhs(), op.getRhs(), Rounding::Floor,
                            /*up=*/true);
      })
      .Case([&](arith::DivSIOp op) {
        return readQuotient(op.getLhs(), op.getRhs(), Rounding::TowardZero);
      })
      .Case([&](arith::ShRSIOp op) -> Result {
        std::optional<int64_t> bits = constantOf(op.getRhs());
        std::optional<PositionSum> dividend = readSum(op.getLhs());
        if (!bits || *bits < 0 || *bits >= 62 || !dividend)
          return std::nullopt;
        return divide(std::move(*dividend), int64_t(1) << *bits,
                      Rounding::Floor);
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *op) { return readSum(op->getOperand(0)); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

std::optional<PositionSum> RegionReader::readArgument(BlockArgument argument) {
  if (argument.getOwner() != &block)
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  PositionSum sum;
  // Below the power of two.
  sum.magnitude = (uint64_t(1) << signature.positionBits) - 1;
  if (number == signature.queryArgument) {
    sum.query = 1;
  } else if (number == signature.keyArgument) {
    sum.key = 1;
  } else if (llvm::is_contained(signature.uniformArguments, number)) {
    sum.offset = UniformSum::uniform(number);
    sum.magnitude = kPositionLimit - 1;
    if (auto type = dyn_cast<IntegerType>(argument.getType());
        type && type.getWidth() <= kPositionBits)
      sum.magnitude = uint64_t(1) << (type.getWidth() - 1);
  } else {
    return std::nullopt;
  }
  return sum;
}

/// Masks have one or two quotients; a limit keeps long chains linear in time.
static constexpr size_t kMaxQuotients = 4;

/// Adds `term` to `terms`; terms with the same quotient become one.
static void addQuotient(SmallVectorImpl<PositionTerm> &terms,
                        const PositionTerm &term) {
  for (PositionTerm *it = terms.begin(); it != terms.end(); ++it) {
    if (it->multiplier != term.multiplier || it->divisor != term.divisor ||
        it->rounding != term.rounding || !(it->offset == term.offset))
      continue;
    it->coefficient += term.coefficient;
    if (it->coefficient == 0)
      terms.erase(it);
    return;
  }
  terms.push_back(term);
}

std::optional<PositionSum> RegionReader::readLinear(Value lhs, Value rhs,
                                                    int64_t sign) {
  std::optional<PositionSum> sum = readSum(lhs), other = readSum(rhs);
  if (!sum || !other)
    return std::nullopt;
  other->scale(sign);
  sum->query += other->query;
  sum->key += other->key;
  sum->offset += other->offset;
  for (const PositionTerm &term : other->queryQuotients)
    addQuotient(sum->queryQuotients, term);
  for (const PositionTerm &term : other->keyQuotients)
    addQuotient(sum->keyQuotients, term);
  if (sum->queryQuotients.size() > kMaxQuotients ||
      sum->keyQuotients.size() > kMaxQuotients)
    return std::nullopt;
  sum->magnitude += other->magnitude;
  return sum;
}

std::optional<PositionSum> RegionReader::readProduct(Value lhs, Value rhs) {
  std::optional<int64_t> factor = constantOf(rhs);
  if (!factor) {
    std::swap(lhs, rhs);
    factor = constantOf(rhs);
  }
  std::optional<PositionSum> sum = readSum(lhs);
  if (!factor || !sum)
    return std::nullopt;
  uint64_t size = *factor < 0 ? -*factor : *factor;
  sum->magnitude = llvm::SaturatingMultiply<uint64_t>(sum->magnitude, size);
  // Coefficients are below the magnitude, so they do not wrap either.
  if (sum->magnitude >= kMagnitudeLimit)
    return std::nullopt;
  sum->scale(*factor);
  return sum;
}

std::optional<PositionSum> RegionReader::readQuotient(Value dividend,
                                                      Value divisor,
                                                      Rounding rounding,
                                                      bool up) {
  std::optional<int64_t> number = constantOf(divisor);
  std::optional<PositionSum> sum = readSum(dividend);
  if (!number || *number < 1 || !sum)
    return std::nullopt;
  if (up) {
    // ceil(x / c) = floor((x + c - 1) / c)
    sum->offset += *number - 1;
    sum->magnitude += *number - 1;
  }
  return divide(std::move(*sum), *number, rounding);
}

std::optional<PositionSum>
RegionReader::divide(PositionSum dividend, int64_t divisor, Rounding rounding) {
  if (divisor == 1)
    return dividend;
  // A quotient of p and r together, or of a quotient, is not a sum of terms.
  if ((dividend.query != 0 && dividend.key != 0) ||
      !dividend.queryQuotients.empty() || !dividend.keyQuotients.empty())
    return std::nullopt;
  PositionTerm term;
  term.multiplier = dividend.query + dividend.key;
  term.offset = std::move(dividend.offset);
  term.divisor = divisor;
  term.rounding = rounding;
  PositionSum sum;
  sum.magnitude = dividend.magnitude / divisor + 1;
  (dividend.key != 0 ? sum.keyQuotients : sum.queryQuotients)
      .push_back(std::move(term));
  return sum;
}

MaskExpr mlir::attn::maskFromRegion(Region &region,
                                    const MaskRegionSignature &signature,
                                    function_ref<void(Value)> onOpaque) {
  assert(signature.positionBits >= 1 &&
         signature.positionBits <= kPositionBits && "positions are bounded");
  if (!region.hasOneBlock() || region.front().empty())
    return MaskExpr::opaque();
  Operation &last = region.front().back();
  if (last.getNumOperands() != 1 ||
      !last.getOperand(0).getType().isSignlessInteger(1))
    return MaskExpr::opaque();
  return RegionReader(region.front(), signature, onOpaque)
      .readMask(last.getOperand(0));
}
