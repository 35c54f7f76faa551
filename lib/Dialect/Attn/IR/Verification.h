//===- Verification.h - Checks that several operations share ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of masks, captures and regions shared by attn.attention and
// attn.partial. Private to the dialect's library.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_VERIFICATION_H
#define ATTN_LIB_DIALECT_ATTN_IR_VERIFICATION_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"

namespace mlir::attn::detail {

/// Extents that operands name, by dimension of an operation's domain. The first
/// operand with a static extent fixes it; later ones must agree.
class DomainExtents {
public:
  DomainExtents(Faults &faults, ArrayRef<StringRef> dimensionNames)
      : faults(faults), names(dimensionNames),
        known(dimensionNames.size(), {ShapedType::kDynamic, ""}) {}

  /// States that `operand` has `extent` in domain dimension `dim`.
  void set(unsigned dim, int64_t extent, StringRef operand);
  /// The same for every dimension of a tensor laid out by `map`.
  void set(AffineMap map, RankedTensorType type, StringRef operand);

  int64_t get(unsigned dim) const { return known[dim].first; }

private:
  Faults &faults;
  ArrayRef<StringRef> names;
  SmallVector<std::pair<int64_t, StringRef>> known;
};

/// What a tensor's elements may be.
enum class Elements : uint8_t { F32, Float, I32 };

/// Checks that `value` is a ranked tensor without encoding of such elements, of
/// rank `rank` if that is not negative. A null value is none that is wrong.
bool requireTensor(Faults &faults, Value value, const Twine &name,
                   Elements elements, int64_t rank = -1);

/// The same for the operands or results that `values` are, by `names`.
void requireTensors(Faults &faults, ValueRange values,
                    ArrayRef<StringRef> names, Elements elements);

/// Checks one region with its captures: `what` is "score" or "visible",
/// `leading` the types of the arguments before the captures.
void verifyRegion(Faults &faults, StringRef what, Region &region,
                  ValueRange captures, std::optional<ArrayAttr> maps,
                  ArrayRef<Type> leading, Type yielded, DomainExtents &extents,
                  unsigned numDims);

/// Checks that exactly the operands that `mask` needs are there.
void verifyMaskOperands(Faults &faults, Attribute mask, Region &visible,
                        Value qIds, Value kvIds, Value prefix);

/// The one of `known`, which are not none, that is spelt most like `name`.
StringRef findNearest(StringRef name, ArrayRef<StringRef> known);

/// Checks that every attribute of `op`, a registered operation, is one of its
/// own or begins with the name of a dialect.
void verifyDiscardableAttributes(Faults &faults, Operation *op);

/// Checks that `scale` is finite and positive.
void verifyScale(Faults &faults, double scale);

} // namespace mlir::attn::detail

#endif // ATTN_LIB_DIALECT_ATTN_IR_VERIFICATION_H
