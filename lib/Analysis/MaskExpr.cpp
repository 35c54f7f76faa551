//===- MaskExpr.cpp - A mask as a boolean expression over positions -------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builders, printer and the 64-bit range check of mask expressions.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/MaskExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// UniformSum
//===----------------------------------------------------------------------===//

UniformSum UniformSum::uniform(unsigned number, int64_t coefficient) {
  UniformSum sum;
  if (coefficient != 0)
    sum.terms.emplace_back(number, coefficient);
  return sum;
}

UniformSum &UniformSum::operator+=(const UniformSum &other) {
  constant += other.constant;
  for (const auto &term : other.terms) {
    auto *it = llvm::find_if(
        terms, [&](const auto &own) { return own.first == term.first; });
    if (it == terms.end()) {
      terms.push_back(term);
      continue;
    }
    it->second += term.second;
    if (it->second == 0)
      terms.erase(it);
  }
  return *this;
}

UniformSum &UniformSum::operator*=(int64_t factor) {
  constant *= factor;
  if (factor == 0)
    terms.clear();
  for (auto &term : terms)
    term.second *= factor;
  return *this;
}

//===----------------------------------------------------------------------===//
// Range check
//===----------------------------------------------------------------------===//

namespace {
/// Upper bounds of magnitudes; they saturate instead of wrapping.
uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : value;
}

uint64_t magnitude(const UniformSum &sum) {
  uint64_t bound = magnitude(sum.constant);
  for (const auto &term : sum.terms)
    bound = llvm::SaturatingMultiplyAdd<uint64_t>(magnitude(term.second),
                                                  kPositionLimit, bound);
  return bound;
}

/// Bound of `multiplier * x + offset`.
uint64_t dividendMagnitude(const PositionTerm &term) {
  return llvm::SaturatingMultiplyAdd<uint64_t>(
      magnitude(term.multiplier), kPositionLimit, magnitude(term.offset));
}

/// True if each intermediate number that KeyRanges computes for `compare` stays
/// below 2^62, so that sums of two of them cannot wrap.
bool fitsIn64Bits(const PositionCompare &compare) {
  uint64_t right = magnitude(compare.offset);
  uint64_t largest = dividendMagnitude(compare.key);
  for (const PositionTerm &term : compare.query) {
    uint64_t dividend = dividendMagnitude(term);
    largest = std::max(largest, dividend);
    right = llvm::SaturatingMultiplyAdd<uint64_t>(
        dividend / term.divisor + 1, magnitude(term.coefficient), right);
  }
  largest = std::max(largest, right);
  if (compare.key.multiplier != 0) {
    // Solved for r: (right / coefficient) * divisor + divisor - offset.
    uint64_t quotient = right / magnitude(compare.key.coefficient) + 2;
    uint64_t solved = llvm::SaturatingMultiplyAdd<uint64_t>(
        quotient, compare.key.divisor, magnitude(compare.key.offset));
    largest = std::max(largest, solved);
  }
  return largest < (uint64_t(1) << 62);
}

int64_t clampToLimit(int64_t value) {
  return std::clamp(value, -2 * kPositionLimit, 2 * kPositionLimit);
}
} // namespace

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

MaskExpr MaskExpr::compare(PositionCompare compare) {
  assert(compare.key.divisor >= 1 && "divisors are positive");
  assert(llvm::all_of(compare.query,
                      [](const PositionTerm &t) { return t.divisor >= 1; }) &&
         "divisors are positive");
  assert(compare.key.coefficient != 0 && "a missing key has multiplier 0");
  if (!fitsIn64Bits(compare))
    return opaque();
  // A negative factor of the key moves to the other side.
  if (compare.key.coefficient < 0) {
    compare.key.coefficient = -compare.key.coefficient;
    for (PositionTerm &term : compare.query)
      term.coefficient = -term.coefficient;
    compare.offset *= -1;
    if (compare.predicate == Predicate::AtMost)
      compare.predicate = Predicate::AtLeast;
    else if (compare.predicate == Predicate::AtLeast)
      compare.predicate = Predicate::AtMost;
  }
  MaskExpr mask(Kind::Compare);
  mask.comparison = std::move(compare);
  return mask;
}

MaskExpr MaskExpr::causal() { return window(std::nullopt, 0); }

MaskExpr MaskExpr::window(std::optional<int64_t> left,
                          std::optional<int64_t> right) {
  auto side = [](std::optional<int64_t> width, Predicate predicate, int sign) {
    if (!width || *width >= kPositionLimit)
      return all();
    PositionCompare compare;
    compare.predicate = predicate;
    compare.query.emplace_back();
    compare.offset = sign * std::max(*width, -2 * kPositionLimit);
    return MaskExpr::compare(std::move(compare));
  };
  return conjunction(side(left, Predicate::AtLeast, -1),
                     side(right, Predicate::AtMost, 1));
}

MaskExpr MaskExpr::prefix(UniformSum length) {
  if (length.isConstant())
    length.constant = clampToLimit(length.constant);
  PositionCompare compare;
  compare.offset = std::move(length);
  compare.offset += -1;
  return MaskExpr::compare(std::move(compare));
}

MaskExpr MaskExpr::chunked(int64_t chunk) {
  assert(chunk >= 1 && "chunks hold at least one position");
  PositionCompare compare;
  compare.predicate = Predicate::Equal;
  // Beyond the limit there are two chunks, of negative and of other positions.
  compare.key.divisor = clampToLimit(chunk);
  compare.query.push_back(compare.key);
  return MaskExpr::compare(std::move(compare));
}

MaskExpr MaskExpr::span(KeySpan possible, std::optional<KeySpan> certain) {
  for (KeySpan *span : {&possible, certain ? &*certain : nullptr}) {
    if (!span)
      continue;
    for (UniformSum *bound : {&span->begin, &span->end}) {
      if (bound->isConstant())
        bound->constant = clampToLimit(bound->constant);
      else if (magnitude(*bound) >= (uint64_t(1) << 62))
        return opaque();
    }
  }
  MaskExpr mask(Kind::Span);
  mask.possible = std::move(possible);
  mask.certain = std::move(certain);
  return mask;
}

MaskExpr MaskExpr::conjunction(MaskExpr lhs, MaskExpr rhs) {
  if (lhs.kind == Kind::All || rhs.kind == Kind::None)
    return rhs;
  if (rhs.kind == Kind::All || lhs.kind == Kind::None)
    return lhs;
  MaskExpr mask(Kind::And);
  mask.operands.push_back(std::move(lhs));
  mask.operands.push_back(std::move(rhs));
  return mask;
}

MaskExpr MaskExpr::disjunction(MaskExpr lhs, MaskExpr rhs) {
  if (lhs.kind == Kind::None || rhs.kind == Kind::All)
    return rhs;
  if (rhs.kind == Kind::None || lhs.kind == Kind::All)
    return lhs;
  MaskExpr mask(Kind::Or);
  mask.operands.push_back(std::move(lhs));
  mask.operands.push_back(std::move(rhs));
  return mask;
}

MaskExpr MaskExpr::negation(MaskExpr operand) {
  switch (operand.kind) {
  case Kind::All:
    return none();
  case Kind::None:
    return all();
  case Kind::Opaque:
    return operand;
  case Kind::Not:
    return MaskExpr(operand.operands.front());
  default:
    break;
  }
  MaskExpr mask(Kind::Not);
  mask.operands.push_back(std::move(operand));
  return mask;
}

bool MaskExpr::hasOpaque() const {
  return kind == Kind::Opaque ||
         llvm::any_of(operands,
                      [](const MaskExpr &part) { return part.hasOpaque(); });
}

//===----------------------------------------------------------------------===//
// Printer
//===----------------------------------------------------------------------===//

static void printSum(llvm::raw_ostream &os, const UniformSum &sum) {
  for (const auto &term : sum.terms)
    os << term.second << "*u" << term.first << " + ";
  os << sum.constant;
}

static void printTerm(llvm::raw_ostream &os, const PositionTerm &term,
                      char position) {
  if (term.coefficient != 1)
    os << term.coefficient << " * ";
  if (term.divisor != 1)
    os << (term.rounding == Rounding::Floor ? "floordiv" : "truncdiv");
  os << '(' << term.multiplier << '*' << position << " + ";
  printSum(os, term.offset);
  if (term.divisor != 1)
    os << ", " << term.divisor;
  os << ')';
}

static void printSpan(llvm::raw_ostream &os, const KeySpan &span) {
  os << '[';
  printSum(os, span.begin);
  os << ", ";
  printSum(os, span.end);
  os << ')';
}

void MaskExpr::print(llvm::raw_ostream &os) const {
  switch (kind) {
  case Kind::All:
    os << "all";
    return;
  case Kind::None:
    os << "none";
    return;
  case Kind::Opaque:
    os << "opaque";
    return;
  case Kind::Compare: {
    if (comparison.key.multiplier == 0)
      os << '0';
    else
      printTerm(os, comparison.key, 'r');
    os << (comparison.predicate == Predicate::AtMost    ? " <= "
           : comparison.predicate == Predicate::AtLeast ? " >= "
                                                        : " == ");
    for (const PositionTerm &term : comparison.query) {
      printTerm(os, term, 'p');
      os << " + ";
    }
    printSum(os, comparison.offset);
    return;
  }
  case Kind::Span:
    os << "span(possible ";
    printSpan(os, *possible);
    if (certain) {
      os << ", certain ";
      printSpan(os, *certain);
    }
    os << ')';
    return;
  case Kind::And:
  case Kind::Or:
    os << '(' << operands[0] << (kind == Kind::And ? " and " : " or ")
       << operands[1] << ')';
    return;
  case Kind::Not:
    os << "not (" << operands[0] << ')';
    return;
  }
}
