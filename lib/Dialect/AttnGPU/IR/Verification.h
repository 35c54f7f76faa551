//===- Verification.h - Constraints that operations share -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations on tensors, and those on fragments of tiles, have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_IR_VERIFICATION_H
#define ATTN_LIB_DIALECT_ATTNGPU_IR_VERIFICATION_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu::detail {

/// C1, C2 and C4 of `attn_gpu.read`, for the tensor that `op` calls `name`.
LogicalResult verifyAccess(Operation *op, StringRef name, MemRefType tensor,
                           size_t offsets, int64_t rowDim);

/// C6 of `attn_gpu.ring_fill`, as far as `offsets`, one for each dimension of
/// `tensor`, are constants.
LogicalResult verifyCopiedColumns(Operation *op, MemRefType tensor,
                                  OperandRange offsets);

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// What `attn_gpu.read` and `attn_gpu.ring_fill` do to memory.
void addCopyEffects(OpOperand &source, Effects &effects);

/// C1 of `attn_gpu.load_fragment`.
LogicalResult verifyFragmentOfTile(Operation *op, TileType tile,
                                   VectorType fragment);

} // namespace mlir::attn_gpu::detail

#endif // ATTN_LIB_DIALECT_ATTNGPU_IR_VERIFICATION_H
