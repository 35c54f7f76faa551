//===- KeyTiles.h - Segments of full and partial key tiles ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the two sets of keys of KeyRanges to the walk of one query tile: an
// ordered list of segments of key tiles. Tiles of no segment are empty: no row
// sees any of their keys.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_KEYTILES_H
#define ATTN_ANALYSIS_KEYTILES_H

#include "attn/Analysis/KeyRanges.h"

namespace mlir::attn {

/// Full: the tile is complete and every row sees each of its keys. Partial:
/// anything else that is not known to be empty.
enum class TileClass { Partial, Full };

/// Tiles [begin, end); tile t holds the keys from keyOrigin + t * tileSize on,
/// tileSize of them or as many as are left. May be empty at run time.
template <typename Value>
struct TileSegment {
  TileClass tileClass;
  Value begin, end;
};

struct ClassifyOptions {
  /// Intervals that a set may have. Each slot that two possible and two certain
  /// intervals need is a copy of the loop's body, 8 at most; with more
  /// intervals (l certain, m possible) it is (l + 1) * m + l.
  unsigned maxIntervals = 2;
};

/// Segments of one query tile under `mask`: ascending, disjoint, and together
/// every tile that may hold a visible key. Their number depends on the mask and
/// on what is constant, not on the run.
template <typename Arith>
llvm::SmallVector<TileSegment<typename Arith::Value>, 4>
classifyKeyTiles(Arith &arith, const MaskExpr &mask,
                 const TilePositions<Arith> &tile, int64_t tileSize,
                 ClassifyOptions options = {}) {
  using Value = typename Arith::Value;
  using Algebra = IntervalAlgebra<Arith>;
  using Bound = typename Algebra::Bound;
  using Edge = typename Bound::Edge;
  using Interval = typename Algebra::Interval;
  assert(tileSize >= 1 && "tiles hold at least one key");

  auto keys =
      KeyRanges<Arith>(arith, tile, options.maxIntervals).evaluate(mask);
  Algebra tiles(arith, arith.divUp(tile.keyExtent, tileSize));
  auto roundDown = [&](const Bound &key) -> Bound {
    if (key.edge == Edge::Bottom)
      return tiles.bottom();
    return {arith.divDown(key.value, tileSize), Edge::Inner};
  };
  auto roundUp = [&](const Bound &key) -> Bound {
    if (key.edge == Edge::Bottom)
      return tiles.bottom();
    if (key.edge == Edge::Top)
      return tiles.top();
    return {arith.divUp(key.value, tileSize), Edge::Inner};
  };

  // Tiles that touch a possible interval. A point touches none, though it may
  // lie inside a tile; two intervals may share a tile, which is the first's.
  IntervalSet<Value> possible;
  for (const Interval &part : keys.possible) {
    Interval touched{roundDown(part.lo), roundUp(part.hi)};
    if (part.lo.edge != Edge::Bottom)
      touched.hi = tiles.selectLess(part.lo, part.hi, touched.hi, touched.lo);
    if (!possible.empty()) {
      touched.lo = tiles.max(touched.lo, possible.back().hi);
      touched.hi = tiles.max(touched.hi, touched.lo);
    }
    tiles.append(possible, touched);
  }

  // Around each run of full tiles, the possible tiles of the gap before it.
  llvm::SmallVector<TileSegment<Value>, 4> segments;
  auto appendPartial = [&](const Bound &begin, const Bound &end) {
    for (const Interval &part : possible) {
      IntervalSet<Value> kept;
      tiles.append(kept, tiles.project(part, {begin, end}));
      for (const Interval &run : kept)
        segments.push_back({TileClass::Partial, run.lo.value, run.hi.value});
    }
  };
  Bound next = tiles.bottom();
  for (const Interval &part : keys.certain) {
    Bound begin = roundUp(part.lo), end = tiles.max(begin, roundDown(part.hi));
    if (tiles.isKnownAtMost(end, begin))
      continue;
    appendPartial(next, begin);
    segments.push_back({TileClass::Full, begin.value, end.value});
    next = end;
  }
  appendPartial(next, tiles.top());
  return segments;
}

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_KEYTILES_H
