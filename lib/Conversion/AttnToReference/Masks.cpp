//===- Masks.cpp - Masks of the reference, point by point -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the definition of each mask for one query and one key. No analysis of
// ranges or tiles is made here.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

namespace {
class MaskEmitter {
public:
  MaskEmitter(ImplicitLocOpBuilder &b, const Buffers &buffers, const Point &at,
              ReferencePrecision precision)
      : b(b), buffers(buffers), at(at), precision(precision) {}

  Value emit(Attribute mask) {
    return llvm::TypeSwitch<Attribute, Value>(mask)
        .Case([&](CausalAttr) { return lessEqual(at.r, at.p); })
        .Case([&](WindowAttr w) { return window(w.getLeft(), w.getRight()); })
        .Case([&](WindowSizeAttr w) { return window(w.getSize() - 1, 0); })
        .Case([&](PrefixAttr prefix) { return emitPrefix(prefix); })
        .Case([&](ChunkedAttr c) {
          Value ofP = chunk(at.p, c.getSize()), ofR = chunk(at.r, c.getSize());
          return compare(arith::CmpIPredicate::eq, ofP, ofR);
        })
        .Case([&](DocumentsAttr) {
          Value ofI = documentOf(buffers.getOp().getQIds(), at.storedI);
          Value ofJ = documentOf(buffers.getOp().getKvIds(), at.storedJ);
          return compare(arith::CmpIPredicate::eq, ofI, ofJ);
        })
        .Case([&](RegionMaskAttr) {
          return emitVisibleRegion(b, buffers, at, precision);
        })
        .Case([&](AndAttr all) { return fold<arith::AndIOp>(all.getParts()); })
        .Case([&](OrAttr any) { return fold<arith::OrIOp>(any.getParts()); });
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value lessEqual(Value x, Value y) {
    return compare(arith::CmpIPredicate::sle, x, y);
  }

  /// Differences, not sums with a bound: a bound may be as large as int64.
  Value window(std::optional<int64_t> left, std::optional<int64_t> right) {
    Value visible;
    if (left) {
      Value back = arith::SubIOp::create(b, at.p, at.r);
      visible = lessEqual(back, constant(*left));
    }
    if (!right)
      return visible;
    Value ahead = arith::SubIOp::create(b, at.r, at.p);
    ahead = lessEqual(ahead, constant(*right));
    return visible ? arith::AndIOp::create(b, visible, ahead) : ahead;
  }

  Value emitPrefix(PrefixAttr prefix) {
    Value length;
    if (std::optional<int64_t> n = prefix.getLength())
      length = constant(*n);
    else
      length = arith::IndexCastOp::create(
          b, b.getIndexType(),
          memref::LoadOp::create(b, buffers.get(buffers.getOp().getPrefix()),
                                 at.b));
    return compare(arith::CmpIPredicate::slt, at.r, length);
  }

  /// floor(position / size), which for a negative position is not what the
  /// hardware's division gives: -1 - (-1 - position) / size.
  Value chunk(Value position, int64_t size) {
    Value minusOne = constant(-1), divisor = constant(size);
    Value negative = compare(arith::CmpIPredicate::slt, position, constant(0));
    Value mirrored = arith::SubIOp::create(b, minusOne, position);
    Value dividend = arith::SelectOp::create(b, negative, mirrored, position);
    Value quotient = arith::DivSIOp::create(b, dividend, divisor);
    return arith::SelectOp::create(
        b, negative, arith::SubIOp::create(b, minusOne, quotient), quotient);
  }

  /// The ids of packed operands are one row over all segments.
  Value documentOf(Value ids, Value stored) {
    Value row = buffers.getOp().isPacked() ? constant(0) : at.b;
    return memref::LoadOp::create(b, buffers.get(ids), ValueRange{row, stored});
  }

  template <typename Op>
  Value fold(ArrayRef<Attribute> parts) {
    Value visible = emit(parts.front());
    for (Attribute part : parts.drop_front())
      visible = Op::create(b, visible, emit(part));
    return visible;
  }

  ImplicitLocOpBuilder &b;
  const Buffers &buffers;
  const Point &at;
  ReferencePrecision precision;
};
} // namespace

Value reference::emitVisible(ImplicitLocOpBuilder &b, const Buffers &buffers,
                             const Point &point, ReferencePrecision precision) {
  Attribute mask = buffers.getOp().getMaskAttr();
  if (!mask)
    return arith::ConstantOp::create(b, b.getBoolAttr(true));
  return MaskEmitter(b, buffers, point, precision).emit(mask);
}
