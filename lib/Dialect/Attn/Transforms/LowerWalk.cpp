//===- LowerWalk.cpp - attn.walk into loops -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop per segment, each with a copy of the body.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNLOWERWALKPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Lowers one walk.
class WalkLowering {
public:
  WalkLowering(WalkOp walk, RewriterBase &b)
      : walk(walk), b(b), loc(walk.getLoc()) {
    zero = arith::ConstantIndexOp::create(b, loc, 0);
    one = arith::ConstantIndexOp::create(b, loc, 1);
    tile = arith::ConstantIndexOp::create(b, loc, walk.getTile());
  }

  SmallVector<Value> run() {
    SmallVector<Value> states = llvm::to_vector_of<Value>(walk.getInits());
    for (unsigned n = 0, e = walk.getSegments().size(); n < e; ++n)
      states = lowerSegment(n, states);
    return states;
  }

private:
  SmallVector<Value> lowerSegment(unsigned n, ValueRange states) {
    SegmentAttr segment = walk.getSegment(n);
    Value begin = walk.getSegmentBounds(n).first;
    Value end = walk.getSegmentBounds(n).second;
    auto loop = scf::ForOp::create(
        b, loc, begin, end, one, states,
        [&](OpBuilder &, Location, Value step, ValueRange carried) {
          Value place = step;
          // Counting down: begin + (end - 1 - step).
          if (segment.getDirection() == SegmentDirection::Descending) {
            AffineExpr d0, s0, s1;
            bindDims(b.getContext(), d0);
            bindSymbols(b.getContext(), s0, s1);
            place = affine::AffineApplyOp::create(
                b, loc, AffineMap::get(1, 2, s0 + s1 - 1 - d0),
                ValueRange{step, begin, end});
          }
          if (segment.getKind() == SegmentKind::Range) {
            scf::YieldOp::create(b, loc,
                                 cloneBody(place, segment.getTiles(), carried));
            return;
          }
          scf::YieldOp::create(b, loc, visitListed(n, place, carried));
        });
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// Runs the body for the tile that entry `place` of segment `n`'s list names,
  /// unless it names none.
  SmallVector<Value> visitListed(unsigned n, Value place, ValueRange states) {
    Value entry = tensor::ExtractOp::create(b, loc, walk.getSegmentList(n),
                                            ValueRange{place});
    entry = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry);
    Value first = arith::MulIOp::create(b, loc, entry, tile);
    Value notNegative =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, entry, zero);
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         first, walk.getExtent());
    Value exists = arith::AndIOp::create(b, loc, notNegative, inside);
    auto branch = scf::IfOp::create(
        b, loc, exists,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(
              b, loc, cloneBody(entry, walk.getSegment(n).getTiles(), states));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, states); });
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  /// A copy of the body for tile `number`; returns what it yields.
  SmallVector<Value> cloneBody(Value number, SegmentClass tiles,
                               ValueRange states) {
    AffineExpr d0, s0;
    bindDims(b.getContext(), d0);
    bindSymbols(b.getContext(), s0);
    int64_t size = walk.getTile();
    Value start = affine::AffineApplyOp::create(
        b, loc, AffineMap::get(1, 0, d0 * size), ValueRange{number});
    bool full = tiles == SegmentClass::Full;
    Value valid =
        full
            ? tile
            : affine::AffineMinOp::create(
                  b, loc,
                  AffineMap::get(1, 1, {s0 - d0, b.getAffineConstantExpr(size)},
                                 b.getContext()),
                  ValueRange{start, walk.getExtent()})
                  .getResult();
    Value masked =
        arith::ConstantIntOp::create(b, loc, b.getI1Type(), full ? 0 : 1);

    IRMapping mapping;
    Block &body = walk.getBody().front();
    mapping.map(walk.getStart(), start);
    mapping.map(walk.getValid(), valid);
    mapping.map(walk.getMasked(), masked);
    mapping.map(body.getArguments().drop_front(WalkOp::kNumTileArguments),
                states);
    for (Operation &op : body.without_terminator())
      b.clone(op, mapping);
    SmallVector<Value> yielded;
    for (Value value : body.getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    return yielded;
  }

  WalkOp walk;
  RewriterBase &b;
  Location loc;
  Value zero, one, tile;
};

struct LowerWalk : OpRewritePattern<WalkOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WalkOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, WalkLowering(op, rewriter).run());
    return success();
  }
};

struct LowerWalkPass : attn::impl::AttnLowerWalkPassBase<LowerWalkPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerWalkPatterns(patterns);
    // The mask of full segments folds away with their constant `masked`.
    PartialOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void attn::populateLowerWalkPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWalk>(patterns.getContext());
}
