//===- EscapingBuffers.h - buffers that outlive their block -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes that decide who frees a buffer share. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_CPU_ESCAPINGBUFFERS_H
#define ATTN_LIB_TARGET_CPU_ESCAPINGBUFFERS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Marks an allocation whose buffer leaves its block and is freed by who gets
/// it.
constexpr llvm::StringLiteral kOwnedAttrName = "attn.owned";

/// A terminator that takes `buffer`, or what may be a view of it, out of its
/// block; null if there is none.
Operation *findEscape(Value buffer);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_CPU_ESCAPINGBUFFERS_H
