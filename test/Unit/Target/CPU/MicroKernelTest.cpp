//===- MicroKernelTest.cpp - register block shapes ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The block divides the tile, fits the registers, and is the known best for
// common tiles.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/MicroKernel.h"
#include <gtest/gtest.h>

using namespace mlir::attn;

TEST(MicroKernel, Lanes) {
  EXPECT_EQ(VectorRegisters{512}.lanes(32, 64), 16);
  EXPECT_EQ(VectorRegisters{512}.lanes(32, 40), 8);
  EXPECT_EQ(VectorRegisters{256}.lanes(16, 64), 16);
  EXPECT_EQ(VectorRegisters{256}.lanes(32, 7), 1);
}

TEST(MicroKernel, CommonTiles) {
  MicroKernel wide = MicroKernel::choose(VectorRegisters{512}, 32, 64, 64);
  EXPECT_EQ(wide.rows, 4);
  EXPECT_EQ(wide.vectors, 4);
  EXPECT_EQ(wide.lanes, 16);
  MicroKernel narrow = MicroKernel::choose(VectorRegisters{256}, 32, 64, 64);
  EXPECT_EQ(narrow.accumulators(), 8);
  EXPECT_EQ(narrow.lanes, 8);
}

TEST(MicroKernel, DividesAndFits) {
  for (int64_t bits : {128, 256, 512})
    for (int64_t rows = 1; rows <= 130; ++rows)
      for (int64_t columns = 1; columns <= 260; ++columns) {
        VectorRegisters registers{bits};
        MicroKernel kernel = MicroKernel::choose(registers, 32, rows, columns);
        ASSERT_EQ(rows % kernel.rows, 0);
        ASSERT_EQ(columns % (kernel.vectors * kernel.lanes), 0);
        ASSERT_LE(kernel.lanes * 32, bits);
        ASSERT_LE(kernel.accumulators() + kernel.vectors + 1,
                  registers.count());
      }
}
