//===- DocumentBounds.cpp - Key tiles that hold a tile's documents --------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the loops over document ids.
//
//===----------------------------------------------------------------------===//

#include "DocumentBounds.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

static Value index(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantIndexOp::create(b, loc, n);
}

/// Least and greatest of `ids[row, begin .. end)`, which is not empty.
static std::pair<Value, Value> emitExtremes(OpBuilder &b, Location loc,
                                            Value ids, Value row, Value begin,
                                            Value end) {
  Value one = index(b, loc, 1);
  Value first = tensor::ExtractOp::create(b, loc, ids, ValueRange{row, begin});
  Value second = arith::AddIOp::create(b, loc, begin, one);
  auto loop = scf::ForOp::create(
      b, loc, second, end, one, ValueRange{first, first},
      [&](OpBuilder &b, Location loc, Value place, ValueRange extremes) {
        Value id =
            tensor::ExtractOp::create(b, loc, ids, ValueRange{row, place});
        Value least = arith::MinSIOp::create(b, loc, extremes[0], id);
        Value greatest = arith::MaxSIOp::create(b, loc, extremes[1], id);
        scf::YieldOp::create(b, loc, ValueRange{least, greatest});
      });
  return {loop.getResult(0), loop.getResult(1)};
}

KeyTileIds::KeyTileIds(RewriterBase &b, Location loc, Value ids,
                       int64_t tileSize) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(ids);
  AffineExpr d0, s0;
  bindDims(b.getContext(), d0);
  bindSymbols(b.getContext(), s0);
  OpFoldResult batches = tensor::getMixedSize(b, loc, ids, 0);
  OpFoldResult keys = tensor::getMixedSize(b, loc, ids, 1);
  OpFoldResult tiles = affine::makeComposedFoldedAffineApply(
      b, loc, s0.ceilDiv(tileSize), {keys});
  auto toValue = [&](OpFoldResult fold) {
    return getValueOrCreateConstantIndexOp(b, loc, fold);
  };
  Value zero = index(b, loc, 0), one = index(b, loc, 1);
  Value lastKey = toValue(keys), lastTile = toValue(tiles);
  // One table: two equal ones would start from the same empty tensor.
  Value empty = tensor::EmptyOp::create(
      b, loc, {batches, tiles, b.getIndexAttr(2)}, b.getIntegerType(32));
  auto overBatches = scf::ForOp::create(
      b, loc, zero, toValue(batches), one, empty,
      [&](OpBuilder &b, Location loc, Value batch, ValueRange state) {
        auto overTiles = scf::ForOp::create(
            b, loc, zero, lastTile, one, state,
            [&](OpBuilder &b, Location loc, Value tile, ValueRange state) {
              Value begin = affine::AffineApplyOp::create(
                  b, loc, AffineMap::get(1, 0, d0 * tileSize),
                  ValueRange{tile});
              Value end = affine::AffineMinOp::create(
                  b, loc,
                  AffineMap::get(1, 1, {d0 + tileSize, s0}, b.getContext()),
                  ValueRange{begin, lastKey});
              auto [low, high] = emitExtremes(b, loc, ids, batch, begin, end);
              Value table = tensor::InsertOp::create(
                  b, loc, low, state[0], ValueRange{batch, tile, zero});
              table = tensor::InsertOp::create(b, loc, high, table,
                                               ValueRange{batch, tile, one});
              scf::YieldOp::create(b, loc, table);
            });
        scf::YieldOp::create(b, loc, overTiles.getResults());
      });
  table = overBatches.getResult(0);
}

DocumentBounds attn::computeDocumentBounds(RewriterBase &b, Location loc,
                                           Value queryIds, OpFoldResult rows,
                                           const KeyTileIds &keys,
                                           OpFoldResult batch,
                                           int64_t tileSize) {
  auto toValue = [&](OpFoldResult fold) {
    return getValueOrCreateConstantIndexOp(b, loc, fold);
  };
  Value zero = index(b, loc, 0), one = index(b, loc, 1);
  Value row = toValue(batch);
  auto [least, greatest] =
      emitExtremes(b, loc, queryIds, zero, zero, toValue(rows));
  Value rowLeast = least, rowGreatest = greatest;
  Value tiles = toValue(tensor::getMixedSize(b, loc, keys.getTable(), 1));
  enum { Begin, End, CertainBegin, CertainEnd };
  auto loop = scf::ForOp::create(
      b, loc, zero, tiles, one, ValueRange{tiles, zero, zero, zero},
      [&](OpBuilder &b, Location loc, Value tile, ValueRange found) {
        Value low = tensor::ExtractOp::create(b, loc, keys.getTable(),
                                              ValueRange{row, tile, zero});
        Value high = tensor::ExtractOp::create(b, loc, keys.getTable(),
                                               ValueRange{row, tile, one});
        auto compare = [&](arith::CmpIPredicate predicate, Value x,
                           Value y) -> Value {
          return arith::CmpIOp::create(b, loc, predicate, x, y);
        };
        auto both = [&](Value x, Value y) -> Value {
          return arith::AndIOp::create(b, loc, x, y);
        };
        auto select = [&](Value c, Value x, Value y) -> Value {
          return arith::SelectOp::create(b, loc, c, x, y);
        };
        using P = arith::CmpIPredicate;
        Value next = arith::AddIOp::create(b, loc, tile, one);
        Value begins = compare(P::sle, low, rowGreatest);
        Value overlaps = both(begins, compare(P::sge, high, rowLeast));
        Value earliest = arith::MinSIOp::create(b, loc, found[Begin], tile);
        // All four ids are one: low <= high and rowLeast <= rowGreatest.
        Value leastIs = compare(P::sge, low, rowGreatest);
        Value same = both(leastIs, compare(P::sle, high, rowLeast));
        Value starts =
            both(same, compare(P::eq, found[CertainBegin], found[CertainEnd]));
        Value extends = both(same, compare(P::eq, found[CertainEnd], tile));
        Value grows = arith::OrIOp::create(b, loc, starts, extends);
        scf::YieldOp::create(
            b, loc,
            ValueRange{select(overlaps, earliest, found[Begin]),
                       select(overlaps, next, found[End]),
                       select(starts, tile, found[CertainBegin]),
                       select(grows, next, found[CertainEnd])});
      });
  auto toKey = [&](unsigned n) -> Value {
    AffineExpr d0 = b.getAffineDimExpr(0);
    return affine::AffineApplyOp::create(b, loc,
                                         AffineMap::get(1, 0, d0 * tileSize),
                                         ValueRange{loop.getResult(n)});
  };
  return {toKey(Begin), toKey(End), toKey(CertainBegin), toKey(CertainEnd)};
}
