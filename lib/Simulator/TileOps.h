//===- TileOps.h - Tiles as operations use them -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations on tiles share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_TILEOPS_H
#define ATTN_LIB_SIMULATOR_TILEOPS_H

#include "Agent.h"

namespace mlir::attn::sim {

/// Reads the box of `rows` x `columns` elements at `offsets`, rows along
/// `rowDimension`, to `elements`, row-major; 0 outside the tensor. False if one
/// of them was written in this launch.
bool readBox(const TensorView &tensor, ArrayRef<int64_t> offsets,
             int64_t rowDimension, int64_t rows, int64_t columns,
             MutableArrayRef<float> elements);

/// The reverse, for `agent`. Reports, at `op`, if another one has written one
/// of the elements.
Outcome writeBox(Agent &agent, Operation *op, TensorView &tensor,
                 ArrayRef<int64_t> offsets, int64_t rowDimension, int64_t rows,
                 int64_t columns, const std::vector<float> &elements);

/// Reports, at `op`, if `agent` may not read `tile` now.
LogicalResult checkTile(Agent &agent, Operation *op, TileRef tile);

/// The elements of a tile, row-major.
std::vector<float> loadTile(TileRef tile, attn_gpu::TileType type);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_TILEOPS_H
