//===- CountTiles.cpp - How many key tiles a function visits --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps of a function what computes the bounds of its walks, and sums them up.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCOUNTTILESPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Tiles in full segments, in partial ones, and in the keys, as index values.
enum Count { Full, Partial, All, NumCounts };

class TileCounter {
public:
  TileCounter(RewriterBase &b, func::FuncOp function)
      : b(b), function(function) {}

  FailureOr<func::FuncOp> run();

private:
  /// Finds the operations around walks and those that bounds are computed by.
  LogicalResult collect();
  LogicalResult collectAround(WalkOp walk);
  /// Whatever computes `value`, for the sake of `walk`.
  LogicalResult require(Value value, WalkOp walk);

  /// Copies of `block`, after which the counts are those that are returned.
  SmallVector<Value> emit(Block &block, IRMapping &mapping, ValueRange counts);
  SmallVector<Value> emitAround(Operation &op, IRMapping &mapping,
                                ValueRange counts);
  SmallVector<Value> emitWalk(WalkOp walk, IRMapping &mapping,
                              ValueRange counts);
  Value countListed(WalkOp walk, unsigned segment, IRMapping &mapping);

  Value index(Location loc, int64_t n) {
    return arith::ConstantIndexOp::create(b, loc, n);
  }

  RewriterBase &b;
  func::FuncOp function;
  llvm::SmallPtrSet<Operation *, 8> around;
  llvm::SmallPtrSet<Operation *, 32> required;
};

} // namespace

LogicalResult TileCounter::require(Value value, WalkOp walk) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == function)
      return success();
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    std::optional<SmallVector<Value>> variables;
    if (loop && around.contains(parent))
      variables = loop.getLoopInductionVars();
    if (variables && llvm::is_contained(*variables, value))
      return success();
    InFlightDiagnostic diag =
        walk.emitError("attn-count-tiles: bounds expected not to depend on "
                       "what a loop carries");
    diag.attachNote(argument.getLoc()) << "they depend on this";
    return failure();
  }
  Operation *op = value.getDefiningOp();
  if (!required.insert(op).second)
    return success();
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  captured.insert(op->operand_begin(), op->operand_end());
  for (Value operand : captured)
    if (failed(require(operand, walk)))
      return failure();
  return success();
}

LogicalResult TileCounter::collectAround(WalkOp walk) {
  for (Operation *op = walk->getParentOp(); op != function;
       op = op->getParentOp()) {
    if (!isa<scf::ForOp, scf::ForallOp, scf::IfOp>(op))
      return walk.emitError("attn-count-tiles: expected a walk in loops and "
                            "conditions of scf, got one in ")
             << op->getName();
    around.insert(op);
  }
  return success();
}

LogicalResult TileCounter::collect() {
  SmallVector<WalkOp> walks;
  function.walk([&](WalkOp walk) { walks.push_back(walk); });
  for (WalkOp walk : walks)
    if (failed(collectAround(walk)))
      return failure();
  auto requireAll = [&](ValueRange values, WalkOp walk) {
    return success(llvm::all_of(
        values, [&](Value v) { return succeeded(require(v, walk)); }));
  };
  for (WalkOp walk : walks) {
    if (failed(require(walk.getExtent(), walk)) ||
        failed(requireAll(walk.getBounds(), walk)) ||
        failed(requireAll(walk.getLists(), walk)))
      return failure();
    for (Operation *op = walk->getParentOp(); op != function;
         op = op->getParentOp()) {
      // All but what loops carry.
      SmallVector<Value> steering;
      if (auto loop = dyn_cast<scf::ForOp>(op))
        steering = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      else if (auto forall = dyn_cast<scf::ForallOp>(op))
        for (OperandRange bounds :
             {forall.getDynamicLowerBound(), forall.getDynamicUpperBound(),
              forall.getDynamicStep()})
          llvm::append_range(steering, bounds);
      else
        steering = {cast<scf::IfOp>(op).getCondition()};
      if (failed(requireAll(steering, walk)))
        return failure();
    }
  }
  return success();
}

SmallVector<Value> TileCounter::emit(Block &block, IRMapping &mapping,
                                     ValueRange counts) {
  SmallVector<Value> result = llvm::to_vector(counts);
  for (Operation &op : block.without_terminator()) {
    if (required.contains(&op))
      b.clone(op, mapping);
    if (auto walk = dyn_cast<WalkOp>(op))
      result = emitWalk(walk, mapping, result);
    else if (around.contains(&op))
      result = emitAround(op, mapping, result);
  }
  return result;
}

SmallVector<Value> TileCounter::emitAround(Operation &op, IRMapping &mapping,
                                           ValueRange counts) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(b);
  auto emitBody = [&](Block &block, ValueRange carried) {
    // What is copied in this body is not seen behind it.
    IRMapping inner = mapping;
    scf::YieldOp::create(b, loc, emit(block, inner, carried));
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto copy = scf::IfOp::create(
        b, loc, mapping.lookupOrDefault(branch.getCondition()),
        [&](OpBuilder &, Location) { emitBody(*branch.thenBlock(), counts); },
        [&](OpBuilder &, Location) {
          if (branch.elseBlock())
            emitBody(*branch.elseBlock(), counts);
          else
            scf::YieldOp::create(b, loc, counts);
        });
    return llvm::to_vector_of<Value>(copy.getResults());
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto copy = scf::ForOp::create(
        b, loc, mapping.lookupOrDefault(loop.getLowerBound()),
        mapping.lookupOrDefault(loop.getUpperBound()),
        mapping.lookupOrDefault(loop.getStep()), counts,
        [&](OpBuilder &, Location, Value variable, ValueRange carried) {
          mapping.map(loop.getInductionVar(), variable);
          emitBody(*loop.getBody(), carried);
        });
    return llvm::to_vector_of<Value>(copy.getResults());
  }
  auto forall = cast<scf::ForallOp>(op);
  auto toValues = [&](ArrayRef<OpFoldResult> folds) {
    return llvm::map_to_vector(folds, [&](OpFoldResult fold) -> Value {
      if (auto value = dyn_cast<Value>(fold))
        return mapping.lookupOrDefault(value);
      return getValueOrCreateConstantIndexOp(b, loc, fold);
    });
  };
  SmallVector<Value> begins = toValues(forall.getMixedLowerBound()),
                     ends = toValues(forall.getMixedUpperBound()),
                     steps = toValues(forall.getMixedStep());
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, begins, ends, steps, counts,
      [&](OpBuilder &nested, Location, ValueRange variables,
          ValueRange carried) -> scf::ValueVector {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(nested.saveInsertionPoint());
        mapping.map(forall.getInductionVars(), variables);
        IRMapping inner = mapping;
        SmallVector<Value> result = emit(*forall.getBody(), inner, carried);
        nested.restoreInsertionPoint(b.saveInsertionPoint());
        return scf::ValueVector(result.begin(), result.end());
      });
  return SmallVector<Value>(nest.results);
}

/// Entries of the segment's list that name a tile.
Value TileCounter::countListed(WalkOp walk, unsigned segment,
                               IRMapping &mapping) {
  Location loc = walk.getLoc();
  auto [begin, end] = walk.getSegmentBounds(segment);
  Value zero = index(loc, 0), one = index(loc, 1);
  Value tile = index(loc, walk.getTile());
  Value list = mapping.lookupOrDefault(walk.getSegmentList(segment));
  Value extent = mapping.lookupOrDefault(walk.getExtent());
  auto loop = scf::ForOp::create(
      b, loc, mapping.lookupOrDefault(begin), mapping.lookupOrDefault(end), one,
      zero, [&](OpBuilder &b, Location loc, Value place, ValueRange count) {
        Value entry = tensor::ExtractOp::create(b, loc, list, place);
        entry = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry);
        Value first = arith::MulIOp::create(b, loc, entry, tile);
        Value named = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                            entry, zero);
        Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             first, extent);
        Value exists = arith::AndIOp::create(b, loc, named, inside);
        Value next = arith::AddIOp::create(b, loc, count[0], one);
        Value counted = arith::SelectOp::create(b, loc, exists, next, count[0]);
        scf::YieldOp::create(b, loc, counted);
      });
  return loop.getResult(0);
}

SmallVector<Value> TileCounter::emitWalk(WalkOp walk, IRMapping &mapping,
                                         ValueRange counts) {
  Location loc = walk.getLoc();
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, operands));
  };
  SmallVector<Value> result = llvm::to_vector(counts);
  for (unsigned n = 0, e = walk.getSegments().size(); n < e; ++n) {
    SegmentAttr segment = walk.getSegment(n);
    Value length;
    if (segment.getKind() == SegmentKind::List) {
      length = countListed(walk, n, mapping);
    } else {
      auto [begin, end] = walk.getSegmentBounds(n);
      OpFoldResult difference =
          apply(s0 - s1, {OpFoldResult(mapping.lookupOrDefault(end)),
                          OpFoldResult(mapping.lookupOrDefault(begin))});
      length = getValueOrCreateConstantIndexOp(b, loc, difference);
      length = arith::MaxSIOp::create(b, loc, length, index(loc, 0));
    }
    unsigned place =
        segment.getTiles() == SegmentClass::Full ? Count::Full : Count::Partial;
    result[place] = arith::AddIOp::create(b, loc, result[place], length);
  }
  Value tiles =
      apply(s0.ceilDiv(int64_t(walk.getTile())),
            {OpFoldResult(mapping.lookupOrDefault(walk.getExtent()))});
  result[Count::All] = arith::AddIOp::create(b, loc, result[Count::All], tiles);
  return result;
}

static bool hasWalk(func::FuncOp function) {
  return function.walk([](WalkOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

FailureOr<func::FuncOp> TileCounter::run() {
  if (hasWalk(function) && !function.getBody().hasOneBlock())
    return function.emitError("attn-count-tiles: expected a body of one block");
  // Extents of what loops carry become those of what it is a slice of.
  RewritePatternSet patterns(b.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  if (failed(applyPatternsGreedily(function, std::move(patterns), config)) ||
      failed(collect()))
    return failure();
  Location loc = function.getLoc();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(function);
  auto result = RankedTensorType::get({Count::NumCounts}, b.getI64Type());
  auto type = b.getFunctionType(function.getArgumentTypes(), result);
  // Without attributes that may speak of the results.
  auto counting = func::FuncOp::create(b, loc, function.getName(), type);
  counting.setSymVisibilityAttr(function.getSymVisibilityAttr());
  if (ArrayAttr attributes = function.getArgAttrsAttr())
    counting.setArgAttrsAttr(attributes);
  Block *body = counting.addEntryBlock();
  IRMapping mapping;
  for (auto [from, to] :
       llvm::zip_equal(function.getArguments(), body->getArguments())) {
    to.setLoc(from.getLoc());
    mapping.map(from, to);
  }
  b.setInsertionPointToStart(body);
  SmallVector<Value> counts(Count::NumCounts, index(loc, 0));
  counts = emit(function.getBody().front(), mapping, counts);
  for (Value &count : counts)
    count = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  Value table = tensor::FromElementsOp::create(b, loc, result, counts);
  func::ReturnOp::create(b, loc, table);
  b.eraseOp(function);
  return counting;
}

FailureOr<func::FuncOp> attn::countTiles(RewriterBase &rewriter,
                                         func::FuncOp function) {
  return TileCounter(rewriter, function).run();
}

namespace {
struct CountTilesPass : attn::impl::AttnCountTilesPassBase<CountTilesPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::SmallDenseMap<Operation *, func::CallOp> calls;
    getOperation()->walk([&](func::CallOp call) {
      calls.try_emplace(call.resolveCallableInTable(&symbols), call);
    });
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      bool visits = hasWalk(function);
      func::CallOp call = calls.lookup(function);
      if (visits && call) {
        call.emitError("attn-count-tiles: expected no call of a function with "
                       "walks; inline it first");
        return signalPassFailure();
      }
      if (visits || (function.isPublic() && !function.isExternal() && !call))
        functions.push_back(function);
    }
    IRRewriter rewriter(&getContext());
    for (func::FuncOp function : functions)
      if (failed(countTiles(rewriter, function)))
        return signalPassFailure();
  }
};
} // namespace
