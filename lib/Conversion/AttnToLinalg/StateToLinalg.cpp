//===- StateToLinalg.cpp - neutral, merge and finalize as linalg ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element-wise lowering of the operations on states, on tiles and whole
// tensors.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "RowMaximum.h"
#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;
using mlir::attn::detail::kLog2E;
using mlir::attn::detail::LinalgBuilder;
using mlir::attn::detail::Mapped;
using mlir::attn::detail::RowMaximum;

static SmallVector<int64_t> firstDims(int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

/// An empty tensor shaped like `like`.
static Value emptyLike(OpBuilder &b, Location loc, Value like) {
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 b.getF32Type());
}

namespace {

struct NeutralToLinalg : OpRewritePattern<NeutralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeutralOp op,
                                PatternRewriter &rewriter) const override {
    LinalgBuilder l(rewriter, op.getLoc());
    SmallVector<Value> extents(op.getExtents());
    auto empty = [&](Value state) -> Value {
      auto type = cast<RankedTensorType>(state.getType());
      // m and l lack acc's last extent, and its operand if that is dynamic.
      return tensor::EmptyOp::create(
          rewriter, op.getLoc(), type,
          ValueRange(extents).take_front(type.getNumDynamicDims()));
    };
    double infinity = std::numeric_limits<double>::infinity();
    rewriter.replaceOp(op, {l.fill(empty(op.getM()), -infinity),
                            l.fill(empty(op.getL()), 0),
                            l.fill(empty(op.getAcc()), 0)});
    return success();
  }
};

struct MergeToLinalg : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinalgBuilder l(rewriter, loc);
    int64_t rank = getRank(op.getAcc());
    SmallVector<int64_t> rows = firstDims(rank - 1), all = firstDims(rank);
    auto overRows = [&](ArrayRef<Mapped> inputs, LinalgBuilder::Body body) {
      return l.generic(rank - 1, inputs,
                       {emptyLike(rewriter, loc, op.getM()), rows}, body);
    };
    Mapped m = {op.getM(), rows}, otherM = {op.getOtherM(), rows};
    Value newM = overRows({m, otherM}, [](LinalgBuilder &l, ValueRange x) {
      return l.max(x[0], x[1]);
    });
    auto weight = [](LinalgBuilder &l, ValueRange x) {
      return l.exp2(l.sub(x[0], l.finiteOrZero(x[1])));
    };
    Mapped scale = {overRows({m, {newM, rows}}, weight), rows};
    Mapped otherScale = {overRows({otherM, {newM, rows}}, weight), rows};

    // A state that has seen no key gives way to the other as it stands. One
    // that has seen nothing but NaN has the same m, since a maximum passes NaN
    // over; its l is NaN.
    auto join = [](LinalgBuilder &l, ValueRange x) {
      Value x0 = x[0], x1 = x[1];
      auto hasSeenNoKey = [&](Value m, Value sum) -> Value {
        return arith::AndIOp::create(l.builder(), l.getLoc(),
                                     l.equal(m, l.infinity(/*negative=*/true)),
                                     l.equal(sum, l.constant(0)));
      };
      Value sum = l.add(l.mul(x0, x[6]), l.mul(x1, x[7]));
      return l.select(hasSeenNoKey(x[4], x[5]), x0,
                      l.select(hasSeenNoKey(x[2], x[3]), x1, sum));
    };
    SmallVector<Mapped> both = {m,      {op.getL(), rows},
                                otherM, {op.getOtherL(), rows},
                                scale,  otherScale};
    auto withStates = [&](const Mapped &x0, const Mapped &x1) {
      SmallVector<Mapped> inputs = {x0, x1};
      inputs.append(both);
      return inputs;
    };
    Value newL =
        overRows(withStates({op.getL(), rows}, {op.getOtherL(), rows}), join);
    Value newAcc =
        l.generic(rank, withStates({op.getAcc(), all}, {op.getOtherAcc(), all}),
                  {emptyLike(rewriter, loc, op.getAcc()), all}, join);
    rewriter.replaceOp(op, {newM, newL, newAcc});
    return success();
  }
};

/// Lowers one attn.finalize. Dimensions of extent 1 are dropped first, so that
/// a tile of one head is worked on as rows and columns.
class FinalizeLowering {
public:
  FinalizeLowering(FinalizeOp op, RewriterBase &b)
      : op(op), b(b), loc(op.getLoc()), l(b, loc) {
    auto acc = cast<RankedTensorType>(op.getAcc().getType());
    for (int64_t dim = 0; dim < acc.getRank(); ++dim)
      if (acc.getDimSize(dim) != 1)
        kept.push_back(dim);
  }

  SmallVector<Value> run() {
    SmallVector<unsigned> rows = {0, 1, 2, 3};
    SmallVector<Mapped> row = {drop(op.getM(), rows), drop(op.getL(), rows)};
    if (op.getSinks())
      row.push_back(drop(op.getSinks(), {PartialOp::KvHead, PartialOp::Group}));
    // The value dimension is the last, whether it is kept or not.
    int64_t rank = kept.size();
    int64_t rowRank =
        llvm::count_if(kept, [](unsigned dim) { return dim < 4; });
    Mapped factor = row.front();
    factor.tensor = l.generic(
        rowRank, row, {emptyLike(b, loc, row.front().tensor), factor.dims},
        [&](LinalgBuilder &l, ValueRange x) { return buildFactor(l, x); });

    SmallVector<unsigned> outDims;
    for (AffineExpr expr : op.getOutLayout().getResults())
      outDims.push_back(cast<AffineDimExpr>(expr).getPosition());
    Type element = op.getOut().getType().getElementType();
    Mapped outInit = drop(op.getOutInit(), outDims);
    Value out = l.generic(
        rank, {drop(op.getAcc(), {0, 1, 2, 3, 4}), factor, row[1]}, outInit,
        [&](LinalgBuilder &l, ValueRange x) {
          Value scaled = l.mul(x[0], x[1]);
          // A row without keys is 0 whatever acc and its sink hold. What a row
          // has seen counts, however great its sink is.
          Value empty = l.equal(x[2], l.constant(0));
          return l.fromF32(l.select(empty, l.constant(0), scaled), element);
        });
    SmallVector<Value> results = {restore(out, op.getOutInit(), outDims)};
    if (op.getLse()) {
      Value lse = l.generic(
          rowRank, row, drop(op.getLseInit(), rows),
          [&](LinalgBuilder &l, ValueRange x) { return buildLse(l, x); });
      results.push_back(restore(lse, op.getLseInit(), rows));
    }
    return results;
  }

private:
  /// How the axes of a tensor over `dims` collapse into those that are kept.
  SmallVector<ReassociationIndices> getGroups(ArrayRef<unsigned> dims) {
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices pending;
    for (auto [axis, dim] : llvm::enumerate(dims)) {
      pending.push_back(axis);
      if (!llvm::is_contained(kept, dim))
        continue;
      groups.push_back(pending);
      pending.clear();
    }
    if (!groups.empty())
      llvm::append_range(groups.back(), pending);
    return groups;
  }

  /// `tensor`, whose axes run over `dims`, without dimensions of extent 1.
  Mapped drop(Value tensor, ArrayRef<unsigned> dims) {
    Mapped mapped;
    for (unsigned dim : dims)
      if (const auto *place = llvm::find(kept, dim); place != kept.end())
        mapped.dims.push_back(place - kept.begin());
    mapped.tensor =
        mapped.dims.size() == dims.size()
            ? tensor
            : tensor::CollapseShapeOp::create(b, loc, tensor, getGroups(dims))
                  .getResult();
    return mapped;
  }

  /// The reverse of `drop`.
  Value restore(Value value, Value like, ArrayRef<unsigned> dims) {
    if (value.getType() == like.getType())
      return value;
    return tensor::ExpandShapeOp::create(b, loc, like.getType(), value,
                                         getGroups(dims),
                                         tensor::getMixedSizes(b, loc, like));
  }

  /// m, l and the sink of a row, joined.
  struct Row {
    Value sink, base, weight, sum;
  };

  Row joinSink(LinalgBuilder &l, ValueRange x) {
    Row row;
    if (!op.getSinks()) {
      row.base = x[0];
      row.sum = x[1];
      return row;
    }
    row.sink = RowMaximum(l).fromScore(l.toF32(x[2]), kLog2E);
    row.base = l.max(x[0], row.sink);
    Value exponent = l.finiteOrZero(row.base);
    row.weight = l.exp2(l.sub(x[0], exponent));
    row.sum = l.add(l.mul(x[1], row.weight), l.exp2(l.sub(row.sink, exponent)));
    return row;
  }

  /// What acc is multiplied by where the row is not empty.
  Value buildFactor(LinalgBuilder &l, ValueRange x) {
    Row row = joinSink(l, x);
    Value factor = l.div(row.sink ? row.weight : l.constant(1), row.sum);
    if (row.sink)
      factor = l.select(l.equal(row.sink, l.infinity(/*negative=*/false)),
                        l.constant(0), factor);
    return factor;
  }

  Value buildLse(LinalgBuilder &l, ValueRange x) {
    Row row = joinSink(l, x);
    Value lse = RowMaximum(l).toLogSumExp(row.base, row.sum);
    lse = l.select(l.equal(row.sum, l.constant(0)),
                   l.infinity(/*negative=*/true), lse);
    if (row.sink) {
      // A NaN that the row has seen stays: it is in l.
      Value infinity = l.infinity(/*negative=*/false);
      lse = l.select(l.equal(row.sink, infinity), l.add(infinity, x[1]), lse);
    }
    return lse;
  }

  FinalizeOp op;
  RewriterBase &b;
  Location loc;
  LinalgBuilder l;
  /// The dimensions of acc that may be greater than 1.
  SmallVector<unsigned> kept;
};

struct FinalizeToLinalg : OpRewritePattern<FinalizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FinalizeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, FinalizeLowering(op, rewriter).run());
    return success();
  }
};

} // namespace

void attn::populateStateToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<NeutralToLinalg, MergeToLinalg, FinalizeToLinalg>(
      patterns.getContext());
}
