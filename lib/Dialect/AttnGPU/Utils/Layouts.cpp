//===- Layouts.cpp - Where elements stand ---------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Register layouts, the swizzle, matrix descriptors.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Utils/Layouts.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// RegisterLayout
//===----------------------------------------------------------------------===//

int64_t RegisterLayout::getNumElements() const {
  switch (layout) {
  case Layout::Fragment:
    return columns / 2;
  case Layout::RowPartials:
  case Layout::RowValues:
    return 2;
  case Layout::ColumnValues:
    return columns / 4;
  }
  llvm_unreachable("all layouts are listed");
}

Position RegisterLayout::getPosition(int64_t thread, int64_t element) const {
  int64_t warp = thread / 32, lane = thread % 32;
  int64_t row = 16 * warp + lane / 4;
  switch (layout) {
  case Layout::Fragment:
    return {row + 8 * getRowElement(element),
            8 * (element / 4) + 2 * (lane % 4) + element % 2};
  case Layout::RowPartials:
    return {row + 8 * element, lane % 4};
  case Layout::RowValues:
    return {row + 8 * element, 0};
  case Layout::ColumnValues:
    return {0, 8 * (element / 2) + 2 * (lane % 4) + element % 2};
  }
  llvm_unreachable("all layouts are listed");
}

//===----------------------------------------------------------------------===//
// TileLayout
//===----------------------------------------------------------------------===//

int64_t TileLayout::getChunkOffset(int64_t row, int64_t chunk) const {
  int64_t place = (chunk ^ row) % kPanelChunks;
  return chunk / kPanelChunks * getPanelBytes() +
         row * TileType::kPanelRowBytes + place * kChunkBytes;
}

int64_t TileLayout::getElementOffset(int64_t row, int64_t column) const {
  return getChunkOffset(row, column / kChunkColumns) +
         column % kChunkColumns * kElementBytes;
}

//===----------------------------------------------------------------------===//
// MatrixOperand
//===----------------------------------------------------------------------===//

int64_t MatrixOperand::getStepOffset(int64_t step) const {
  if (rowsContracted)
    return step * kStep * TileType::kPanelRowBytes;
  constexpr int64_t kPanelSteps = TileType::kPanelColumns / kStep;
  return step / kPanelSteps * tile.getPanelBytes() +
         step % kPanelSteps * kStep * TileLayout::kElementBytes;
}

int64_t MatrixOperand::getLeadingByteOffset() const {
  // Between panels, if they are walked inside an instruction; else not used.
  return rowsContracted ? tile.getPanelBytes() : TileLayout::kChunkBytes;
}

int64_t MatrixOperand::getStrideByteOffset() const {
  // Between groups of 8 rows, in both forms.
  return TileLayout::kSwizzleRows * TileType::kPanelRowBytes;
}

uint64_t MatrixOperand::getDescriptorBits() const {
  // PTX ISA, "Matrix Descriptor Format": bits 16-29 leading and 32-45 stride
  // byte offset, both in units of 16 bytes; 62-63: 1 for the 128-byte swizzle.
  constexpr uint64_t kSwizzle128B = 1;
  return encodeAddress(getLeadingByteOffset()) << 16 |
         encodeAddress(getStrideByteOffset()) << 32 | kSwizzle128B << 62;
}
