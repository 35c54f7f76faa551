//===- RandomMasks.cpp - Masks with an independent meaning ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMasks.h"

#include <cmath>
#include <sstream>

namespace mlir::attn::test {

// Division by way of doubles: exact for the small numbers of the tests, and not
// the integer division under test.
static int64_t divide(int64_t a, int64_t b, Rounding rounding) {
  double quotient = static_cast<double>(a) / static_cast<double>(b);
  return static_cast<int64_t>(rounding == Rounding::Floor
                                  ? std::floor(quotient)
                                  : std::trunc(quotient));
}

Mask all() {
  return {MaskExpr::all(), [](int64_t, int64_t) { return true; }};
}
Mask none() {
  return {MaskExpr::none(), [](int64_t, int64_t) { return false; }};
}
Mask causal() {
  return {MaskExpr::causal(), [](int64_t p, int64_t r) { return r <= p; }};
}
Mask window(std::optional<int64_t> left, std::optional<int64_t> right) {
  return {MaskExpr::window(left, right), [=](int64_t p, int64_t r) {
            return (!left || r - p >= -*left) && (!right || r - p <= *right);
          }};
}
Mask prefix(int64_t length) {
  return {MaskExpr::prefix(length),
          [=](int64_t, int64_t r) { return r < length; }};
}
Mask chunked(int64_t chunk) {
  return {MaskExpr::chunked(chunk), [=](int64_t p, int64_t r) {
            return divide(p, chunk, Rounding::Floor) ==
                   divide(r, chunk, Rounding::Floor);
          }};
}
Mask operator&(Mask lhs, Mask rhs) {
  return {MaskExpr::conjunction(lhs.expr, rhs.expr),
          [l = lhs.visible, r = rhs.visible](int64_t p, int64_t key) {
            return l(p, key) && r(p, key);
          }};
}
Mask operator|(Mask lhs, Mask rhs) {
  return {MaskExpr::disjunction(lhs.expr, rhs.expr),
          [l = lhs.visible, r = rhs.visible](int64_t p, int64_t key) {
            return l(p, key) || r(p, key);
          }};
}
Mask operator!(Mask operand) {
  return {MaskExpr::negation(operand.expr),
          [v = operand.visible](int64_t p, int64_t r) { return !v(p, r); }};
}

static UniformSum randomSum(std::mt19937 &rng, const Uniforms &uniforms,
                            int64_t range) {
  UniformSum sum(draw(rng, -range, range));
  if (!uniforms.empty() && draw(rng, 0, 2) == 0)
    sum += UniformSum::uniform(draw(rng, 0, uniforms.size() - 1),
                               draw(rng, -2, 2));
  return sum;
}

static int64_t value(const UniformSum &sum, const Uniforms &uniforms) {
  int64_t result = sum.constant;
  for (const auto &term : sum.terms)
    result += term.second * uniforms[term.first];
  return result;
}

static PositionTerm randomTerm(std::mt19937 &rng, const Uniforms &uniforms) {
  PositionTerm term;
  term.coefficient = draw(rng, 0, 2) ? 1 : draw(rng, 0, 1) ? -1 : 3;
  term.multiplier = draw(rng, 0, 2) ? 1 : draw(rng, -3, 3);
  term.offset = randomSum(rng, uniforms, 40);
  term.divisor = draw(rng, 0, 1) ? 1 : draw(rng, 2, 40);
  term.rounding = draw(rng, 0, 1) ? Rounding::Floor : Rounding::TowardZero;
  return term;
}

Mask randomCompare(std::mt19937 &rng, const Uniforms &uniforms) {
  PositionCompare compare;
  compare.predicate = static_cast<MaskExpr::Predicate>(draw(rng, 0, 2));
  compare.key = randomTerm(rng, uniforms);
  for (int64_t i = draw(rng, 0, 2); i > 0; --i)
    compare.query.push_back(randomTerm(rng, uniforms));
  compare.offset = randomSum(rng, uniforms, 60);
  auto visible = [compare, uniforms](int64_t p, int64_t r) {
    auto evaluate = [&](const PositionTerm &term, int64_t x) {
      int64_t dividend = term.multiplier * x + value(term.offset, uniforms);
      return term.coefficient * divide(dividend, term.divisor, term.rounding);
    };
    int64_t left = compare.key.multiplier == 0 ? 0 : evaluate(compare.key, r);
    int64_t right = value(compare.offset, uniforms);
    for (const PositionTerm &term : compare.query)
      right += evaluate(term, p);
    switch (compare.predicate) {
    case MaskExpr::Predicate::AtMost:
      return left <= right;
    case MaskExpr::Predicate::AtLeast:
      return left >= right;
    case MaskExpr::Predicate::Equal:
      return left == right;
    }
    return false;
  };
  return {MaskExpr::compare(compare), visible};
}

/// A bit that no analysis can know.
static bool noise(int64_t p, int64_t r, int64_t salt) {
  uint64_t hash = p * 0x9E3779B97F4A7C15ull + r * 0xC2B2AE3D27D4EB4Full + salt;
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9ull;
  return (hash >> 40) & 1;
}

static Mask randomLeaf(std::mt19937 &rng, const Uniforms &uniforms) {
  auto side = [&]() -> std::optional<int64_t> {
    if (draw(rng, 0, 3) == 0)
      return std::nullopt;
    return draw(rng, 0, 80);
  };
  switch (draw(rng, 0, 9)) {
  case 0:
    return draw(rng, 0, 1) ? all() : none();
  case 1:
  case 2:
    return causal();
  case 3: {
    auto left = side(), right = side();
    return window(left, right);
  }
  case 4:
    return prefix(draw(rng, -20, 220));
  case 5:
    return chunked(draw(rng, 1, 90));
  case 6: {
    int64_t begin = draw(rng, -50, 200), end = begin + draw(rng, -5, 120);
    int64_t innerBegin = draw(rng, begin, std::max(begin, end));
    int64_t innerEnd = draw(rng, innerBegin, std::max(innerBegin, end));
    bool hasCertain = draw(rng, 0, 1);
    int64_t salt = draw(rng, 0, 1 << 30);
    std::optional<KeySpan> certain;
    if (hasCertain)
      certain = KeySpan{innerBegin, innerEnd};
    return {MaskExpr::span({begin, end}, certain), [=](int64_t p, int64_t r) {
              if (r < begin || r >= end)
                return false;
              return (hasCertain && innerBegin <= r && r < innerEnd) ||
                     noise(p, r, salt);
            }};
  }
  case 7: {
    int64_t salt = draw(rng, 0, 1 << 30);
    return {MaskExpr::opaque(),
            [=](int64_t p, int64_t r) { return noise(p, r, salt); }};
  }
  default:
    return randomCompare(rng, uniforms);
  }
}

Mask randomMask(std::mt19937 &rng, unsigned depth, const Uniforms &uniforms) {
  if (depth == 0 || draw(rng, 0, 4) == 0)
    return randomLeaf(rng, uniforms);
  switch (draw(rng, 0, 4)) {
  case 0:
  case 1: {
    Mask lhs = randomMask(rng, depth - 1, uniforms);
    return lhs & randomMask(rng, depth - 1, uniforms);
  }
  case 2:
  case 3: {
    Mask lhs = randomMask(rng, depth - 1, uniforms);
    return lhs | randomMask(rng, depth - 1, uniforms);
  }
  default:
    return !randomMask(rng, depth - 1, uniforms);
  }
}

Problem randomProblem(std::mt19937 &rng) {
  Problem problem;
  // Rows before the first key and behind the last one occur when the lengths
  // of queries and keys differ.
  problem.keyOrigin = draw(rng, 0, 1) ? 0 : draw(rng, -60, 60);
  problem.keyExtent = draw(rng, 0, 3) ? draw(rng, 0, 200) : draw(rng, 0, 4);
  problem.queryFirst = problem.keyOrigin + draw(rng, -120, 260);
  problem.queryLast = problem.queryFirst + draw(rng, 0, 63);
  problem.tileSize = draw(rng, 1, 64);
  for (int i = 0; i < 3; ++i)
    problem.uniforms.push_back(draw(rng, -100, 200));
  return problem;
}

TruthClass bruteForce(const Mask &mask, const Problem &problem, int64_t tile) {
  int64_t begin = problem.keyOrigin + tile * problem.tileSize;
  int64_t end =
      std::min(begin + problem.tileSize, problem.keyOrigin + problem.keyExtent);
  bool any = false, every = end - begin == problem.tileSize;
  for (int64_t p = problem.queryFirst; p <= problem.queryLast; ++p)
    for (int64_t r = begin; r < end; ++r)
      (mask.visible(p, r) ? any : every) = mask.visible(p, r);
  return !any    ? TruthClass::Empty
         : every ? TruthClass::Full
                 : TruthClass::Partial;
}

std::string describe(const Mask &mask, const Problem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "mask " << mask.expr << "; p in [" << problem.queryFirst << ", "
     << problem.queryLast << "], keys from " << problem.keyOrigin << ", "
     << problem.keyExtent << " of them, tiles of " << problem.tileSize
     << ", uniforms";
  for (int64_t uniform : problem.uniforms)
    os << ' ' << uniform;
  return text;
}

std::string check(const Mask &mask, const Problem &problem, bool tight,
                  llvm::ArrayRef<TileSegment<int64_t>> segments) {
  std::ostringstream wrong;
  std::vector<TruthClass> classes(problem.tileCount(), TruthClass::Empty);
  int64_t next = 0;
  for (const auto &segment : segments) {
    bool full = segment.tileClass == TileClass::Full;
    if (segment.begin > segment.end || segment.begin < next ||
        segment.end > problem.tileCount()) {
      wrong << "segment [" << segment.begin << ", " << segment.end
            << ") out of order; ";
      return wrong.str();
    }
    next = segment.end;
    for (int64_t tile = segment.begin; tile < segment.end; ++tile)
      classes[tile] = full ? TruthClass::Full : TruthClass::Partial;
  }
  for (int64_t tile = 0; tile < problem.tileCount(); ++tile) {
    TruthClass truth = bruteForce(mask, problem, tile), got = classes[tile];
    bool sound = got == truth || got == TruthClass::Partial;
    if (!sound || (tight && got != truth))
      wrong << "tile " << tile << " is " << static_cast<int>(truth) << ", got "
            << static_cast<int>(got) << "; ";
  }
  return wrong.str();
}

} // namespace mlir::attn::test
