//===- Reference.h - Parts of the reference lowering ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of the reference lowering share. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOREFERENCE_REFERENCE_H
#define ATTN_LIB_CONVERSION_ATTNTOREFERENCE_REFERENCE_H

#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn::reference {

/// One query and one key. All values are of index type.
struct Point {
  Value b, h;             ///< Batch (or segment) and query head.
  Value p, r;             ///< Positions: what masks and regions see.
  Value storedI, storedJ; ///< Where query and key are stored: what the maps
                          ///< of captures and document ids speak of.
};

/// The buffers that stand for the tensors of one attn.attention.
class Buffers {
public:
  Buffers(AttentionOp op, const IRMapping &mapping) : op(op), map(mapping) {}
  AttentionOp getOp() const { return op; }
  /// The buffer of a tensor operand, or the value itself of a scalar.
  Value get(Value operand) const { return map.lookupOrDefault(operand); }

private:
  AttentionOp op;
  const IRMapping &map;
};

/// `value` as a number of float type `to`: exact if `to` is wider. A narrowing
/// from f64 to less than f32 rounds to f32 first, as the user's f32 program
/// does, and as every target can.
Value castFloat(ImplicitLocOpBuilder &b, Value value, Type to,
                arith::RoundingModeAttr rounding = {});

/// Emits whether `point` is visible under the operation's mask: an i1.
Value emitVisible(ImplicitLocOpBuilder &b, const Buffers &buffers,
                  const Point &point, ReferencePrecision precision);

/// Reports operations of the regions of `op` that cannot be lowered (C1).
LogicalResult checkRegions(AttentionOp op);

/// Emits the score region on `score`, or `score` itself without a region.
Value emitScore(ImplicitLocOpBuilder &b, const Buffers &buffers,
                const Point &point, Value score, ReferencePrecision precision);

/// Emits the mask region: an i1.
Value emitVisibleRegion(ImplicitLocOpBuilder &b, const Buffers &buffers,
                        const Point &point, ReferencePrecision precision);

/// Emits the loops of the operation. `out` and `lse` are the buffers to write,
/// null for a result that nobody reads.
void emitAttention(ImplicitLocOpBuilder &b, const Buffers &buffers, Value out,
                   Value lse, ReferencePrecision precision);

/// A new, dense buffer with the elements of `from`, floats, as type `element`.
Value copyBuffer(ImplicitLocOpBuilder &b, Value from, Type element);

/// Lowers one function: its attention, and the types of its results.
class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, ReferencePrecision precision)
      : function(function), precision(precision) {}

  /// Reports everything that cannot be lowered; changes nothing (C1).
  LogicalResult check();
  /// Lowers; only after a successful check.
  void apply();

private:
  void lower(AttentionOp op);
  Value widen(ImplicitLocOpBuilder &b, Value tensor);

  func::FuncOp function;
  ReferencePrecision precision;
  /// The results of attention that were rounded, before they were.
  llvm::DenseMap<Value, Value> exact;
};

} // namespace mlir::attn::reference

#endif // ATTN_LIB_CONVERSION_ATTNTOREFERENCE_REFERENCE_H
