//===- IRArith.h - The interval analysis as IR ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic policy (IntArith.h) that emits `arith` operations on `index`.
// Constants stay attributes until an operation needs them, and an expression
// that was emitted before is used again: equal bounds are then the same value,
// which is how the analysis sees that a slot never holds a tile.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_IRARITH_H
#define ATTN_ANALYSIS_IRARITH_H

#include "attn/Analysis/IntArith.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <map>

namespace mlir::attn {

class IRArith {
public:
  /// An `index` value, or an attribute if it is constant.
  using Value = OpFoldResult;

  /// What `known` may say of two values that are neither equal nor constant.
  /// Nothing; or what upstream's value bounds prove from the operations that
  /// compute them, which takes time and needs these interfaces registered.
  enum class Proofs : uint8_t { None, ValueBounds };

  /// Emits at the insertion point of `builder`, which must stay in one block
  /// and behind what was emitted before, for as long as this object is used.
  /// The operations emitted are `arith` ones, of them `floordivsi`, `ceildivsi`
  /// and `ceildivui` need upstream's `arith-expand` before the conversion to
  /// LLVM.
  IRArith(OpBuilder &builder, Location loc, Proofs proofs = Proofs::None)
      : builder(builder), loc(loc), proofs(proofs) {}

  /// `value` (of type `index`) as the analysis takes it; a value that is
  /// defined by a constant becomes an attribute.
  static Value get(OpFoldResult value);
  /// The other way: a constant is materialised.
  mlir::Value materialize(Value value);

  Value constant(int64_t value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, int64_t factor);
  Value min(Value a, Value b);
  Value max(Value a, Value b);
  Value floorDiv(Value a, int64_t divisor);
  Value ceilDiv(Value a, int64_t divisor);
  Value divDown(Value a, int64_t divisor);
  Value divUp(Value a, int64_t divisor);
  Value select(Order order, Value a, Value b, Value ifTrue, Value ifFalse);
  std::optional<bool> known(Order order, Value a, Value b);

private:
  enum class Code {
    Constant,
    Add,
    Sub,
    Mul,
    Min,
    Max,
    FloorDiv,
    CeilDiv,
    DivDown,
    DivUp,
    LessThan,
    AtMost,
    Select
  };
  using Emit = llvm::function_ref<mlir::Value()>;

  /// The value emitted before for the same operands, else a new one.
  mlir::Value reuse(Code code, llvm::ArrayRef<mlir::Value> operands,
                    int64_t number, Emit emit);
  template <typename Op>
  Value binary(Code code, Value a, Value b);

  OpBuilder &builder;
  Location loc;
  Proofs proofs;
  std::map<std::tuple<Code, std::vector<void *>, int64_t>, mlir::Value> emitted;
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_IRARITH_H
