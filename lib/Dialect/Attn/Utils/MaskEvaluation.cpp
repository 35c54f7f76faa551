//===- MaskEvaluation.cpp - Whether a query sees a key --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns masks and regions into operations on scalars, masks also on vectors.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Utils/MaskEvaluation.h"
#include "attn/Dialect/Attn/Utils/SafeDivision.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

/// Keeps the indices of `extract` inside the tensor's extents. A tensor without
/// elements is read at its first place in memory, which callers provide.
static void clampIndices(OpBuilder &b, tensor::ExtractOp extract) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(extract);
  Location loc = extract.getLoc();
  Value tensor = extract.getTensor();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(tensor::DimOp::create(b, loc, tensor, axis));
  // Of one axis alone the clamp below makes 0 in any case.
  Value isEmpty;
  if (type.getRank() > 1)
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      if (!type.isDynamicDim(axis) && type.getDimSize(axis) != 0)
        continue;
      Value none =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, extent, zero);
      isEmpty = isEmpty ? arith::OrIOp::create(b, loc, isEmpty, none) : none;
    }
  for (auto [index, extent] :
       llvm::zip_equal(extract.getIndicesMutable(), extents)) {
    Value last = arith::SubIOp::create(b, loc, extent, one);
    if (isEmpty)
      last = arith::SelectOp::create(b, loc, isEmpty, zero, last);
    Value clamped = arith::MinSIOp::create(b, loc, index.get(), last);
    index.set(arith::MaxSIOp::create(b, loc, clamped, zero));
  }
}

/// Clones the body of `region` for `arguments`; returns what it yields. The
/// clone is fit for any position: reads of captured tensors are kept inside
/// their extents, and no division traps.
static Value inlineRegion(OpBuilder &b, Location loc, Region &region,
                          ArrayRef<Value> arguments) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping)->walk([&](Operation *clone) {
      if (auto extract = dyn_cast<tensor::ExtractOp>(clone))
        clampIndices(b, extract);
      else
        makeDivisionSafe(b, clone);
    });
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

namespace {
class MaskBuilder {
public:
  MaskBuilder(OpBuilder &b, Location loc, const QueryKey &at, Region &visible,
              ValueRange captures)
      : b(b), loc(loc), at(at), visible(visible), captures(captures) {}

  Value build(Attribute mask) {
    return llvm::TypeSwitch<Attribute, Value>(mask)
        .Case([&](CausalAttr) {
          return compare(arith::CmpIPredicate::sle, at.keyPosition,
                         at.queryPosition);
        })
        .Case([&](WindowAttr window) {
          return buildWindow(window.getLeft(), window.getRight());
        })
        .Case([&](WindowSizeAttr window) {
          return buildWindow(window.getSize() - 1, 0);
        })
        .Case([&](PrefixAttr prefix) {
          Value length = prefix.getLength()
                             ? constant(std::min(*prefix.getLength(), getFar()))
                             : arith::IndexCastOp::create(
                                   b, loc, b.getIndexType(), at.prefix)
                                   .getResult();
          return compare(arith::CmpIPredicate::slt, at.keyPosition, length);
        })
        .Case([&](ChunkedAttr chunked) {
          int64_t size = std::min(chunked.getSize(), getFar());
          auto chunkOf = [&](Value position) -> Value {
            return arith::FloorDivSIOp::create(b, loc, position,
                                               constant(size, position));
          };
          Value ofQuery = chunkOf(at.queryPosition);
          return compare(arith::CmpIPredicate::eq, ofQuery,
                         chunkOf(at.keyPosition));
        })
        .Case([&](DocumentsAttr) {
          return compare(arith::CmpIPredicate::eq, at.queryId, at.keyId);
        })
        .Case([&](RegionMaskAttr) {
          SmallVector<Value> arguments = {at.batch, at.head, at.queryPosition,
                                          at.keyPosition};
          llvm::append_range(arguments, captures);
          return inlineRegion(b, loc, visible, arguments);
        })
        .Case([&](AndAttr all) { return join<arith::AndIOp>(all.getParts()); })
        .Case([&](OrAttr any) { return join<arith::OrIOp>(any.getParts()); });
  }

private:
  /// A constant of the type of `like`, by default that of key positions.
  Value constant(int64_t n, Value like = {}) {
    Type type = (like ? like : at.keyPosition).getType();
    TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), n);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, attr);
    return arith::ConstantOp::create(b, loc, attr);
  }

  /// Takes vectors of rows and of columns to their common shape.
  void meet(Value &x, Value &y) {
    auto xType = dyn_cast<VectorType>(x.getType());
    auto yType = dyn_cast<VectorType>(y.getType());
    if (!xType || !yType || xType == yType)
      return;
    SmallVector<int64_t> shape;
    for (auto [xSize, ySize] :
         llvm::zip_equal(xType.getShape(), yType.getShape()))
      shape.push_back(std::max(xSize, ySize));
    auto common = VectorType::get(shape, xType.getElementType());
    x = vector::BroadcastOp::create(b, loc, common, x);
    y = vector::BroadcastOp::create(b, loc, common, y);
  }

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    meet(x, y);
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }

  /// Beyond every position, and so that no sum with one wraps around: positions
  /// of type index are below 2^40, of i32 below 2^30.
  int64_t getFar() {
    Type element = getElementTypeOrSelf(at.keyPosition.getType());
    return int64_t(1) << (element.isInteger(32) ? 30 : 61);
  }

  Value buildWindow(std::optional<int64_t> left, std::optional<int64_t> right) {
    auto shift = [&](int64_t by) {
      return constant(std::min(by, getFar()), at.queryPosition);
    };
    Value inside;
    if (left)
      inside = compare(
          arith::CmpIPredicate::sge, at.keyPosition,
          arith::SubIOp::create(b, loc, at.queryPosition, shift(*left)));
    if (right) {
      Value before = compare(
          arith::CmpIPredicate::sle, at.keyPosition,
          arith::AddIOp::create(b, loc, at.queryPosition, shift(*right)));
      inside = inside ? arith::AndIOp::create(b, loc, inside, before) : before;
    }
    return inside;
  }

  template <typename JoinOp>
  Value join(ArrayRef<Attribute> parts) {
    Value joined;
    for (Attribute part : parts) {
      Value next = build(part);
      if (joined) {
        meet(joined, next);
        next = JoinOp::create(b, loc, joined, next);
      }
      joined = next;
    }
    return joined;
  }

  OpBuilder &b;
  Location loc;
  const QueryKey &at;
  Region &visible;
  ValueRange captures;
};
} // namespace

Value attn::buildIsVisible(OpBuilder &b, Location loc, Attribute mask,
                           const QueryKey &at, Region &visible,
                           ValueRange captures) {
  return MaskBuilder(b, loc, at, visible, captures).build(mask);
}

Value attn::buildScore(OpBuilder &b, Location loc, Value score,
                       const QueryKey &at, Region &region,
                       ValueRange captures) {
  SmallVector<Value> arguments = {score, at.batch, at.head, at.queryPosition,
                                  at.keyPosition};
  llvm::append_range(arguments, captures);
  return inlineRegion(b, loc, region, arguments);
}
