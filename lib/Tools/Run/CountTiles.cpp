//===- CountTiles.cpp - Counting visited key tiles -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of segments are values before the walk, so a count costs no look into
// its body.
//
//===----------------------------------------------------------------------===//

#include "CountTiles.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

void mlir::attn::run::countTiles(TileCounter *counter, int64_t visited,
                                 int64_t full, int64_t all) {
  counter->visited += visited;
  counter->full += full;
  counter->all += all;
}

/// The number of tiles in a segment: `max(end - begin, 0)`.
static Value getLength(OpBuilder &b, Location loc,
                       std::pair<Value, Value> bounds) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value length = arith::SubIOp::create(b, loc, bounds.second, bounds.first);
  return arith::MaxSIOp::create(b, loc, length, zero);
}

void mlir::attn::run::insertTileCounts(ModuleOp module, TileCounter *counter) {
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(module.getBody());
  Type i64 = b.getI64Type();
  auto callee = func::FuncOp::create(
      b, module.getLoc(), kCountTilesSymbol,
      b.getFunctionType({i64, i64, i64, i64}, TypeRange()));
  callee.setPrivate();
  module.walk([&](WalkOp walk) {
    Location loc = walk.getLoc();
    b.setInsertionPoint(walk);
    Value visited = arith::ConstantIndexOp::create(b, loc, 0), full = visited;
    for (unsigned n = 0, e = walk.getSegments().size(); n < e; ++n) {
      Value length = getLength(b, loc, walk.getSegmentBounds(n));
      visited = arith::AddIOp::create(b, loc, visited, length);
      if (walk.getSegment(n).getTiles() == SegmentClass::Full)
        full = arith::AddIOp::create(b, loc, full, length);
    }
    Value tile = arith::ConstantIndexOp::create(b, loc, walk.getTile());
    Value all = arith::CeilDivSIOp::create(b, loc, walk.getExtent(), tile);
    SmallVector<Value> operands = {arith::ConstantIntOp::create(
        b, loc, i64, reinterpret_cast<int64_t>(counter))};
    for (Value value : {visited, full, all})
      operands.push_back(arith::IndexCastOp::create(b, loc, i64, value));
    func::CallOp::create(b, loc, callee, operands);
  });
}
