//===- SafeDivision.h - Divisions that do not trap --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score and mask regions are evaluated at positions that the user's own guard
// may hide, padding included, and without branches. What a division by zero
// yields there is nobody's concern; that the processor traps is.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_UTILS_SAFEDIVISION_H
#define ATTN_DIALECT_ATTN_UTILS_SAFEDIVISION_H

#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// If `op` is an integer division or remainder of scalars whose divisor is not
/// a constant that rules it out, makes it divide by 1 where it would trap: by
/// 0, and where the least signed number meets -1. Other operations, and those
/// nested in `op`, are left alone.
void makeDivisionSafe(OpBuilder &b, Operation *op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_UTILS_SAFEDIVISION_H
