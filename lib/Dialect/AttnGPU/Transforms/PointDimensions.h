//===- PointDimensions.h - What depends on where a block works --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dimensions of a work loop's points a value depends on.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_POINTDIMENSIONS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_POINTDIMENSIONS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::attn_gpu::detail {

/// A bit for each extent of `work`: whether `value`, in its body, depends on
/// that induction variable, loops and conditions that make it included.
llvm::BitVector findPointDimensions(WorkLoopOp work, Value value);

} // namespace mlir::attn_gpu::detail

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_POINTDIMENSIONS_H
