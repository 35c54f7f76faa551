//===- LayoutsTest.cpp - Where elements stand -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks every map exhaustively: each element once, and the maps of registers,
// shared memory and matrix instructions against each other.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
constexpr int64_t kThreads = AttnGPUDialect::kWarpgroupThreads;

/// How often each position is held.
std::map<std::pair<int64_t, int64_t>, int64_t>
countHolders(const RegisterLayout &layout) {
  std::map<std::pair<int64_t, int64_t>, int64_t> holders;
  for (int64_t thread = 0; thread < kThreads; ++thread)
    for (int64_t i = 0; i < layout.getNumElements(); ++i) {
      Position at = layout.getPosition(thread, i);
      ++holders[{at.row, at.column}];
    }
  return holders;
}

void expectBox(const RegisterLayout &layout, int64_t rows, int64_t columns,
               int64_t copies) {
  auto holders = countHolders(layout);
  EXPECT_EQ(holders.size(), static_cast<size_t>(rows * columns));
  for (auto [at, count] : holders) {
    EXPECT_TRUE(at.first >= 0 && at.first < rows) << at.first;
    EXPECT_TRUE(at.second >= 0 && at.second < columns) << at.second;
    EXPECT_EQ(count, copies) << at.first << ", " << at.second;
  }
}

TEST(RegisterLayout, FragmentHoldsEachElementOnce) {
  for (int64_t columns = 8; columns <= 256; columns += 8)
    expectBox({Layout::Fragment, columns}, 64, columns, 1);
}

TEST(RegisterLayout, RowPartialsHoldEachElementOnce) {
  expectBox({Layout::RowPartials, 4}, 64, 4, 1);
}

TEST(RegisterLayout, RowValuesAreTheSameInAQuad) {
  expectBox({Layout::RowValues, 1}, 64, 1, 4);
}

TEST(RegisterLayout, ColumnValuesAreTheSameInEachRowOfThreads) {
  for (int64_t columns = 8; columns <= 256; columns += 8)
    expectBox({Layout::ColumnValues, columns}, 1, columns, 32);
}

TEST(RegisterLayout, IsSeparable) {
  for (RegisterLayout layout : {RegisterLayout(Layout::Fragment, 80),
                                RegisterLayout(Layout::RowPartials, 4),
                                RegisterLayout(Layout::RowValues, 1),
                                RegisterLayout(Layout::ColumnValues, 80)})
    for (int64_t thread = 0; thread < kThreads; ++thread)
      for (int64_t i = 0; i < layout.getNumElements(); ++i) {
        Position base = layout.getPosition(thread, 0);
        Position step = layout.getPosition(0, i);
        EXPECT_EQ(layout.getPosition(thread, i),
                  (Position{base.row + step.row, base.column + step.column}));
      }
}

TEST(RegisterLayout, BroadcastsKeepRowsAndColumns) {
  RegisterLayout fragment(Layout::Fragment, 256);
  RegisterLayout rows(Layout::RowValues, 1), columns(Layout::ColumnValues, 256);
  RegisterLayout partials(Layout::RowPartials, 4);
  for (int64_t thread = 0; thread < kThreads; ++thread)
    for (int64_t i = 0; i < fragment.getNumElements(); ++i) {
      Position at = fragment.getPosition(thread, i);
      int64_t row = RegisterLayout::getRowElement(i);
      EXPECT_EQ(rows.getPosition(thread, row).row, at.row);
      EXPECT_EQ(partials.getPosition(thread, row).row, at.row);
      EXPECT_EQ(partials.getPosition(thread, row).column, at.column / 2 % 4);
      EXPECT_EQ(columns.getPosition(thread, RegisterLayout::getColumnElement(i))
                    .column,
                at.column);
    }
}

/// Tiles and parts of tiles: rows, columns, rows from panel to panel.
const TileLayout kTiles[] = {{8, 64, 8},      {64, 64, 64},    {64, 64, 128},
                             {128, 64, 128},  {64, 128, 192},  {80, 256, 80},
                             {128, 192, 128}, {256, 256, 256}, {16, 128, 24}};

TEST(TileLayout, GivesEachElementItsPlace) {
  for (const TileLayout &tile : kTiles) {
    std::set<int64_t> offsets;
    for (int64_t row = 0; row < tile.getRows(); ++row)
      for (int64_t column = 0; column < tile.getColumns(); ++column) {
        int64_t offset = tile.getElementOffset(row, column);
        EXPECT_TRUE(offsets.insert(offset).second) << row << ", " << column;
        EXPECT_EQ(offset % 2, 0);
        // Inside its panel's row.
        EXPECT_EQ(offset / 128, column / 64 * tile.getPanelBytes() / 128 + row);
      }
    EXPECT_LE(*offsets.rbegin(), tile.getPanelBytes() * tile.getColumns() / 64);
  }
}

TEST(TileLayout, ColumnsOfChunksUseAllBanks) {
  // Eight rows of one chunk, what a matrix instruction reads at once, stand in
  // eight different groups of four banks.
  TileLayout tile(64, 128, 64);
  for (int64_t row = 0; row < 64; row += 8)
    for (int64_t chunk = 0; chunk < 16; ++chunk) {
      std::set<int64_t> banks;
      for (int64_t i = 0; i < 8; ++i)
        banks.insert(tile.getChunkOffset(row + i, chunk) / 16 % 8);
      EXPECT_EQ(banks.size(), 8u);
    }
}

/// The address that the hardware forms for element (`mn`, `k`) of a step, by
/// the canonical layouts of the PTX ISA for the 128-byte swizzle. `start` is
/// relative to a multiple of 1024, as the swizzle takes bits of the address.
int64_t getHardwareOffset(uint64_t descriptor, int64_t start, bool transposed,
                          int64_t mn, int64_t k) {
  int64_t leading = (descriptor >> 16 & 0x3FFF) << 4;
  int64_t stride = (descriptor >> 32 & 0x3FFF) << 4;
  int64_t linear = transposed ? start + mn / 64 * leading + k / 8 * stride +
                                    k % 8 * 128 + mn % 64 * 2
                              : start + mn / 8 * stride + mn % 8 * 128 + k * 2;
  return linear ^ (linear >> 7 & 7) << 4;
}

TEST(MatrixOperand, FindsEachElementWhereTheTileHasIt) {
  for (const TileLayout &tile : kTiles)
    for (bool transposed : {false, true}) {
      MatrixOperand operand(tile, transposed);
      uint64_t bits = operand.getDescriptorBits();
      EXPECT_EQ(bits & 0xFFFF, 0u);
      EXPECT_EQ(bits >> 62, 1u);
      int64_t extent = transposed ? tile.getColumns() : tile.getRows();
      for (int64_t step = 0; step < operand.getNumSteps(); ++step)
        for (int64_t mn = 0; mn < extent; ++mn)
          for (int64_t k = 0; k < MatrixOperand::kStep; ++k) {
            int64_t contracted = step * MatrixOperand::kStep + k;
            ASSERT_EQ(getHardwareOffset(bits, operand.getStepOffset(step),
                                        transposed, mn, k),
                      transposed ? tile.getElementOffset(contracted, mn)
                                 : tile.getElementOffset(mn, contracted));
          }
    }
}

TEST(MatrixOperand, EncodesAddresses) {
  EXPECT_EQ(MatrixOperand::encodeAddress(0), 0u);
  EXPECT_EQ(MatrixOperand::encodeAddress(1024), 64u);
  EXPECT_EQ(MatrixOperand::encodeAddress(232448 - 16), 14527u);
}

TEST(MatrixLane, FillsFragments) {
  // Matrix m of ldmatrix.x4 is named by lanes 8m .. 8m + 7; lane l gets
  // columns 2 (l mod 4) and the next of row l / 4 of each (PTX ISA, ldmatrix).
  RegisterLayout fragment(Layout::Fragment, 128);
  for (int64_t step = 0; step < 8; ++step)
    for (int64_t thread = 0; thread < kThreads; ++thread)
      for (int64_t matrix = 0; matrix < 4; ++matrix)
        for (int64_t i = 0; i < 2; ++i) {
          int64_t lane = thread % 32;
          MatrixLane source = MatrixLane::get(8 * matrix + lane / 4, step);
          Position at = {thread / 32 * 16 + source.row,
                         source.chunk * 8 + lane % 4 * 2 + i};
          EXPECT_EQ(fragment.getPosition(thread, 8 * step + 2 * matrix + i),
                    at);
        }
}
} // namespace
