//===- PartialOperands.h - What attn.partial reads along a loop -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operands of an attn.partial have an axis for one of its loops: what
// slices or pads a loop must not forget one.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_PARTIALOPERANDS_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_PARTIALOPERANDS_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Operands of `op` that are read along loop `dim`, each with the axis that
/// belongs to it: of q, k, v, captures and ids. States are not among them.
SmallVector<std::pair<OpOperand *, unsigned>> getOperandsAlong(PartialOp op,
                                                               unsigned dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_PARTIALOPERANDS_H
