//===- RowEmitter.cpp - The loops of the reference ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits attention by its definition, one query row at a time: scores of the
// visible keys and their maximum, weights and their sum, weighted values. A key
// that is not visible is never touched again after its mask was evaluated.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

namespace {

/// Where a query row stands, and which keys belong to it. All index but
/// `active`.
struct Row {
  Value b, h, kvHead;
  Value storedI; ///< Place along the length axis of q and out.
  Value active;  ///< i1: the row counts (segment found, below seqused).
  Value p;       ///< Position.
  Value firstKey, numKeys; ///< Keys stored at [firstKey, firstKey + numKeys).
};

class RowEmitter {
public:
  RowEmitter(ImplicitLocOpBuilder &b, const Buffers &buffers, Value out,
             Value lse, ReferencePrecision precision)
      : b(b), buffers(buffers), op(buffers.getOp()), out(out), lse(lse),
        precision(precision) {
    compute = precision == ReferencePrecision::F64 ? Type(b.getF64Type())
                                                   : Type(b.getF32Type());
    element = op.getQ().getType().getElementType();
  }

  void emitAllRows();

private:
  using BodyFn = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value number(double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(compute, value));
  }
  Value infinity(bool negative) {
    double inf = std::numeric_limits<double>::infinity();
    return number(negative ? -inf : inf);
  }
  Value dim(Value buffer, int64_t axis) {
    return memref::DimOp::create(b, buffer, axis);
  }
  Value load(Value buffer, ValueRange indices) {
    return memref::LoadOp::create(b, buffer, indices);
  }
  Value loadIndex(Value buffer, Value at) {
    return arith::IndexCastOp::create(b, b.getIndexType(), load(buffer, at));
  }
  /// An element of a float buffer, exactly, in the type of the computation.
  Value loadWide(Value buffer, ValueRange indices) {
    return castFloat(b, load(buffer, indices), compute);
  }
  void store(Value value, Value buffer, ValueRange indices) {
    memref::StoreOp::create(b, value, buffer, indices);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  /// A function in f64, rounded: f32 gets the nearest number but for rare ties,
  /// whatever a target makes of the function in f32.
  template <typename Op>
  Value function(Value x) {
    Value wide = castFloat(b, x, b.getF64Type());
    return castFloat(b, Op::create(b, wide), compute);
  }
  Value scratch(Value extent, Type type) {
    auto shape = MemRefType::get({ShapedType::kDynamic}, type);
    return memref::AllocOp::create(b, shape, extent);
  }
  Value scratch(int64_t extent, Type type) {
    return memref::AllocOp::create(b, MemRefType::get({extent}, type));
  }

  /// A score that f32 cannot hold is infinite in f64 too: scores are f32, so
  /// that is what they mean.
  Value overflowAsF32(Value score) {
    if (compute.isF32())
      return score;
    Value narrow =
        castFloat(b, castFloat(b, score, b.getF32Type()), b.getF64Type());
    Value size = math::AbsFOp::create(b, narrow);
    Value overflows = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, size,
                                            infinity(/*negative=*/false));
    return arith::SelectOp::create(b, overflows, narrow, score);
  }

  /// As many elements as are handled at once of `extent`: a power of two that
  /// divides it.
  VectorType lanesOf(int64_t extent) {
    int64_t lanes = std::min<int64_t>(extent & -extent, 32);
    return VectorType::get({lanes}, compute);
  }
  Value zeroLanes(VectorType lanes) {
    return arith::ConstantOp::create(b, b.getZeroAttr(lanes));
  }
  Value multiplyAdd(Value x, Value y, Value sum) {
    auto fused = arith::FastMathFlagsAttr::get(b.getContext(),
                                               arith::FastMathFlags::contract);
    return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, x, y, fused),
                                 fused);
  }

  SmallVector<Value> loop(Value end, ValueRange init, BodyFn body,
                          int64_t step = 1);
  SmallVector<Value> branch(Value condition,
                            llvm::function_ref<SmallVector<Value>()> then,
                            llvm::function_ref<SmallVector<Value>()> otherwise);

  /// q, k, v or out at head `h`, place `s` of the length axis, element `d`.
  SmallVector<Value> place(Value batch, Value h, Value s, Value d) {
    if (op.isPacked())
      return {s, h, d};
    return {batch, h, s, d};
  }
  SmallVector<Value> lsePlace(const Row &row) {
    if (op.isPacked())
      return {row.h, row.storedI};
    return {row.b, row.h, row.storedI};
  }

  /// A dense copy in the type of the computation, so that the inner loops
  /// convert nothing and load vectors.
  Value widen(Value tensor) {
    return copyBuffer(b, buffers.get(tensor), compute);
  }
  Value usedLength(Value seqused, Value batch, Value length);
  void setLengths(Row &row, Value i, Value lengthQ, Value lengthKv);
  Row denseRow(Value batch, Value h, Value i);
  Value boundOf(Value starts, Value n, Value least, Value total);
  Row packedRow(Value h, Value stored);
  void emitRow(const Row &row);
  Value emitDot(const Row &row, Value query, Value storedJ);
  void emitEmpty(const Row &row);
  void emitSoftmax(const Row &row, Value scores, Value seenKeys, Value count,
                   Value maximum);
  Value loadSink(const Row &row);
  void storeLse(const Row &row, Value value);

  ImplicitLocOpBuilder &b;
  const Buffers &buffers;
  AttentionOp op;
  Value out, lse;
  Value keys, values; ///< k and v in the type of the computation.
  ReferencePrecision precision;
  Type compute, element;
};

/// for n in [0, end): carries values. Without any, `body` yields nothing.
SmallVector<Value> RowEmitter::loop(Value end, ValueRange init, BodyFn body,
                                    int64_t step) {
  Value begin = index(0), by = index(step);
  auto forOp = scf::ForOp::create(
      b, begin, end, by, init,
      [&](OpBuilder &, Location, Value iv, ValueRange carried) {});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(forOp.getBody());
  SmallVector<Value> next =
      body(forOp.getInductionVar(), forOp.getRegionIterArgs());
  scf::YieldOp::create(b, next);
  return SmallVector<Value>(forOp.getResults());
}

SmallVector<Value>
RowEmitter::branch(Value condition,
                   llvm::function_ref<SmallVector<Value>()> then,
                   llvm::function_ref<SmallVector<Value>()> otherwise) {
  auto build = [&](llvm::function_ref<SmallVector<Value>()> body) {
    return [&b = b, body](OpBuilder &nested, Location loc) {
      OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(nested.saveInsertionPoint());
      scf::YieldOp::create(b, body());
    };
  };
  auto ifOp = scf::IfOp::create(b, condition, build(then), build(otherwise));
  return SmallVector<Value>(ifOp.getResults());
}

/// What `seqused` (may be null) says of a batch, kept within the memory.
Value RowEmitter::usedLength(Value seqused, Value batch, Value length) {
  if (!seqused)
    return length;
  Value used = loadIndex(buffers.get(seqused), batch);
  used = arith::MinSIOp::create(b, used, length);
  return arith::MaxSIOp::create(b, used, index(0));
}

/// Position and keys of query `i` of a batch or segment with these lengths.
void RowEmitter::setLengths(Row &row, Value i, Value lengthQ, Value lengthKv) {
  Value usedQ = usedLength(op.getSequsedQ(), row.b, lengthQ);
  Value usedKv = usedLength(op.getSequsedKv(), row.b, lengthKv);
  row.active = compare(arith::CmpIPredicate::slt, i, usedQ);
  row.numKeys = arith::SelectOp::create(b, row.active, usedKv, index(0));
  row.p = i;
  if (op.getAlignment() == Alignment::BottomRight)
    row.p =
        arith::AddIOp::create(b, i, arith::SubIOp::create(b, usedKv, usedQ));
}

Row RowEmitter::denseRow(Value batch, Value h, Value i) {
  Row row;
  row.b = batch;
  row.h = h;
  row.storedI = i;
  row.firstKey = index(0);
  Value lengthQ = dim(buffers.get(op.getQ()), 2);
  Value lengthKv = dim(buffers.get(op.getK()), 2);
  setLengths(row, i, lengthQ, lengthKv);
  return row;
}

/// Entry `n` of `cu_seqlens`, not before `least` and not behind `total`.
Value RowEmitter::boundOf(Value starts, Value n, Value least, Value total) {
  Value entry = loadIndex(starts, n);
  entry = arith::SelectOp::create(
      b, compare(arith::CmpIPredicate::sgt, entry, total), total, entry);
  return arith::SelectOp::create(
      b, compare(arith::CmpIPredicate::slt, entry, least), least, entry);
}

/// Goes through the segments, each from where the one before ends, to the one
/// that holds the query stored at `stored`; none makes a row that does not
/// count.
Row RowEmitter::packedRow(Value h, Value stored) {
  Value startsQ = buffers.get(op.getCuSeqlensQ()),
        startsKv = buffers.get(op.getCuSeqlensKv());
  Value totalQ = dim(buffers.get(op.getQ()), 0),
        totalKv = dim(buffers.get(op.getK()), 0);
  Value zero = index(0), one = index(1), none = index(-1);
  Value segments = arith::SubIOp::create(b, dim(startsQ, 0), one);
  // Ends of the segments so far; then the segment found and its bounds.
  enum { EndQ, EndKv, Found, FirstQ, LengthQ, FirstKv, LengthKv, NumCarried };
  SmallVector<Value> init(NumCarried, zero);
  init[Found] = none;
  SmallVector<Value> found =
      loop(segments, init, [&](Value s, ValueRange carried) {
        Value next = arith::AddIOp::create(b, s, one);
        Value beginQ = boundOf(startsQ, s, carried[EndQ], totalQ),
              beginKv = boundOf(startsKv, s, carried[EndKv], totalKv);
        Value endQ = boundOf(startsQ, next, beginQ, totalQ),
              endKv = boundOf(startsKv, next, beginKv, totalKv);
        Value begun = compare(arith::CmpIPredicate::sle, beginQ, stored),
              goesOn = compare(arith::CmpIPredicate::slt, stored, endQ);
        Value holds = arith::AndIOp::create(b, begun, goesOn);
        SmallVector<Value> result = {endQ,
                                     endKv,
                                     s,
                                     beginQ,
                                     arith::SubIOp::create(b, endQ, beginQ),
                                     beginKv,
                                     arith::SubIOp::create(b, endKv, beginKv)};
        for (unsigned n = Found; n < NumCarried; ++n)
          result[n] = arith::SelectOp::create(b, holds, result[n], carried[n]);
        return result;
      });

  Row row;
  row.h = h;
  row.storedI = stored;
  Value hasSegment = compare(arith::CmpIPredicate::sge, found[Found], zero);
  SmallVector<Value> parts = branch(
      hasSegment,
      [&]() -> SmallVector<Value> {
        Row inner = row;
        inner.b = found[Found];
        setLengths(inner, arith::SubIOp::create(b, stored, found[FirstQ]),
                   found[LengthQ], found[LengthKv]);
        return {inner.b, inner.active, inner.p, found[FirstKv], inner.numKeys};
      },
      [&]() -> SmallVector<Value> {
        Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
        return {zero, no, zero, zero, zero};
      });
  row.b = parts[0];
  row.active = parts[1];
  row.p = parts[2];
  row.firstKey = parts[3];
  row.numKeys = parts[4];
  return row;
}

void RowEmitter::emitAllRows() {
  Value q = buffers.get(op.getQ()), k = buffers.get(op.getK());
  keys = widen(op.getK());
  values = widen(op.getV());
  SmallVector<Value> ends;
  if (op.isPacked())
    ends = {dim(q, 1), dim(q, 0)};
  else
    ends = {dim(q, 0), dim(q, 1), dim(q, 2)};
  SmallVector<Value> zeros(ends.size(), index(0)), ones(ends.size(), index(1));
  auto parallel = scf::ParallelOp::create(b, zeros, ends, ones);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(parallel.getBody());
  auto ivs = parallel.getInductionVars();
  Row row = op.isPacked() ? packedRow(ivs[0], ivs[1])
                          : denseRow(ivs[0], ivs[1], ivs[2]);
  // Query heads share a key head in groups of neighbours.
  Value heads = dim(q, 1), kvHeads = dim(k, 1);
  Value group = arith::DivUIOp::create(b, heads, kvHeads);
  row.kvHead = arith::DivUIOp::create(b, row.h, group);
  emitRow(row);
}

/// scale * (q . k), summed in lanes: as good as a sum in order, and a vector
/// operation on any target.
Value RowEmitter::emitDot(const Row &row, Value query, Value storedJ) {
  VectorType lanes = lanesOf(op.getHeadDim());
  Value headDim = index(op.getHeadDim()), zero = zeroLanes(lanes);
  Value sums = loop(
      headDim, zero,
      [&](Value d, ValueRange sum) -> SmallVector<Value> {
        Value q = vector::LoadOp::create(b, lanes, query, d);
        Value k = vector::LoadOp::create(b, lanes, keys,
                                         place(row.b, row.kvHead, storedJ, d));
        return {multiplyAdd(q, k, sum[0])};
      },
      lanes.getNumElements())[0];
  Value dot = vector::ReductionOp::create(b, vector::CombiningKind::ADD, sums,
                                          arith::FastMathFlags::reassoc);
  dot = overflowAsF32(dot);
  Value scale = number(op.getEffectiveScale());
  return overflowAsF32(arith::MulFOp::create(b, dot, scale));
}

void RowEmitter::emitRow(const Row &row) {
  Value q = buffers.get(op.getQ());
  Value query = scratch(op.getHeadDim(), compute);
  loop(index(op.getHeadDim()), {}, [&](Value d, ValueRange) {
    store(loadWide(q, place(row.b, row.h, row.storedI, d)), query, d);
    return SmallVector<Value>();
  });

  // The visible keys and their scores, in order.
  Value scores = scratch(row.numKeys, compute),
        seenKeys = scratch(row.numKeys, b.getIndexType());
  SmallVector<Value> seen = loop(
      row.numKeys, {index(0), infinity(/*negative=*/true)},
      [&](Value j, ValueRange carried) {
        Value count = carried[0], maximum = carried[1];
        Value storedJ = arith::AddIOp::create(b, row.firstKey, j);
        Point at{row.b, row.h, row.p, /*r=*/j, row.storedI, storedJ};
        return branch(
            emitVisible(b, buffers, at, precision),
            [&]() -> SmallVector<Value> {
              Value score = overflowAsF32(emitScore(
                  b, buffers, at, emitDot(row, query, storedJ), precision));
              store(score, scores, count);
              store(storedJ, seenKeys, count);
              // A score of -inf has weight 0: the key is as good as hidden.
              Value counts =
                  arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, score,
                                        infinity(/*negative=*/true));
              Value next = arith::SelectOp::create(
                  b, counts, arith::AddIOp::create(b, count, index(1)), count);
              return {next, arith::MaximumFOp::create(b, maximum, score)};
            },
            [&]() -> SmallVector<Value> { return {count, maximum}; });
      });
  Value isEmpty = compare(arith::CmpIPredicate::eq, seen[0], index(0));
  branch(
      isEmpty,
      [&] {
        emitEmpty(row);
        return SmallVector<Value>();
      },
      [&] {
        emitSoftmax(row, scores, seenKeys, seen[0], seen[1]);
        return SmallVector<Value>();
      });
}

Value RowEmitter::loadSink(const Row &row) {
  return loadWide(buffers.get(op.getSinks()), row.h);
}

void RowEmitter::storeLse(const Row &row, Value value) {
  if (lse)
    store(castFloat(b, value, cast<MemRefType>(lse.getType()).getElementType()),
          lse, lsePlace(row));
}

/// No key: 0, and nothing but the sink in the denominator of a row that counts.
void RowEmitter::emitEmpty(const Row &row) {
  if (out) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    loop(index(op.getValueDim()), {}, [&](Value e, ValueRange) {
      store(zero, out, place(row.b, row.h, row.storedI, e));
      return SmallVector<Value>();
    });
  }
  Value value = infinity(/*negative=*/true);
  if (lse && op.getSinks())
    value = arith::SelectOp::create(b, row.active, loadSink(row), value);
  storeLse(row, value);
}

void RowEmitter::emitSoftmax(const Row &row, Value scores, Value seenKeys,
                             Value count, Value maximum) {
  Value zero = number(0.0);
  Value sinkWeight = zero;
  if (op.getSinks()) {
    Value sink = loadSink(row);
    maximum = arith::MaximumFOp::create(b, maximum, sink);
    // A sink of +inf takes the whole weight; inf - inf would not say so.
    Value isMaximum =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sink, maximum);
    Value weight =
        function<math::ExpOp>(arith::SubFOp::create(b, sink, maximum));
    sinkWeight = arith::SelectOp::create(b, isMaximum, number(1.0), weight);
  }
  Value sum = loop(count, sinkWeight,
                   [&](Value n, ValueRange carried) -> SmallVector<Value> {
                     Value shifted =
                         arith::SubFOp::create(b, load(scores, n), maximum);
                     Value weight = function<math::ExpOp>(shifted);
                     store(weight, scores, n);
                     return {arith::AddFOp::create(b, carried[0], weight)};
                   })[0];
  if (lse)
    storeLse(row,
             arith::AddFOp::create(b, maximum, function<math::LogOp>(sum)));
  if (!out)
    return;

  bool plain = precision == ReferencePrecision::Plain;
  auto nothing = [] { return SmallVector<Value>(); };
  if (plain)
    loop(count, {}, [&](Value n, ValueRange) {
      Value weight = arith::DivFOp::create(b, load(scores, n), sum);
      store(castFloat(b, castFloat(b, weight, element), compute), scores, n);
      return nothing();
    });

  // Some values of all keys at a time, each lane summed in the order of keys.
  Value valueDim = index(op.getValueDim());
  Value acc = scratch(op.getValueDim(), compute);
  VectorType lanes = lanesOf(op.getValueDim());
  loop(
      valueDim, {},
      [&](Value e, ValueRange) {
        Value total =
            loop(count, zeroLanes(lanes),
                 [&](Value n, ValueRange sums) -> SmallVector<Value> {
                   Value weight =
                       vector::BroadcastOp::create(b, lanes, load(scores, n));
                   Value v = vector::LoadOp::create(
                       b, lanes, values,
                       place(row.b, row.kvHead, load(seenKeys, n), e));
                   return {multiplyAdd(weight, v, sums[0])};
                 })[0];
        vector::StoreOp::create(b, total, acc, e);
        return nothing();
      },
      lanes.getNumElements());
  Type type = cast<MemRefType>(out.getType()).getElementType();
  loop(valueDim, {}, [&](Value e, ValueRange) {
    Value value = load(acc, e);
    if (!plain)
      value = arith::DivFOp::create(b, value, sum);
    store(castFloat(b, value, type), out, place(row.b, row.h, row.storedI, e));
    return nothing();
  });
}

} // namespace

Value reference::copyBuffer(ImplicitLocOpBuilder &b, Value from, Type element) {
  auto type = cast<MemRefType>(from.getType());
  SmallVector<Value> extents, dynamic;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    extents.push_back(memref::DimOp::create(b, from, axis));
    if (type.isDynamicDim(axis))
      dynamic.push_back(extents.back());
  }
  Value to = memref::AllocOp::create(
      b, MemRefType::get(type.getShape(), element), dynamic);
  auto convert = [&](ValueRange at) {
    Value value = memref::LoadOp::create(b, from, at);
    memref::StoreOp::create(b, castFloat(b, value, element), to, at);
  };
  if (extents.empty()) {
    convert({});
    return to;
  }
  Value zero = arith::ConstantIndexOp::create(b, 0),
        one = arith::ConstantIndexOp::create(b, 1);
  Value last = extents.pop_back_val();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> at;
  if (!extents.empty()) {
    auto parallel = scf::ParallelOp::create(
        b, SmallVector<Value>(extents.size(), zero), extents,
        SmallVector<Value>(extents.size(), one));
    b.setInsertionPointToStart(parallel.getBody());
    llvm::append_range(at, parallel.getInductionVars());
  }
  auto loop = scf::ForOp::create(b, zero, last, one);
  b.setInsertionPointToStart(loop.getBody());
  at.push_back(loop.getInductionVar());
  convert(at);
  return to;
}

void reference::emitAttention(ImplicitLocOpBuilder &b, const Buffers &buffers,
                              Value out, Value lse,
                              ReferencePrecision precision) {
  RowEmitter(b, buffers, out, lse, precision).emitAllRows();
}
