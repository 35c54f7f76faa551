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
#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;
using mlir::attn::detail::LinalgBuilder;
using mlir::attn::detail::Mapped;

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
      return l.rescale(x[0], x[1]);
    };
    Mapped scale = {overRows({m, {newM, rows}}, weight), rows};
    Mapped otherScale = {overRows({otherM, {newM, rows}}, weight), rows};

    // A state that has seen no key gives way to the other as it stands. One
    // that has seen nothing but NaN has the same m, since a maximum passes NaN
    // over; its l is NaN.
    auto join = [](LinalgBuilder &l, ValueRange x) {
      Value x0 = x[0], x1 = x[1];
      auto hasSeenNoKey = [&](Value m, Value sum) -> Value {
        Value isLeast = l.equal(m, l.infinity(/*negative=*/true));
        Value isZero = l.equal(sum, l.constant(0));
        return arith::AndIOp::create(l.builder(), l.getLoc(), isLeast, isZero);
      };
      Value scaled0 = l.mul(x0, x[6]), scaled1 = l.mul(x1, x[7]);
      Value sum = l.add(scaled0, scaled1);
      Value isOtherEmpty = hasSeenNoKey(x[4], x[5]);
      Value isEmpty = hasSeenNoKey(x[2], x[3]);
      return l.select(isOtherEmpty, x0, l.select(isEmpty, x1, sum));
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
        [&](LinalgBuilder &l, ValueRange x) {
          return joinSink(l, x).buildFactor();
        });

    SmallVector<unsigned> outDims;
    for (AffineExpr expr : op.getOutLayout().getResults())
      outDims.push_back(cast<AffineDimExpr>(expr).getPosition());
    Type element = op.getOut().getType().getElementType();
    Mapped outInit = drop(op.getOutInit(), outDims);
    Value out = l.generic(
        rank, {drop(op.getAcc(), {0, 1, 2, 3, 4}), factor, row[1]}, outInit,
        [&](LinalgBuilder &l, ValueRange x) {
          return l.fromF32(RowEnd::buildOut(l, x[0], x[1], x[2]), element);
        });
    SmallVector<Value> results = {restore(out, op.getOutInit(), outDims)};
    if (op.getLse()) {
      Value lse = l.generic(rowRank, row, drop(op.getLseInit(), rows),
                            [&](LinalgBuilder &l, ValueRange x) {
                              return joinSink(l, x).buildLse();
                            });
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

  RowEnd joinSink(LinalgBuilder &l, ValueRange x) {
    return RowEnd(l, x[0], x[1], op.getSinks() ? l.toF32(x[2]) : Value());
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
