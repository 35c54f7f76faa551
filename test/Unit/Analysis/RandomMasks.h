//===- RandomMasks.h - Masks with an independent meaning --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test support: a MaskExpr together with the predicate that it stands for,
// written a second time as a plain function of (p, r), random ones of them, and
// the brute-force class of a tile.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_ANALYSIS_RANDOMMASKS_H
#define ATTN_TEST_UNIT_ANALYSIS_RANDOMMASKS_H

#include "attn/Analysis/KeyTiles.h"
#include "attn/Analysis/MaskExpr.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace mlir::attn::test {

/// The seed of all random tests; failures print what was drawn.
inline constexpr unsigned kSeed = 20240917;

struct Mask {
  MaskExpr expr;
  std::function<bool(int64_t p, int64_t r)> visible;
};

Mask all();
Mask none();
Mask causal();
Mask window(std::optional<int64_t> left, std::optional<int64_t> right);
Mask prefix(int64_t length);
Mask chunked(int64_t chunk);
Mask operator&(Mask lhs, Mask rhs);
Mask operator|(Mask lhs, Mask rhs);
Mask operator!(Mask operand);

/// The numbers behind uniform 0, 1 and 2.
using Uniforms = std::vector<int64_t>;

/// A comparison with random coefficients, divisors, roundings and uniforms.
Mask randomCompare(std::mt19937 &rng, const Uniforms &uniforms);
/// A tree of at most `depth` and/or/not above random leaves of all kinds.
Mask randomMask(std::mt19937 &rng, unsigned depth, const Uniforms &uniforms);

/// Sizes and positions of one query tile and its keys.
struct Problem {
  int64_t queryFirst, queryLast, keyOrigin, keyExtent, tileSize;
  Uniforms uniforms;

  TilePositions<IntArith> positions() const {
    return {queryFirst, queryLast, keyOrigin, keyExtent, uniforms};
  }
  int64_t tileCount() const { return (keyExtent + tileSize - 1) / tileSize; }
};
Problem randomProblem(std::mt19937 &rng);

enum class TruthClass { Empty, Partial, Full };
/// By evaluating every point; a ragged tile is never full.
TruthClass bruteForce(const Mask &mask, const Problem &problem, int64_t tile);

std::string describe(const Mask &mask, const Problem &problem);

/// Empty if `segments` are ascending, disjoint, inside the tiles and never
/// wrong (and never loose, with `tight`); else what is wrong.
std::string check(const Mask &mask, const Problem &problem, bool tight,
                  llvm::ArrayRef<TileSegment<int64_t>> segments);

inline int64_t draw(std::mt19937 &rng, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
}

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_ANALYSIS_RANDOMMASKS_H
