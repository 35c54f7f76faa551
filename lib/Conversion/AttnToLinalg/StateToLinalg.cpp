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
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using mlir::attn::detail::LinalgBuilder;
using mlir::attn::detail::Mapped;

static const double kLog2E = std::log2(std::exp(1.0));
static const double kLn2 = std::log(2.0);

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

    // A state that has seen no key gives way to the other as it stands.
    auto join = [](LinalgBuilder &l, ValueRange x) {
      Value x0 = x[0], x1 = x[1], m0 = x[2], m1 = x[3];
      Value sum = l.add(l.mul(x0, x[4]), l.mul(x1, x[5]));
      Value none = l.infinity(/*negative=*/true);
      return l.select(l.equal(m1, none), x0,
                      l.select(l.equal(m0, none), x1, sum));
    };
    Value newL = overRows({{op.getL(), rows},
                           {op.getOtherL(), rows},
                           m,
                           otherM,
                           scale,
                           otherScale},
                          join);
    Value newAcc =
        l.generic(rank,
                  {{op.getAcc(), all},
                   {op.getOtherAcc(), all},
                   m,
                   otherM,
                   scale,
                   otherScale},
                  {emptyLike(rewriter, loc, op.getAcc()), all}, join);
    rewriter.replaceOp(op, {newM, newL, newAcc});
    return success();
  }
};

/// Lowers one attn.finalize.
class FinalizeLowering {
public:
  FinalizeLowering(FinalizeOp op, RewriterBase &b)
      : op(op), b(b), loc(op.getLoc()), l(b, loc) {}

  SmallVector<Value> run() {
    SmallVector<int64_t> rows = firstDims(4);
    SmallVector<Mapped> row = {{op.getM(), rows}, {op.getL(), rows}};
    if (op.getSinks())
      row.push_back({op.getSinks(), {PartialOp::KvHead, PartialOp::Group}});
    Value factor = l.generic(
        4, row, {emptyLike(b, loc, op.getM()), rows},
        [&](LinalgBuilder &l, ValueRange x) { return buildFactor(l, x); });
    // A dimension that the layout leaves out has extent 1.
    SmallVector<int64_t> outDims;
    for (AffineExpr expr : op.getOutLayout().getResults())
      outDims.push_back(cast<AffineDimExpr>(expr).getPosition());
    Mapped acc = {op.getAcc(), firstDims(5)}, scale = {factor, rows};
    if (outDims.size() < 5)
      dropUnitDims(outDims, acc, scale);
    Type element = op.getOut().getType().getElementType();
    SmallVector<Value> results = {l.generic(
        outDims.size(), {acc, scale}, {op.getOutInit(), outDims},
        [&](LinalgBuilder &l, ValueRange x) {
          Value scaled = l.mul(x[0], x[1]);
          // 0 * NaN: a row without keys is 0 whatever acc holds.
          Value empty = l.equal(x[1], l.constant(0));
          return l.fromF32(l.select(empty, l.constant(0), scaled), element);
        })};
    if (op.getLse())
      results.push_back(l.generic(
          4, row, {op.getLseInit(), rows},
          [&](LinalgBuilder &l, ValueRange x) { return buildLse(l, x); }));
    return results;
  }

private:
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
    row.sink = l.mul(l.toF32(x[2]), l.constant(kLog2E));
    row.base = l.max(x[0], row.sink);
    Value exponent = l.finiteOrZero(row.base);
    row.weight = l.exp2(l.sub(x[0], exponent));
    row.sum = l.add(l.mul(x[1], row.weight), l.exp2(l.sub(row.sink, exponent)));
    return row;
  }

  /// What acc is multiplied by; 0 where the row is empty.
  Value buildFactor(LinalgBuilder &l, ValueRange x) {
    Row row = joinSink(l, x);
    Value zero = l.constant(0);
    Value inverse = l.div(row.sink ? row.weight : l.constant(1), row.sum);
    Value factor = l.select(l.equal(row.sum, zero), zero, inverse);
    if (row.sink)
      factor = l.select(l.equal(row.sink, l.infinity(/*negative=*/false)), zero,
                        factor);
    return factor;
  }

  Value buildLse(LinalgBuilder &l, ValueRange x) {
    Row row = joinSink(l, x);
    Value lse = l.mul(l.add(row.base, l.log2(row.sum)), l.constant(kLn2));
    lse = l.select(l.equal(row.sum, l.constant(0)),
                   l.infinity(/*negative=*/true), lse);
    if (row.sink) {
      Value infinity = l.infinity(/*negative=*/false);
      lse = l.select(l.equal(row.sink, infinity), infinity, lse);
    }
    return lse;
  }

  /// Renumbers dimensions so that only those of `outDims` are left; the others
  /// have extent 1 in `acc` and `scale`.
  void dropUnitDims(SmallVectorImpl<int64_t> &outDims, Mapped &acc,
                    Mapped &scale) {
    SmallVector<int64_t> kept = llvm::to_vector(outDims);
    llvm::sort(kept);
    auto renumber = [&](int64_t dim) {
      return llvm::find(kept, dim) - kept.begin();
    };
    auto drop = [&](Mapped &mapped) {
      auto type = cast<RankedTensorType>(mapped.tensor.getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(b, loc, mapped.tensor);
      SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
      SmallVector<int64_t> shape, dims;
      for (auto [axis, dim] : llvm::enumerate(mapped.dims))
        if (llvm::is_contained(kept, dim)) {
          shape.push_back(type.getDimSize(axis));
          dims.push_back(renumber(dim));
        }
      mapped.tensor = tensor::ExtractSliceOp::create(
          b, loc, type.clone(shape), mapped.tensor, zeros, sizes, ones);
      mapped.dims = dims;
    };
    drop(acc);
    drop(scale);
    for (int64_t &dim : outDims)
      dim = renumber(dim);
  }

  FinalizeOp op;
  RewriterBase &b;
  Location loc;
  LinalgBuilder l;
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
