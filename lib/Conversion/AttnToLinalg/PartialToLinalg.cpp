//===- PartialToLinalg.cpp - A tile of attn.partial as linalg -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores, mask, online softmax and products of one query tile and one key tile.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"
#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Utils/MaskEvaluation.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using mlir::attn::detail::LinalgBuilder;
using mlir::attn::detail::Mapped;

/// The tensor without those unit dimensions of `map` that are not in `kept`;
/// its remaining axes run over `dims`, each the place in `kept`.
static Mapped dropUnitDims(OpBuilder &b, Location loc, Value tensor,
                           AffineMap map, ArrayRef<unsigned> kept) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  Mapped mapped;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    const auto *place = dim ? llvm::find(kept, dim.getPosition()) : kept.end();
    if (place == kept.end())
      continue;
    shape.push_back(type.getDimSize(axis));
    mapped.dims.push_back(place - kept.begin());
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    bool isKept =
        isa<AffineDimExpr>(expr) &&
        llvm::is_contained(kept, cast<AffineDimExpr>(expr).getPosition());
    sizes.push_back(b.getIndexAttr(isKept ? type.getDimSize(axis) : 1));
  }
  mapped.tensor = tensor::ExtractSliceOp::create(b, loc, type.clone(shape),
                                                 tensor, offsets, sizes, ones);
  return mapped;
}

/// How great the result of `op` may be in size, from above, where its operands
/// are below what `bounds` says; infinite where that is not known.
static double getBound(Operation &op,
                       const llvm::DenseMap<Value, double> &bounds) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  FloatAttr constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return std::abs(constant.getValue().convertToDouble());
  auto type = dyn_cast<FloatType>(op.getResult(0).getType());
  if (!type)
    return kUnknown;
  auto operand = [&](unsigned n) {
    Type type = op.getOperand(n).getType();
    if (type.isIntOrIndex())
      return std::ldexp(1.0,
                        type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
    auto it = bounds.find(op.getOperand(n));
    return it == bounds.end() ? kUnknown : it->second;
  };
  double bound = kUnknown;
  if (isa<math::TanhOp, math::SinOp, math::CosOp, math::ErfOp>(op))
    bound = 1;
  else if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::NegFOp, math::AbsFOp>(
               op))
    bound = operand(0);
  else if (isa<arith::AddFOp, arith::SubFOp>(op))
    bound = operand(0) + operand(1);
  else if (isa<arith::MulFOp>(op))
    bound = operand(0) * operand(1);
  else if (isa<arith::DivFOp>(op) &&
           matchPattern(op.getOperand(1), m_Constant(&constant)))
    bound = operand(0) / operand(1);
  else if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    bound = std::max(operand(0), operand(1));
  else if (isa<arith::SelectOp>(op))
    bound = std::max(operand(1), operand(2));
  // Half of the greatest number of the type leaves room for roundings. NaN:
  // 0 * inf, 0 / 0.
  double greatest =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  return bound < greatest / 2 ? bound : kUnknown;
}

/// Whether `score` may yield -inf. Says so of what it does not know: `s` itself
/// may overflow, a capture hold anything.
static bool mayYieldMinusInf(Region &score) {
  if (score.empty())
    return false;
  llvm::DenseMap<Value, double> bounds;
  for (Operation &op : score.front())
    if (op.getNumResults() == 1)
      bounds[op.getResult(0)] = getBound(op, bounds);
  Value result = score.front().getTerminator()->getOperand(0);
  auto it = bounds.find(result);
  return it == bounds.end() || std::isinf(it->second);
}

namespace {

/// Lowers one attn.partial whose batch, kv head and group are one each.
class PartialLowering {
public:
  PartialLowering(PartialOp op, RewriterBase &rewriter)
      : op(op), b(rewriter), l(rewriter, op.getLoc()), loc(op.getLoc()),
        f32(rewriter.getF32Type()),
        element(cast<RankedTensorType>(op.getQ().getType()).getElementType()) {
    auto acc = cast<RankedTensorType>(op.getAcc().getType());
    rows = acc.getDimSize(PartialOp::Query);
    valueDim = acc.getDimSize(4);
    unsigned axis = *PartialOp::getAxis(op.getKMap(), PartialOp::Key);
    keys = cast<RankedTensorType>(op.getK().getType()).getDimSize(axis);
    headDim =
        cast<RankedTensorType>(op.getK().getType())
            .getDimSize(*PartialOp::getAxis(op.getKMap(), PartialOp::HeadDim));
  }

  SmallVector<Value> run() {
    Value m = collapse(op.getM(), 1), sum = collapse(op.getL(), 1);
    Value acc = collapse(op.getAcc(), 2);
    Value scores = hide(applyScore(computeScores()));
    // Before the scores give way to the weights, in the same buffer.
    Value values = readValues(scores);

    // Over (j, i), keys and queries.
    Value newM = computeMaximum(scores, m);
    Value scale = l.generic(
        1, {{m, {0}}, {newM, {0}}}, {l.empty({rows}, f32), {0}},
        [](LinalgBuilder &l, ValueRange x) { return l.rescale(x[0], x[1]); });
    Value base = l.generic(1, {{newM, {0}}}, {l.empty({rows}, f32), {0}},
                           [&](LinalgBuilder &l, ValueRange x) {
                             return RowMaximum(l).getBase(x[0], getLimit());
                           });
    Value factor = l.generic(1, {{newM, {0}}}, {l.empty({rows}, f32), {0}},
                             [&](LinalgBuilder &l, ValueRange x) {
                               return RowMaximum(l).getFactor(x[0], getFactor(),
                                                              getLimit());
                             });
    Value weights = l.generic(2, {{base, {1}}, {factor, {1}}}, {scores, {0, 1}},
                              [](LinalgBuilder &l, ValueRange x) {
                                return l.weigh(x[2], x[1], l.neg(x[0]));
                              });
    Value scaledSum = l.generic(
        1, {{scale, {0}}}, {sum, {0}},
        [](LinalgBuilder &l, ValueRange x) { return l.mul(x[1], x[0]); });
    Value newSum = l.generic(
        2, {{weights, {0, 1}}}, {scaledSum, {1}},
        [](LinalgBuilder &l, ValueRange x) { return l.add(x[1], x[0]); });
    // Over (i, e).
    Value scaledAcc = l.generic(
        2, {{scale, {0}}}, {acc, {0, 1}},
        [](LinalgBuilder &l, ValueRange x) { return l.mul(x[1], x[0]); });
    // Over (i, e, j).
    Value newAcc =
        l.generic(3, {{roundToElement(weights), {2, 0}}, {values, {2, 1}}},
                  {scaledAcc, {0, 1}}, [](LinalgBuilder &l, ValueRange x) {
                    return l.add(x[2], l.mul(x[0], x[1]));
                  });
    return {expand(newM, op.getM()), expand(newSum, op.getL()),
            expand(newAcc, op.getAcc())};
  }

private:
  /// From scores as they are kept to base 2. A score is rounded once, when it
  /// is summed: scale and log2(e) join in the one rounding of the exponent,
  /// where the row's maximum has been taken off. (A rounding at the full size
  /// of the scores is the largest error that there is.)
  double getFactor() {
    return op.getScore().empty() ? op.getScale().convertToDouble() * kLog2E
                                 : kLog2E;
  }

  /// From which binary exponent of the maximum on exponents are scaled. In f16
  /// a weight must stay below 2^16.
  int getLimit() { return element.isF16() ? 27 : 29; }

  /// The maximum of `m` and of each row's scores in base 2: [rows].
  Value computeMaximum(Value scores, Value m) {
    Value none =
        l.fill(l.empty({rows}, f32), -std::numeric_limits<double>::infinity());
    Value greatest = l.generic(
        2, {{scores, {0, 1}}}, {none, {1}},
        [](LinalgBuilder &l, ValueRange x) { return l.max(x[1], x[0]); });
    return l.generic(
        1, {{greatest, {0}}}, {m, {0}}, [&](LinalgBuilder &l, ValueRange x) {
          return l.max(x[1], RowMaximum(l).fromScore(x[0], getFactor()));
        });
  }

  /// The last `rank` axes of a state whose other extents are 1.
  Value collapse(Value state, int64_t rank) {
    return tensor::CollapseShapeOp::create(b, loc, state,
                                           getGroups(state, rank));
  }
  Value expand(Value value, Value like) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    return tensor::ExpandShapeOp::create(b, loc, like.getType(), value,
                                         getGroups(like, rank));
  }
  SmallVector<ReassociationIndices> getGroups(Value state, int64_t rank) {
    int64_t full = cast<RankedTensorType>(state.getType()).getRank();
    SmallVector<ReassociationIndices> groups(rank);
    for (int64_t axis = 0; axis < full; ++axis)
      groups[std::max<int64_t>(0, axis - (full - rank))].push_back(axis);
    return groups;
  }

  /// `mapped` as f32.
  Value toF32(const Mapped &mapped) {
    auto type = cast<RankedTensorType>(mapped.tensor.getType());
    if (type.getElementType().isF32())
      return mapped.tensor;
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    return l.generic(
        type.getRank(), {{mapped.tensor, dims}},
        {l.empty(type.getShape(), f32), dims},
        [](LinalgBuilder &l, ValueRange x) { return l.toF32(x[0]); });
  }

  /// q, transposed: [D, rows], in f32.
  Value transposeQueries() {
    Mapped q = dropUnitDims(b, loc, op.getQ(), op.getQMap(),
                            {PartialOp::HeadDim, PartialOp::Query});
    return l.generic(
        2, {q}, {l.empty({headDim, rows}, f32), {0, 1}},
        [&](LinalgBuilder &l, ValueRange x) { return l.toF32(x[0]); });
  }

  /// Products of keys and queries: [keys, rows].
  Value computeScores() {
    Value q = transposeQueries();
    Mapped k =
        dropUnitDims(b, loc, op.getK(), op.getKMap(),
                     {PartialOp::Key, PartialOp::Query, PartialOp::HeadDim});
    // Over (j, i, d).
    k.tensor = toF32(k);
    int64_t block = getSumBlock();
    Value scores = l.fill(l.empty({keys, rows}, f32), 0);
    for (int64_t first = 0; first < headDim; first += block) {
      int64_t size = std::min(block, headDim - first);
      Mapped kPart = {sliceAxis(k.tensor, 1, first, size), k.dims};
      Mapped qPart = {sliceAxis(q, 0, first, size), {2, 1}};
      scores = l.generic(3, {kPart, qPart}, {scores, {0, 1}},
                         [](LinalgBuilder &l, ValueRange x) {
                           return l.add(x[2], l.mul(x[0], x[1]));
                         });
    }
    return scores;
  }

  /// How many products of a score are summed one after the other. With
  /// operands in f32 the error of that sum is the error of the result: blocks
  /// near sqrt(D), each summed from 0 and then added, keep it near that of
  /// summing in a tree. Narrower operands lose more by rounding the weights.
  /// There are at most 32 blocks, each of which is code of its own.
  int64_t getSumBlock() {
    if (!element.isF32())
      return headDim;
    if (headDim <= 128)
      return headDim <= 16 ? 4 : headDim <= 32 ? 8 : 16;
    return std::max<int64_t>(32, llvm::PowerOf2Ceil(headDim) / 32);
  }

  /// `size` entries of axis `axis` of a tensor of rank 2, from `first`.
  Value sliceAxis(Value tensor, unsigned axis, int64_t first, int64_t size) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.getDimSize(axis) == size)
      return tensor;
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = size;
    SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)), sizes,
        ones(2, b.getIndexAttr(1));
    offsets[axis] = b.getIndexAttr(first);
    for (int64_t extent : shape)
      sizes.push_back(b.getIndexAttr(extent));
    return tensor::ExtractSliceOp::create(b, loc, type.clone(shape), tensor,
                                          offsets, sizes, ones);
  }

  /// The query and key that iteration (j, i) stands for.
  QueryKey getQueryKey(OpBuilder &b) {
    auto add = [&](Value x, Value y) -> Value {
      return arith::AddIOp::create(b, loc, x, y);
    };
    QueryKey at;
    OperandRange origin = op.getOrigin();
    at.batch = origin[PartialOp::Batch];
    at.head = add(arith::MulIOp::create(b, loc, origin[PartialOp::KvHead],
                                        op.getGroupSize()),
                  origin[PartialOp::Group]);
    at.keyPosition =
        add(origin[PartialOp::Key], linalg::IndexOp::create(b, loc, 0));
    at.queryPosition =
        add(origin[PartialOp::Query], linalg::IndexOp::create(b, loc, 1));
    return at;
  }

  /// Captures as operands over (j, i); those that are passed whole are left to
  /// be used directly.
  SmallVector<Mapped> mapCaptures(ValueRange captures,
                                  std::optional<ArrayAttr> maps) {
    SmallVector<Mapped> mapped;
    for (auto [n, capture] : llvm::enumerate(captures)) {
      AffineMap map = cast<AffineMapAttr>((*maps)[n]).getValue();
      if (map.getNumResults() != 0)
        mapped.push_back(dropUnitDims(b, loc, capture, map,
                                      {PartialOp::Key, PartialOp::Query}));
    }
    return mapped;
  }
  /// What a region's last arguments stand for: elements of mapped captures, and
  /// the captures that are passed whole.
  SmallVector<Value> getCaptureValues(ValueRange captures,
                                      std::optional<ArrayAttr> maps,
                                      ValueRange elements) {
    SmallVector<Value> values;
    for (auto [n, capture] : llvm::enumerate(captures)) {
      bool whole =
          cast<AffineMapAttr>((*maps)[n]).getValue().getNumResults() == 0;
      values.push_back(whole ? capture : elements.front());
      if (!whole)
        elements = elements.drop_front();
    }
    return values;
  }

  Value applyScore(Value scores) {
    if (op.getScore().empty())
      return scores;
    SmallVector<Mapped> inputs =
        mapCaptures(op.getScoreCaptures(), op.getScoreMaps());
    return l.generic(
        2, inputs, {scores, {0, 1}}, [&](LinalgBuilder &l, ValueRange x) {
          SmallVector<Value> captures = getCaptureValues(
              op.getScoreCaptures(), op.getScoreMaps(), x.drop_back());
          Value scaled =
              l.mul(x.back(), l.constant(op.getScale().convertToDouble()));
          return buildScore(l.builder(), loc, scaled, getQueryKey(l.builder()),
                            op.getScore(), captures);
        });
  }

  /// -inf where the query does not see the key or there is no key.
  Value hide(Value scores) {
    if (!op.hidesKeys())
      return scores;
    SmallVector<Mapped> inputs =
        mapCaptures(op.getMaskCaptures(), op.getMaskMaps());
    size_t numCaptures = inputs.size();
    MLIRContext *context = op.getContext();
    auto add = [&](Value operand, ArrayRef<unsigned> dims) {
      SmallVector<AffineExpr> exprs;
      for (unsigned dim : dims)
        exprs.push_back(getAffineDimExpr(dim, context));
      inputs.push_back(
          dropUnitDims(b, loc, operand,
                       AffineMap::get(PartialOp::kNumLoops, 0, exprs, context),
                       {PartialOp::Key, PartialOp::Query}));
    };
    if (op.getQIds()) {
      add(op.getQIds(), {PartialOp::Batch, PartialOp::Query});
      add(op.getKvIds(), {PartialOp::Batch, PartialOp::Key});
    }
    if (op.getPrefix())
      add(op.getPrefix(), {PartialOp::Batch});

    return l.generic(
        2, inputs, {scores, {0, 1}}, [&](LinalgBuilder &l, ValueRange x) {
          OpBuilder &b = l.builder();
          Value visible;
          if (op.getValid())
            visible = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                            linalg::IndexOp::create(b, loc, 0),
                                            op.getValid());
          if (Attribute mask = op.getMaskAttr()) {
            QueryKey at = getQueryKey(b);
            ValueRange rest = x.drop_front(numCaptures);
            if (op.getQIds()) {
              at.queryId = rest[0];
              at.keyId = rest[1];
              rest = rest.drop_front(2);
            }
            if (op.getPrefix())
              at.prefix = rest[0];
            Value seen = buildIsVisible(
                b, loc, mask, at, op.getVisible(),
                getCaptureValues(op.getMaskCaptures(), op.getMaskMaps(),
                                 x.take_front(numCaptures)));
            visible =
                visible ? arith::AndIOp::create(b, loc, visible, seen) : seen;
          }
          return l.select(visible, x.back(), l.infinity(/*negative=*/true));
        });
  }

  /// Weights rounded to the element type, as f32.
  Value roundToElement(Value weights) {
    if (element.isF32())
      return weights;
    return l.generic(2, {{weights, {0, 1}}},
                     {l.empty({keys, rows}, f32), {0, 1}},
                     [&](LinalgBuilder &l, ValueRange x) {
                       return l.toF32(l.fromF32(x[0], element));
                     });
  }

  /// v as f32: [keys, Dv]; zeros in rows that no query of the tile sees, since
  /// a weight of 0 times what stands there may be NaN. Padding is no query, and
  /// a score of -inf that a region yields hides its key as the mask does. (One
  /// that overflows without a region does not: looking for it in every tile
  /// would cost all programs.)
  Value readValues(Value scores) {
    Mapped v = dropUnitDims(b, loc, op.getV(), op.getVMap(),
                            {PartialOp::Key, PartialOp::ValueDim});
    if (!op.hidesKeys() && !mayYieldMinusInf(op.getScore()))
      return toF32(v);
    // Over (j, i): 1 if some query sees the key, else 0; NaN counts as seen. A
    // maximum, since that can run along the lanes of a vector.
    Value seen =
        l.generic(2, {{scores, {0, 1}}}, {l.fill(l.empty({keys}, f32), 0), {0}},
                  [&](LinalgBuilder &l, ValueRange x) {
                    Value hidden = l.equal(x[0], l.infinity(/*negative=*/true));
                    if (op.getRows()) {
                      OpBuilder &b = l.builder();
                      Value padding = arith::CmpIOp::create(
                          b, loc, arith::CmpIPredicate::sge,
                          linalg::IndexOp::create(b, loc, 1), op.getRows());
                      hidden = arith::OrIOp::create(b, loc, hidden, padding);
                    }
                    Value zero = l.constant(0), one = l.constant(1);
                    return l.max(x[1], l.select(hidden, zero, one));
                  });
    return l.generic(2, {v, {seen, {0}}},
                     {l.empty({keys, valueDim}, f32), {0, 1}},
                     [](LinalgBuilder &l, ValueRange x) {
                       Value isSeen = l.equal(x[1], l.constant(1));
                       Value value = l.toF32(x[0]);
                       return l.select(isSeen, value, l.constant(0));
                     });
  }

  PartialOp op;
  RewriterBase &b;
  LinalgBuilder l;
  Location loc;
  Type f32, element;
  int64_t rows, keys, headDim, valueDim;
};

struct PartialToLinalg : OpRewritePattern<PartialOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PartialOp op,
                                PatternRewriter &rewriter) const override {
    auto acc = cast<RankedTensorType>(op.getAcc().getType());
    if (!acc.hasStaticShape() || acc.getDimSize(PartialOp::Batch) != 1 ||
        acc.getDimSize(PartialOp::KvHead) != 1 ||
        acc.getDimSize(PartialOp::Group) != 1)
      return rewriter.notifyMatchFailure(op, "not a static tile of one head");
    for (Value operand : {op.getQ(), op.getK(), op.getV()})
      if (!cast<RankedTensorType>(operand.getType()).hasStaticShape())
        return rewriter.notifyMatchFailure(op, "not a static tile of one head");
    rewriter.replaceOp(op, PartialLowering(op, rewriter).run());
    return success();
  }
};

} // namespace

void attn::populatePartialToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<PartialToLinalg>(patterns.getContext());
}
