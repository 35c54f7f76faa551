//===- MicroKernel.cpp - register block shapes ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search over the few register blocks that divide a tile.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/MicroKernel.h"
#include <algorithm>

using namespace mlir::attn;

/// Multiply-adds in flight that keep two pipelines of latency four busy.
static constexpr int64_t kLatencyAccumulators = 8;

/// More rows than this only lengthen the code: the scalar loads dominate.
static constexpr int64_t kMaxRows = 16;

int64_t VectorRegisters::lanes(int64_t elementBits, int64_t extent) const {
  int64_t lanes = std::max<int64_t>(bits / elementBits, 1);
  while (lanes > 1 && extent % lanes != 0)
    lanes /= 2;
  return lanes;
}

MicroKernel MicroKernel::choose(const VectorRegisters &registers,
                                int64_t elementBits, int64_t rowExtent,
                                int64_t columnExtent) {
  MicroKernel best;
  best.lanes = registers.lanes(elementBits, columnExtent);
  int64_t columns = columnExtent / best.lanes;
  double bestCost = -1.0;
  for (int64_t rows = 1; rows <= std::min(rowExtent, kMaxRows); ++rows) {
    if (rowExtent % rows != 0)
      continue;
    for (int64_t vectors = 1; vectors <= columns; ++vectors) {
      if (columns % vectors != 0 ||
          rows * vectors + vectors + 1 > registers.count())
        continue;
      int64_t accumulators = rows * vectors;
      double cost = double(rows + vectors) / double(accumulators);
      if (accumulators < kLatencyAccumulators)
        cost *= double(kLatencyAccumulators) / double(accumulators);
      if (bestCost >= 0.0 && cost >= bestCost)
        continue;
      bestCost = cost;
      best.rows = rows;
      best.vectors = vectors;
    }
  }
  return best;
}
