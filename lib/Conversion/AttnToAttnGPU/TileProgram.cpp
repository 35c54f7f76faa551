//===- TileProgram.cpp - What a warpgroup does for a query tile -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the body of a loop over query tiles: views of tensors, the walk over
// keys, and what becomes of the state.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

Value TileProgram::index(Location loc, int64_t n) {
  return arith::ConstantIndexOp::create(b, loc, n);
}

Value TileProgram::broadcast(Location loc, Value value,
                             ArrayRef<int64_t> shape) {
  auto type = VectorType::get(shape, getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  return vector::BroadcastOp::create(b, loc, type, value);
}

Value TileProgram::getWarpgroupRow(Location loc) {
  Value warpgroup = attn_gpu::WarpgroupIndexOp::create(b, loc);
  return arith::MulIOp::create(
      b, loc, warpgroup, index(loc, attn_gpu::AttnGPUDialect::kFragmentRows));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

FailureOr<GlobalView> TileProgram::trace(Value tensor) {
  Location loc = tensor.getLoc();
  if (Value known = mapping.lookupOrNull(tensor)) {
    auto memref = dyn_cast<MemRefType>(known.getType());
    if (!memref)
      return failure();
    return GlobalView{known,
                      SmallVector<Value>(memref.getRank(), index(loc, 0))};
  }
  // What is padded lies outside the tensor: a tile read there gives zeros.
  if (auto pad = tensor.getDefiningOp<tensor::PadOp>()) {
    if (!pad.hasZeroLowPad())
      return failure();
    return trace(pad.getSource());
  }
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getSourceType().getRank() != slice.getType().getRank() ||
      !slice.hasUnitStride())
    return failure();
  FailureOr<GlobalView> view = trace(slice.getSource());
  if (failed(view))
    return failure();
  for (auto [sum, offset] :
       llvm::zip_equal(view->offsets, slice.getMixedOffsets())) {
    if (isZeroInteger(offset))
      continue;
    Value added = isa<Attribute>(offset)
                      ? index(loc, *getConstantIntValue(offset))
                      : mapping.lookup(cast<Value>(offset));
    sum = arith::AddIOp::create(b, loc, sum, added);
  }
  return view;
}

Value TileProgram::readTile(Location loc, const GlobalView &view,
                            int64_t rowDim, int64_t rows, int64_t columns) {
  auto memref = cast<MemRefType>(view.memref.getType());
  IntegerAttr dim;
  if (rowDim != memref.getRank() - 2)
    dim = b.getI64IntegerAttr(rowDim);
  auto tile = attn_gpu::TileType::get(rows, columns, memref.getElementType());
  return attn_gpu::ReadOp::create(b, loc, tile, view.memref, view.offsets, dim);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

LogicalResult TileProgram::convert(scf::ForallOp loop, ValueRange outputs) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    LogicalResult converted =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](NeutralOp neutral) {
              convertNeutral(neutral);
              return success();
            })
            .Case([&](WalkOp walk) { return convertWalk(walk); })
            .Case([&](FinalizeOp end) { return convertFinalize(end); })
            // Looked through where they are used.
            .Case<tensor::ExtractSliceOp, tensor::PadOp, tensor::EmptyOp>(
                [](Operation *) { return success(); })
            .Default([&](Operation *other) { return convertScalar(other); });
    if (failed(converted))
      return failure();
  }
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (failed(convertInsert(cast<tensor::ParallelInsertSliceOp>(op), outputs)))
      return failure();
  return success();
}

LogicalResult TileProgram::convertScalar(Operation *op) {
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (Value memref = mapping.lookupOrNull(dim.getSource());
        memref && isa<MemRefType>(memref.getType())) {
      mapping.map(dim.getResult(),
                  memref::DimOp::create(b, dim.getLoc(), memref,
                                        mapping.lookup(dim.getIndex()))
                      .getResult());
      return success();
    }
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (!isPure(op) || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getResultTypes(), isScalar) ||
      !llvm::all_of(op->getOperandTypes(), isScalar))
    return op->emitError("no kernel can hold this operation");
  b.clone(*op, mapping);
  return success();
}

/// The state of a warpgroup's rows: what `m`, `l` and `acc` are in registers.
static SmallVector<VectorType> getStateTypes(OpBuilder &b, Value acc) {
  auto tensor = cast<RankedTensorType>(acc.getType());
  constexpr int64_t rows = attn_gpu::AttnGPUDialect::kFragmentRows;
  return {VectorType::get({rows, 1}, b.getF32Type()),
          VectorType::get({rows, 4}, b.getF32Type()),
          VectorType::get({rows, tensor.getShape().back()}, b.getF32Type())};
}

void TileProgram::convertNeutral(NeutralOp op) {
  SmallVector<VectorType> types = getStateTypes(b, op.getAcc());
  const float values[] = {-std::numeric_limits<float>::infinity(), 0, 0};
  for (auto [result, type, value] :
       llvm::zip_equal(op.getResults(), types, values))
    mapping.map(result, arith::ConstantOp::create(
                            b, op.getLoc(),
                            DenseElementsAttr::get(
                                type, Attribute(b.getF32FloatAttr(value))))
                            .getResult());
}

namespace {
/// The tiles of a walk's segments, the last first, as steps of one loop.
///
/// Where a segment evaluates the mask there is at least one step, so that what
/// follows may count on it: a walk that sees nothing visits one tile whose keys
/// the mask hides, all of them.
class SegmentSteps {
public:
  /// `hasValid`: the mask hides keys beyond the extent.
  SegmentSteps(OpBuilder &b, WalkOp walk, IRMapping &mapping, bool hasValid)
      : b(b), loc(walk.getLoc()) {
    Value zero = index(0), one = index(1);
    Value visible = zero;
    SmallVector<Value> ends;
    unsigned hiding = walk.getSegments().size();
    for (unsigned n = walk.getSegments().size(); n-- > 0;) {
      auto [begin, end] = walk.getSegmentBounds(n);
      ends.push_back(mapping.lookup(end));
      Value length = arith::MaxSIOp::create(
          b, loc,
          arith::SubIOp::create(b, loc, ends.back(), mapping.lookup(begin)),
          zero);
      visible = arith::AddIOp::create(b, loc, visible, length);
      bool masked = walk.getSegment(n).getTiles() == SegmentClass::Partial;
      if (masked && hiding == walk.getSegments().size())
        hiding = segments.size();
      segments.push_back({/*top=*/{}, /*end=*/length, masked});
    }
    if (hiding < segments.size()) {
      Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         visible, zero);
      // Without `valid` every tile exists, and in none of them a key is
      // visible.
      Value hidden = zero;
      if (hasValid)
        hidden = arith::AddIOp::create(
            b, loc,
            arith::CeilDivSIOp::create(b, loc, mapping.lookup(walk.getExtent()),
                                       index(walk.getTile())),
            one);
      hidden = arith::AddIOp::create(b, loc, hidden, one);
      ends[hiding] =
          arith::SelectOp::create(b, loc, none, hidden, ends[hiding]);
      segments[hiding].end =
          arith::SelectOp::create(b, loc, none, one, segments[hiding].end);
    }
    total = zero;
    for (auto [segment, end] : llvm::zip_equal(segments, ends)) {
      // Tile of step k: end - 1 - (k - steps before).
      segment.top = arith::AddIOp::create(
          b, loc, arith::SubIOp::create(b, loc, end, one), total);
      total = arith::AddIOp::create(b, loc, total, segment.end);
      segment.end = total;
    }
    if (hiding < segments.size())
      total = arith::MaxSIOp::create(b, loc, total, one);
  }

  Value getTotal() { return total; }

  /// The tile that `step` visits.
  Value buildTile(Value step) {
    Value top = select(step, [](const Segment &s) { return s.top; });
    return arith::SubIOp::create(b, loc, top, step);
  }
  /// Whether the mask must be looked at in `step`.
  Value buildMasked(Value step) {
    return select(step, [&](const Segment &s) -> Value {
      return arith::ConstantIntOp::create(b, loc, b.getI1Type(), s.masked);
    });
  }

private:
  struct Segment {
    Value top, end;
    bool masked;
  };

  Value index(int64_t n) { return arith::ConstantIndexOp::create(b, loc, n); }

  Value select(Value step, llvm::function_ref<Value(const Segment &)> get) {
    Value chosen = get(segments.back());
    for (const Segment &segment :
         llvm::reverse(ArrayRef(segments).drop_back())) {
      Value isBefore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             step, segment.end);
      chosen = arith::SelectOp::create(b, loc, isBefore, get(segment), chosen);
    }
    return chosen;
  }

  OpBuilder &b;
  Location loc;
  SmallVector<Segment> segments;
  Value total;
};
} // namespace

LogicalResult TileProgram::convertWalk(WalkOp op) {
  Location loc = op.getLoc();
  // No query tile sees a key.
  if (op.getSegments().empty()) {
    for (auto [result, init] : llvm::zip_equal(op.getResults(), op.getInits()))
      mapping.map(result, mapping.lookup(init));
    return success();
  }
  PartialOp partial;
  for (Operation &inner : op.getBody().front()) {
    auto found = dyn_cast<PartialOp>(inner);
    if (found && partial)
      return found.emitOpError("a kernel takes one in a walk");
    if (found)
      partial = found;
  }
  if (!partial)
    return op.emitOpError("expected an attn.partial in its body");
  for (Attribute segment : op.getSegments())
    if (cast<SegmentAttr>(segment).getKind() != SegmentKind::Range)
      return partial.emitOpError(
          "has no kernel:\n  a list of key tiles: expected ranges");

  schedule = op->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
  FailureOr<Value> read = readQueries(partial);
  if (failed(read))
    return failure();
  queries = *read;

  SegmentSteps steps(b, op, mapping, partial.getValid() != nullptr);
  Value zero = index(loc, 0), one = index(loc, 1);
  Value tile = index(loc, op.getTile());
  SmallVector<Value> inits;
  for (Value init : op.getInits())
    inits.push_back(mapping.lookup(init));
  LogicalResult converted = success();
  auto loop = scf::ForOp::create(
      b, loc, zero, steps.getTotal(), one, inits,
      [&](OpBuilder &, Location, Value step, ValueRange states) {
        Value start =
            arith::MulIOp::create(b, loc, steps.buildTile(step), tile);
        Value left = arith::SubIOp::create(
            b, loc, mapping.lookup(op.getExtent()), start);
        mapping.map(op.getStart(), start);
        mapping.map(op.getValid(),
                    arith::MinSIOp::create(b, loc, left, tile).getResult());
        mapping.map(op.getMasked(), steps.buildMasked(step));
        mapping.map(
            op.getBody().getArguments().drop_front(WalkOp::kNumTileArguments),
            states);
        for (Operation &inner : op.getBody().front().without_terminator()) {
          if (isa<tensor::ExtractSliceOp, tensor::PadOp>(inner))
            continue;
          if (auto partial = dyn_cast<PartialOp>(inner))
            converted = convertPartial(partial);
          else
            converted = convertScalar(&inner);
          if (failed(converted))
            break;
        }
        SmallVector<Value> yielded;
        if (succeeded(converted))
          for (Value value :
               op.getBody().front().getTerminator()->getOperands())
            yielded.push_back(mapping.lookup(value));
        scf::YieldOp::create(b, loc, yielded);
      });
  if (failed(converted))
    return failure();
  mapping.map(op.getResults(), loop.getResults());
  return success();
}

LogicalResult TileProgram::convertFinalize(FinalizeOp op) {
  Location loc = op.getLoc();
  if (op.getSinks())
    return op.emitOpError("has no kernel:\n  'sinks': expected none");
  Value m = mapping.lookup(op.getM()), acc = mapping.lookup(op.getAcc());
  Value l = attn_gpu::RowReduceOp::create(b, loc, m.getType(),
                                          vector::CombiningKind::ADD,
                                          mapping.lookup(op.getL()));
  ElementBuilder e(b, loc);
  RowEnd end(e, m, l, /*sink=*/{});
  auto type = cast<VectorType>(acc.getType());
  Value factor = broadcast(loc, end.buildFactor(), type.getShape());
  Value out =
      RowEnd::buildOut(e, acc, factor, broadcast(loc, l, type.getShape()));
  Type element = op.getOut().getType().getElementType();
  mapping.map(
      op.getOut(),
      arith::TruncFOp::create(b, loc, type.clone(element), out).getResult());
  if (op.getLse())
    mapping.map(op.getLse(), end.buildLse());
  return success();
}

LogicalResult TileProgram::convertInsert(tensor::ParallelInsertSliceOp op,
                                         ValueRange outputs) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  if (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = slice.getSource();
  Value value = mapping.lookupOrNull(source);
  auto argument = dyn_cast<BlockArgument>(op.getDest());
  auto loop = dyn_cast<scf::ForallOp>(op->getParentOp()->getParentOp());
  auto finalize = source.getDefiningOp<FinalizeOp>();
  if (!value || !argument || !loop || !finalize)
    return op.emitOpError("expected a result of attn.finalize");
  Value output =
      outputs[argument.getArgNumber() - loop.getInductionVars().size()];

  bool isRow = source == finalize.getLse();
  int64_t rowDim = 3;
  if (!isRow) {
    auto dim = b.getAffineDimExpr(PartialOp::Query);
    rowDim = *finalize.getOutLayout().getResultPosition(dim);
  }
  SmallVector<Value> offsets;
  for (OpFoldResult offset : op.getMixedOffsets())
    offsets.push_back(isa<Attribute>(offset)
                          ? index(loc, *getConstantIntValue(offset))
                          : mapping.lookup(cast<Value>(offset)));
  offsets[rowDim] =
      arith::AddIOp::create(b, loc, offsets[rowDim], getWarpgroupRow(loc));
  if (isRow)
    offsets.push_back(index(loc, 0));
  auto memref = cast<MemRefType>(output.getType());
  IntegerAttr dim;
  if (rowDim != memref.getRank() - 2)
    dim = b.getI64IntegerAttr(rowDim);
  attn_gpu::WriteOp::create(b, loc, value, output, offsets, dim);
  return success();
}
