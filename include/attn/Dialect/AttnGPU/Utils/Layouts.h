//===- Layouts.h - Where elements stand -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps from the elements of vectors to threads and registers, from the
// elements of tiles to shared memory, and from tiles to the operands of matrix
// instructions. Plain arithmetic: lowering and tests share it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_UTILS_LAYOUTS_H
#define ATTN_DIALECT_ATTNGPU_UTILS_LAYOUTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Row and column of an element.
struct Position {
  int64_t row, column;
  bool operator==(const Position &other) const {
    return row == other.row && column == other.column;
  }
};

/// How the elements of a vector are spread over the 128 threads of a
/// warpgroup: (thread, element of the thread) to (row, column). Separable:
///
///   position(thread, i) = position(thread, 0) + position(0, i)
///
/// so code computes the first term once, and the second is a constant.
class RegisterLayout {
public:
  /// `columns` is that of the vector's type.
  RegisterLayout(Layout layout, int64_t columns)
      : layout(layout), columns(columns) {}
  /// `type` has a layout.
  explicit RegisterLayout(VectorType type)
      : RegisterLayout(*getLayout(type), type.getDimSize(1)) {}

  /// Elements of one thread.
  int64_t getNumElements() const;

  /// Where element `element` of `thread` stands. A dimension along which the
  /// value is the same has position 0.
  Position getPosition(int64_t thread, int64_t element) const;

  /// The element of the thread's vector<64x1> that a fragment's `element`
  /// shares its row with.
  static int64_t getRowElement(int64_t element) { return element / 2 % 2; }

  /// The element of the thread's vector<1xN> that a fragment's `element` shares
  /// its column with.
  static int64_t getColumnElement(int64_t element) {
    return element / 4 * 2 + element % 2;
  }

private:
  Layout layout;
  int64_t columns;
};

/// Where the elements of a tile stand in shared memory, in bytes from its
/// start; the start is a multiple of 1024. See `!attn_gpu.tile`.
class TileLayout {
public:
  static constexpr int64_t kChunkBytes = 16;
  /// Rows after which the swizzle repeats.
  static constexpr int64_t kSwizzleRows = TileType::kSwizzleRows;
  static constexpr int64_t kElementBytes = 2;
  static constexpr int64_t kChunkColumns = kChunkBytes / kElementBytes;
  static constexpr int64_t kPanelChunks =
      TileType::kPanelRowBytes / kChunkBytes;

  explicit TileLayout(TileType type)
      : rows(type.getRows()), columns(type.getColumns()),
        panelRows(type.getPanelRows()) {}
  TileLayout(int64_t rows, int64_t columns, int64_t panelRows)
      : rows(rows), columns(columns), panelRows(panelRows) {}

  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }
  /// Bytes between panels of 64 columns.
  int64_t getPanelBytes() const { return panelRows * TileType::kPanelRowBytes; }
  /// Chunks of 16 bytes in a row.
  int64_t getRowChunks() const { return columns / kChunkColumns; }

  /// Where chunk `chunk` of `row` stands.
  int64_t getChunkOffset(int64_t row, int64_t chunk) const;
  /// Where the element stands.
  int64_t getElementOffset(int64_t row, int64_t column) const;

private:
  int64_t rows, columns, panelRows;
};

/// A tile as A or B of `wgmma`, walked in steps of 16 along the contracted
/// dimension (PTX ISA, asynchronous warpgroup level matrix instructions: matrix
/// descriptor, strides).
class MatrixOperand {
public:
  /// Contracted elements of a step.
  static constexpr int64_t kStep = 16;

  /// `rowsContracted`: the contracted dimension runs along the tile's rows, so
  /// the other one is contiguous ("MN-major", the transposed form of `wgmma`).
  MatrixOperand(TileLayout tile, bool rowsContracted)
      : tile(tile), rowsContracted(rowsContracted) {}

  bool isTransposed() const { return rowsContracted; }
  int64_t getNumSteps() const {
    return (rowsContracted ? tile.getRows() : tile.getColumns()) / kStep;
  }
  /// Bytes from the start of the tile to that of `step`.
  int64_t getStepOffset(int64_t step) const;
  /// Bytes between groups of elements, see the PTX ISA.
  int64_t getLeadingByteOffset() const;
  int64_t getStrideByteOffset() const;
  /// The descriptor without its address.
  uint64_t getDescriptorBits() const;

  /// The descriptor's field for the byte address `address` in shared memory.
  static uint64_t encodeAddress(uint64_t address) {
    return address >> 4 & 0x3FFF;
  }

private:
  TileLayout tile;
  bool rowsContracted;
};

/// Which row and chunk each lane of a warp names when `ldmatrix.x4` or
/// `stmatrix.x4` moves step `step` (16 columns) of 64 rows: the registers are
/// then elements 8 step .. 8 step + 7 of the lane's fragment, in pairs.
struct MatrixLane {
  int64_t row;   ///< Of the warp's 16 rows.
  int64_t chunk; ///< Of the tile's row.

  static MatrixLane get(int64_t lane, int64_t step) {
    return {lane % 16, 2 * step + lane / 16};
  }
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_UTILS_LAYOUTS_H
