//===- RegisterTilingEmission.cpp - emit register-tiled loops -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two facts shape the emission: values that do not vary along the vector
// dimension stay scalar until a vector needs them (the scalar operand of a
// contraction becomes a broadcast straight from memory), and every input is
// read at the outermost loop that determines its address.
//
//===----------------------------------------------------------------------===//

#include "RegisterTilingDetail.h"
#include "attn/Target/CPU/RegisterTiling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

static bool hasVectorType(Value value) {
  return isa<VectorType>(value.getType());
}

namespace {
/// Emits the loops of one plan. Block elements are numbered row by row:
/// element `row * vectors + column`.
class Emitter {
public:
  Emitter(RewriterBase &rewriter, linalg::LinalgOp op,
          const RegisterTiling &tiling)
      : b(rewriter), op(op), loc(op.getLoc()), tiling(tiling),
        kernel(tiling.kernel), indices(op.getNumLoops()),
        loaded(op->getNumOperands()) {
    for (unsigned d = tiling.numParallel; d < tiling.order.size(); ++d)
      reductions.push_back(tiling.order[d]);
    for (OpOperand &init : op.getDpsInitsMutable())
      (isAccumulator(op.getMatchingIndexingMap(&init), reductions)
           ? accumulators
           : elements)
          .push_back(&init);
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      int level = -1;
      for (auto [position, dim] : llvm::enumerate(tiling.order))
        if (mapUses(map, dim))
          level = position;
      inputLevel.emplace_back(input, level);
    }
    if (!reductions.empty())
      collectFusedMultiplies();
  }

  void run() {
    readInputs(-1);
    emitParallel(0);
  }

private:
  //===--- Addresses ------------------------------------------------------===//

  Value constantIndex(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  Value extentOf(unsigned dim) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [position, expr] : llvm::enumerate(map.getResults()))
        if (cast<AffineDimExpr>(expr).getPosition() == dim)
          return b.createOrFold<memref::DimOp>(loc, operand.get(), position);
    }
    llvm_unreachable("every dimension of a linalg operation has an operand");
  }

  /// Sets the indices of `dim` that one iteration of its loop covers: one per
  /// row or per vector.
  void setIndices(unsigned dim, Value iv) {
    int64_t count = 1, stride = 1;
    if (tiling.vectorDim == dim) {
      count = kernel.vectors;
      stride = kernel.lanes;
    } else if (tiling.rowDim == dim) {
      count = kernel.rows;
    }
    indices[dim].assign(1, iv);
    for (int64_t i = 1; i < count; ++i)
      indices[dim].push_back(
          b.createOrFold<arith::AddIOp>(loc, iv, constantIndex(i * stride),
                                        arith::IntegerOverflowFlags::nsw));
  }

  Value offset(Value index, int64_t by) {
    if (by == 0)
      return index;
    return b.createOrFold<arith::AddIOp>(loc, index, constantIndex(by),
                                         arith::IntegerOverflowFlags::nsw);
  }

  Value indexOf(unsigned dim, int64_t row, int64_t column) {
    if (tiling.vectorDim == dim)
      return indices[dim][column];
    return indices[dim][tiling.rowDim == dim ? row : 0];
  }

  SmallVector<Value> address(AffineMap map, int64_t row, int64_t column) {
    SmallVector<Value> result;
    for (AffineExpr expr : map.getResults())
      result.push_back(
          indexOf(cast<AffineDimExpr>(expr).getPosition(), row, column));
    return result;
  }

  bool isVector(AffineMap map) {
    return tiling.vectorDim && mapUses(map, *tiling.vectorDim);
  }

  VectorType vectorOf(Type element) {
    return VectorType::get({kernel.lanes}, element);
  }

  Value toVector(Value value) {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()),
                                       value);
  }

  //===--- Memory ---------------------------------------------------------===//

  Value read(OpOperand *operand, int64_t row, int64_t column) {
    Value source = operand->get();
    auto type = dyn_cast<MemRefType>(source.getType());
    if (!type)
      return source;
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<Value> at = address(map, row, column);
    if (isVector(map))
      return vector::LoadOp::create(b, loc, vectorOf(type.getElementType()),
                                    source, at);
    return memref::LoadOp::create(b, loc, source, at);
  }

  void write(OpOperand *operand, Value value, int64_t row, int64_t column) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<Value> at = address(map, row, column);
    if (isVector(map))
      vector::StoreOp::create(b, loc, toVector(value), operand->get(), at);
    else
      memref::StoreOp::create(b, loc, value, operand->get(), at);
  }

  /// Reads `operand` for the whole block, each distinct element once.
  SmallVector<Value> readBlock(OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    bool byRow = tiling.rowDim && mapUses(map, *tiling.rowDim);
    bool byColumn = isVector(map);
    SmallVector<Value> values;
    for (int64_t row = 0; row < kernel.rows; ++row)
      for (int64_t column = 0; column < kernel.vectors; ++column) {
        if (row > 0 && !byRow)
          values.push_back(values[column]);
        else if (column > 0 && !byColumn)
          values.push_back(values[row * kernel.vectors]);
        else
          values.push_back(read(operand, row, column));
      }
    return values;
  }

  void readInputs(int level) {
    for (auto [input, inputLevel] : inputLevel)
      if (inputLevel == level && op.payloadUsesValueFromOperand(input))
        loaded[input->getOperandNumber()] = readBlock(input);
  }

  //===--- Loops ----------------------------------------------------------===//

  /// Emits the loop of `order[level]` around `body`; a loop of one iteration is
  /// left out. `body` takes and returns the values carried by the loop.
  template <typename Body>
  SmallVector<Value> emitLoop(unsigned level, ValueRange carried, Body body) {
    unsigned dim = tiling.order[level];
    int64_t step = tiling.step(dim);
    if (op.getStaticLoopRanges()[dim] == step) {
      setIndices(dim, constantIndex(0));
      readInputs(level);
      return body(carried);
    }
    Value begin = constantIndex(0), end = extentOf(dim);
    auto loop =
        scf::ForOp::create(b, loc, begin, end, constantIndex(step), carried);
    OpBuilder::InsertionGuard guard(b);
    Block *block = loop.getBody();
    // Without carried values the builder has already made the terminator.
    if (carried.empty())
      b.setInsertionPoint(block->getTerminator());
    else
      b.setInsertionPointToEnd(block);
    setIndices(dim, loop.getInductionVar());
    readInputs(level);
    SmallVector<Value> results = body(loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(b, loc, results);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  void emitParallel(unsigned level) {
    if (level < tiling.numParallel) {
      emitLoop(level, {}, [&](ValueRange) -> SmallVector<Value> {
        emitParallel(level + 1);
        return {};
      });
      return;
    }
    if (tiling.chunk) {
      emitChunks();
      return;
    }
    SmallVector<Value> state;
    for (OpOperand *init : accumulators) {
      if (tiling.reducesLanes || addsAtEnd(init))
        state.append(kernel.accumulators(), neutralVector(init));
      else if (reductions.empty() && !op.payloadUsesValueFromOperand(init))
        state.append(kernel.accumulators(), Value());
      else
        state.append(readBlock(init));
    }
    state = emitReduction(level, state);
    if (tiling.reducesLanes) {
      writeReducedLanes(state);
      return;
    }
    for (auto [i, init] : llvm::enumerate(accumulators)) {
      SmallVector<Value> before;
      if (addsAtEnd(init))
        before = readBlock(init);
      for (int64_t e = 0; e < kernel.accumulators(); ++e) {
        Value value = state[i * kernel.accumulators() + e];
        if (!before.empty())
          value = arith::AddFOp::create(b, loc, before[e], value);
        write(init, value, e / kernel.vectors, e % kernel.vectors);
      }
    }
  }

  /// Whether a sum of products starts from zeros and joins what `init` held at
  /// its end. A long sum is then one of short ones, each with its own rounding
  /// errors: splitting its loop makes it more exact.
  bool addsAtEnd(OpOperand *init) {
    return !fused.empty() && isVector(op.getMatchingIndexingMap(init)) &&
           combinerOf(op, init) == vector::CombiningKind::ADD;
  }

  SmallVector<Value> emitReduction(unsigned level, ValueRange state) {
    if (level == tiling.order.size())
      return emitBlock(state);
    return emitLoop(level, state, [&](ValueRange inner) {
      return emitReduction(level + 1, inner);
    });
  }

  /// Sums chunk by chunk into the result in memory.
  void emitChunks() {
    unsigned level = tiling.numParallel, dim = reductions.front();
    int64_t extent = op.getStaticLoopRanges()[dim];
    OpBuilder::InsertionGuard guard(b);
    Value first = constantIndex(0), step = constantIndex(1), last;
    if (extent == tiling.chunk) {
      last = constantIndex(extent);
    } else {
      Value end = constantIndex(extent);
      auto chunks =
          scf::ForOp::create(b, loc, first, end, constantIndex(tiling.chunk));
      b.setInsertionPoint(chunks.getBody()->getTerminator());
      first = chunks.getInductionVar();
      last = arith::AddIOp::create(b, loc, first, constantIndex(tiling.chunk),
                                   arith::IntegerOverflowFlags::nsw);
    }
    SmallVector<Value> state;
    for (OpOperand *init : accumulators)
      state.append(kernel.accumulators(), neutralVector(init));
    auto loop = scf::ForOp::create(b, loc, first, last, step, state);
    {
      OpBuilder::InsertionGuard inLoop(b);
      b.setInsertionPointToEnd(loop.getBody());
      setIndices(dim, loop.getInductionVar());
      readInputs(level);
      scf::YieldOp::create(b, loc, emitBlock(loop.getRegionIterArgs()));
    }
    for (auto [i, init] : llvm::enumerate(accumulators)) {
      SmallVector<Value> totals = readBlock(init);
      for (int64_t e = 0; e < kernel.accumulators(); ++e)
        write(init,
              arith::AddFOp::create(
                  b, loc, totals[e],
                  loop.getResult(i * kernel.accumulators() + e)),
              e / kernel.vectors, e % kernel.vectors);
    }
  }

  //===--- Reduction across lanes -----------------------------------------===//

  /// What leaves every value as it is under the combiner of `init`.
  Value neutralVector(OpOperand *init) {
    using Kind = vector::CombiningKind;
    Type element = getElementTypeOrSelf(init->get().getType());
    Kind kind = *combinerOf(op, init);
    TypedAttr neutral;
    if (auto type = dyn_cast<FloatType>(element)) {
      const llvm::fltSemantics &semantics = type.getFloatSemantics();
      bool isMin = kind == Kind::MINNUMF || kind == Kind::MINIMUMF;
      neutral = FloatAttr::get(
          type, kind == Kind::ADD
                    ? APFloat::getZero(semantics, /*Negative=*/true)
                    : APFloat::getInf(semantics, /*Negative=*/!isMin));
    } else {
      neutral = IntegerAttr::get(element, kind == Kind::AND ? -1 : 0);
    }
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vectorOf(element), neutral));
  }

  void writeReducedLanes(ArrayRef<Value> state) {
    int64_t count = kernel.accumulators();
    for (auto [i, init] : llvm::enumerate(accumulators)) {
      vector::CombiningKind kind = *combinerOf(op, init);
      Value sum = state[i * count];
      for (int64_t e = 1; e < count; ++e)
        sum =
            vector::makeArithReduction(b, loc, kind, sum, state[i * count + e]);
      // Without leave to reorder, the lanes would be added one by one.
      sum = vector::ReductionOp::create(b, loc, kind, sum, read(init, 0, 0),
                                        arith::FastMathFlags::reassoc);
      write(init, sum, 0, 0);
    }
  }

  //===--- Body -----------------------------------------------------------===//

  /// In a reduction a multiply that is only added becomes one fused
  /// multiply-add.
  void collectFusedMultiplies() {
    for (auto add : op.getBlock()->getOps<arith::AddFOp>())
      for (Value operand : add->getOperands())
        if (auto multiply = operand.getDefiningOp<arith::MulFOp>();
            multiply && multiply->getBlock() == op.getBlock() &&
            multiply->hasOneUse()) {
          fused[add] = multiply;
          fusedMultiplies.insert(multiply);
          break;
        }
  }

  SmallVector<Value> emitBlock(ValueRange state) {
    int64_t count = kernel.accumulators();
    SmallVector<Value> next(state.begin(), state.end());
    SmallVector<SmallVector<Value>> stored(elements.size());
    for (int64_t e = 0; e < count; ++e) {
      IRMapping mapping;
      int64_t row = e / kernel.vectors, column = e % kernel.vectors;
      for (OpOperand *input : op.getDpsInputOperands())
        if (op.payloadUsesValueFromOperand(input))
          mapping.map(op.getMatchingBlockArgument(input),
                      loaded[input->getOperandNumber()][e]);
      for (auto [i, init] : llvm::enumerate(accumulators))
        if (Value value = state[i * count + e])
          mapping.map(op.getMatchingBlockArgument(init), value);
      for (OpOperand *init : elements)
        if (op.payloadUsesValueFromOperand(init))
          mapping.map(op.getMatchingBlockArgument(init),
                      read(init, row, column));
      for (Operation &inner : op.getBlock()->without_terminator())
        emitInner(inner, mapping, row, column);

      Operation *yield = op.getBlock()->getTerminator();
      auto result = [&](OpOperand *init) {
        Value value = mapping.lookupOrDefault(
            yield->getOperand(op.getMatchingBlockArgument(init).getArgNumber() -
                              op.getNumDpsInputs()));
        return tiling.reducesLanes || isVector(op.getMatchingIndexingMap(init))
                   ? toVector(value)
                   : value;
      };
      for (auto [i, init] : llvm::enumerate(accumulators))
        next[i * count + e] = result(init);
      for (auto [i, init] : llvm::enumerate(elements))
        stored[i].push_back(result(init));
    }
    // All reads of the block come before its writes.
    for (auto [i, init] : llvm::enumerate(elements))
      for (int64_t e = 0; e < count; ++e)
        write(init, stored[i][e], e / kernel.vectors, e % kernel.vectors);
    return next;
  }

  void emitInner(Operation &inner, IRMapping &mapping, int64_t row,
                 int64_t column) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      unsigned dim = index.getDim();
      Value value = indexOf(dim, row, column);
      if (tiling.vectorDim == dim) {
        value = toVector(value);
        value = arith::AddIOp::create(
            b, loc, value,
            vector::StepOp::create(b, loc, vectorOf(b.getIndexType())));
      }
      mapping.map(index.getResult(), value);
      return;
    }
    if (fusedMultiplies.contains(&inner))
      return;
    auto lookup = [&](Value v) { return mapping.lookupOrDefault(v); };
    if (auto found = fused.find(&inner); found != fused.end()) {
      arith::MulFOp multiply = found->second;
      Value addend = inner.getOperand(0) == multiply.getResult()
                         ? inner.getOperand(1)
                         : inner.getOperand(0);
      SmallVector<Value> operands{lookup(multiply.getLhs()),
                                  lookup(multiply.getRhs()), lookup(addend)};
      if (llvm::any_of(operands, hasVectorType))
        for (Value &operand : operands)
          operand = toVector(operand);
      mapping.map(
          inner.getResult(0),
          math::FmaOp::create(b, loc, operands[0], operands[1], operands[2]));
      return;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), lookup);
    if (!llvm::any_of(operands, hasVectorType)) {
      b.clone(inner, mapping);
      return;
    }
    if (!isLaneWise(inner)) {
      emitPerLane(inner, operands, mapping);
      return;
    }
    for (Value &operand : operands)
      operand = toVector(operand);
    SmallVector<Type> types = llvm::map_to_vector(
        inner.getResultTypes(), [&](Type t) -> Type { return vectorOf(t); });
    OperationState opState(inner.getLoc(), inner.getName(), operands, types,
                           inner.getAttrs());
    mapping.map(inner.getResults(), b.create(opState)->getResults());
  }

  /// An access to memory or the like, whose address differs between lanes.
  void emitPerLane(Operation &inner, ArrayRef<Value> operands,
                   IRMapping &mapping) {
    SmallVector<SmallVector<Value>> lanes(inner.getNumResults());
    for (int64_t lane = 0; lane < kernel.lanes; ++lane) {
      IRMapping scalars;
      for (auto [from, to] : llvm::zip_equal(inner.getOperands(), operands))
        scalars.map(from, hasVectorType(to)
                              ? vector::ExtractOp::create(b, loc, to, lane)
                              : to);
      Operation *scalar = b.clone(inner, scalars);
      for (auto [result, values] : llvm::zip_equal(scalar->getResults(), lanes))
        values.push_back(result);
    }
    for (auto [result, values] : llvm::zip_equal(inner.getResults(), lanes))
      mapping.map(result, vector::FromElementsOp::create(
                              b, loc, vectorOf(result.getType()), values)
                              .getResult());
  }

  RewriterBase &b;
  linalg::LinalgOp op;
  Location loc;
  const RegisterTiling &tiling;
  MicroKernel kernel;
  SmallVector<unsigned> reductions;
  /// Outputs carried in registers through the reduction, and outputs written
  /// once per iteration.
  SmallVector<OpOperand *> accumulators, elements;
  SmallVector<std::pair<OpOperand *, int>> inputLevel;
  llvm::DenseMap<Operation *, arith::MulFOp> fused;
  llvm::SmallPtrSet<Operation *, 4> fusedMultiplies;
  /// Per dimension: its indices in the current iteration.
  SmallVector<SmallVector<Value>> indices;
  /// Per operand: its block in the current iteration.
  SmallVector<SmallVector<Value>> loaded;
};
} // namespace

void RegisterTiling::emit(RewriterBase &rewriter, linalg::LinalgOp op) const {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Emitter(rewriter, op, *this).run();
  rewriter.eraseOp(op);
}
