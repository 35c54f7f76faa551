//===- Regions.cpp - Score and mask regions of the reference --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a user's region for one query and one key. In f64 every f32 of the
// region becomes f64; casts to narrower types stay roundings.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "attn/Dialect/Attn/Utils/SafeDivision.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

Value reference::castFloat(ImplicitLocOpBuilder &b, Value value, Type to,
                           arith::RoundingModeAttr rounding) {
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  // In two steps: LLVM takes bf16 to f64 by a function of its own libraries.
  if (from < 32 && width > 32)
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  if (width > from)
    return arith::ExtFOp::create(b, to, value);
  if (from > 32 && width < 32)
    value = castFloat(b, value, b.getF32Type(), rounding);
  return arith::TruncFOp::create(b, to, value, rounding,
                                 /*fastmath=*/nullptr);
}

namespace {
class RegionCopier {
public:
  RegionCopier(ImplicitLocOpBuilder &b, const Buffers &buffers, const Point &at,
               ReferencePrecision precision)
      : b(b), buffers(buffers), at(at), precision(precision) {}

  /// `leading` are the values of the first arguments.
  Value copy(Region &region, ValueRange leading, OperandRange captures,
             std::optional<ArrayAttr> maps) {
    Block &block = region.front();
    map.map(block.getArguments().take_front(leading.size()), leading);
    auto args = block.getArguments().drop_front(leading.size());
    for (auto [n, arg, capture] : llvm::enumerate(args, captures)) {
      AffineMap place = cast<AffineMapAttr>((*maps)[n]).getValue();
      Value value = buffers.get(capture);
      if (place.getNumResults() != 0)
        value = loadCapture(value, place);
      map.map(arg, widen(value));
    }
    for (Operation &op : block.without_terminator())
      copy(op);
    return map.lookup(cast<YieldOp>(block.getTerminator()).getValues().front());
  }

private:
  Type convert(Type type) {
    return precision == ReferencePrecision::F64 && type.isF32() ? b.getF64Type()
                                                                : type;
  }
  Value widen(Value value) {
    Type type = convert(value.getType());
    return type == value.getType() ? value : castFloat(b, value, type);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  /// The element of a capture that its map names.
  Value loadCapture(Value buffer, AffineMap place) {
    Value point[] = {at.b, at.h, at.storedI, at.storedJ};
    SmallVector<Value> indices;
    for (AffineExpr expr : place.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      indices.push_back(dim ? point[dim.getPosition()] : constant(0));
    }
    return memref::LoadOp::create(b, buffer, indices);
  }

  /// An element of a tensor passed whole, indices clamped into its extents; of
  /// one without elements that at its first place, which is 0.
  void copy(tensor::ExtractOp op) {
    Value buffer = map.lookup(op.getTensor());
    Value elements = constant(1);
    for (size_t axis = 0; axis < op.getIndices().size(); ++axis)
      elements = arith::MulIOp::create(b, elements,
                                       memref::DimOp::create(b, buffer, axis));
    Value isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, elements,
                                          constant(0));
    SmallVector<Value> indices;
    for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
      Value extent = memref::DimOp::create(b, buffer, axis);
      Value last = arith::SubIOp::create(b, extent, constant(1));
      Value capped = arith::MinSIOp::create(b, map.lookup(index), last);
      Value inside = arith::MaxSIOp::create(b, capped, constant(0));
      indices.push_back(
          arith::SelectOp::create(b, isEmpty, constant(0), inside));
    }
    map.map(op.getResult(), widen(memref::LoadOp::create(b, buffer, indices)));
  }

  void copy(arith::ConstantOp op) {
    TypedAttr value = op.getValue();
    if (auto number = dyn_cast<FloatAttr>(value);
        number && convert(op.getType()) != op.getType())
      value = b.getF64FloatAttr(number.getValue().convertToDouble());
    map.map(op.getResult(), arith::ConstantOp::create(b, value));
  }

  /// Bits have their meaning at the user's width only.
  void copy(arith::BitcastOp op) {
    Value in = map.lookup(op.getIn());
    if (isa<FloatType>(op.getIn().getType()))
      in = castFloat(b, in, op.getIn().getType());
    map.map(op.getResult(),
            widen(arith::BitcastOp::create(b, op.getType(), in)));
  }

  void copy(Operation &op) {
    OpBuilder::InsertionGuard guard(b);
    b.setLoc(op.getLoc());
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return copy(extract);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return copy(constant);
    if (auto bitcast = dyn_cast<arith::BitcastOp>(op))
      return copy(bitcast);
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      map.map(dim.getResult(),
              Value(memref::DimOp::create(b, map.lookup(dim.getSource()),
                                          map.lookup(dim.getIndex()))));
      return;
    }
    if (auto ext = dyn_cast<arith::ExtFOp>(op)) {
      map.map(ext.getResult(),
              castFloat(b, map.lookup(ext.getIn()), convert(ext.getType())));
      return;
    }
    if (auto trunc = dyn_cast<arith::TruncFOp>(op)) {
      map.map(trunc.getResult(),
              castFloat(b, map.lookup(trunc.getIn()), convert(trunc.getType()),
                        trunc.getRoundingmodeAttr()));
      return;
    }
    if (op.getName().getDialectNamespace() == "math")
      return copyFunction(op);
    copyGeneric(op);
  }

  /// A function is computed in f64 and rounded to its type: the reference must
  /// not know what a target makes of it in f32 or narrower.
  void copyFunction(Operation &op) {
    IRMapping wide = map;
    for (Value operand : op.getOperands())
      if (Value value = map.lookup(operand); isa<FloatType>(value.getType()))
        wide.map(operand, castFloat(b, value, b.getF64Type()));
    Operation *copied = b.insert(op.cloneWithoutRegions(wide));
    dropFastMath(copied);
    for (auto [from, to] :
         llvm::zip_equal(op.getResults(), copied->getResults())) {
      Type type = convert(to.getType());
      if (!isa<FloatType>(type)) {
        map.map(from, to);
        continue;
      }
      to.setType(b.getF64Type());
      map.map(from, castFloat(b, to, type));
    }
  }

  void dropFastMath(Operation *op) {
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
      op->setAttr(fast.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(b.getContext(),
                                                arith::FastMathFlags::none));
  }

  /// Any other operation: its f32 operands are f64 already, so are its results.
  void copyGeneric(Operation &op) {
    Operation *copied = b.insert(op.cloneWithoutRegions(map));
    for (auto [from, to] :
         llvm::zip_equal(op.getResults(), copied->getResults())) {
      to.setType(convert(to.getType()));
      map.map(from, to);
    }
    dropFastMath(copied);
    makeDivisionSafe(b, copied);
    for (auto [from, to] :
         llvm::zip_equal(op.getRegions(), copied->getRegions())) {
      for (Block &block : from) {
        Block *target = b.createBlock(&to);
        for (BlockArgument arg : block.getArguments())
          map.map(arg,
                  target->addArgument(convert(arg.getType()), arg.getLoc()));
        for (Operation &nested : block)
          copy(nested);
      }
    }
    b.setInsertionPointAfter(copied);
  }

  ImplicitLocOpBuilder &b;
  const Buffers &buffers;
  const Point &at;
  ReferencePrecision precision;
  IRMapping map;
};
} // namespace

/// Whether the operation is one that RegionCopier gives its right meaning.
static bool isSupportedInRegion(Operation &op) {
  auto isWholeCapture = [](Value tensor) {
    auto arg = dyn_cast<BlockArgument>(tensor);
    return arg && isa<AttentionOp>(arg.getOwner()->getParentOp());
  };
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isWholeCapture(extract.getTensor()) && isScalar(extract.getType());
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return isWholeCapture(dim.getSource());
  StringRef dialect = op.getName().getDialectNamespace();
  return llvm::is_contained({"arith", "math", "index", "scf", "affine"},
                            dialect) &&
         llvm::all_of(op.getOperandTypes(), isScalar) &&
         llvm::all_of(op.getResultTypes(), isScalar);
}

LogicalResult reference::checkRegions(AttentionOp attention) {
  bool ok = true;
  for (Region *region : {&attention.getScore(), &attention.getVisible()})
    region->walk([&](Operation *op) {
      if (isa<YieldOp>(op) || isSupportedInRegion(*op))
        return;
      op->emitOpError()
          << "is not lowered by the reference in a region of attn.attention; "
             "expected arith, math, index, scf or affine operations on "
             "scalars, "
             "tensor.extract or tensor.dim of a tensor passed whole, got "
          << op->getOperandTypes() << " -> " << op->getResultTypes();
      ok = false;
    });
  return success(ok);
}

Value reference::emitScore(ImplicitLocOpBuilder &b, const Buffers &buffers,
                           const Point &at, Value score,
                           ReferencePrecision precision) {
  AttentionOp op = buffers.getOp();
  if (op.getScore().empty())
    return score;
  return RegionCopier(b, buffers, at, precision)
      .copy(op.getScore(), {score, at.b, at.h, at.p, at.r},
            op.getScoreCaptures(), op.getScoreMaps());
}

Value reference::emitVisibleRegion(ImplicitLocOpBuilder &b,
                                   const Buffers &buffers, const Point &at,
                                   ReferencePrecision precision) {
  AttentionOp op = buffers.getOp();
  return RegionCopier(b, buffers, at, precision)
      .copy(op.getVisible(), {at.b, at.h, at.p, at.r}, op.getMaskCaptures(),
            op.getMaskMaps());
}
