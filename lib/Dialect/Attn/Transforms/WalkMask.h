//===- WalkMask.h - The mask of a walk as an expression ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the mask of the attn.partial in a walk as a MaskExpr, and makes the
// values that the expression names stand before the walk.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_WALKMASK_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_WALKMASK_H

#include "attn/Analysis/IRArith.h"
#include "attn/Analysis/MaskExpr.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// `value` as it is before `walk`: what computes it in the body is moved out.
/// Null if it depends on the step or is computed with effects.
Value hoistOutOfWalk(RewriterBase &rewriter, WalkOp walk, Value value);

/// `mask` as an expression; `convertOther` says what parts are that need more
/// than the attribute: documents, regions, prefixes as operands.
MaskExpr convertMask(Attribute mask,
                     llvm::function_ref<MaskExpr(Attribute)> convertOther);

/// Something of a mask that is not understood.
struct OpaquePart {
  Location loc;
  std::string what;
};

class WalkMask {
public:
  /// `tile` is the attn.partial of `walk`, with `rows` rows; `keyOrigin` the
  /// position of the walk's first key. Both stand before the walk.
  WalkMask(RewriterBase &rewriter, WalkOp walk, PartialOp tile,
           OpFoldResult rows, OpFoldResult keyOrigin);

  /// All keys if the tile has no mask. Emits before the walk.
  MaskExpr build();

  /// Values of the uniforms that the expression names.
  ArrayRef<IRArith::Value> getUniforms() const { return uniforms; }
  ArrayRef<OpaquePart> getOpaqueParts() const { return opaqueParts; }

private:
  MaskExpr convert(Attribute mask);
  MaskExpr convertPrefix();
  MaskExpr convertDocuments();
  MaskExpr convertRegion();

  MaskExpr opaque(Location loc, const Twine &what);
  /// Whether the tile has one index in dimension `dim`.
  bool isSingle(unsigned dim);
  /// Names `value`, of type index, in expressions.
  UniformSum addUniform(IRArith::Value value);
  /// The only element of `tensor` as an index; null if it cannot stand before
  /// the walk.
  Value readElement(Value tensor);
  /// What the region receives for capture `n`, as an index, if it is the same
  /// for the whole tile; else null.
  Value getUniformCapture(unsigned n);

  RewriterBase &rewriter;
  Location loc;
  WalkOp walk;
  PartialOp tile;
  OpFoldResult rows, keyOrigin;
  SmallVector<IRArith::Value> uniforms;
  SmallVector<OpaquePart> opaqueParts;
};

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_WALKMASK_H
