//===- CountTiles.h - Counting visited key tiles ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a program count the key tiles that it visits.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_COUNTTILES_H
#define ATTN_LIB_TOOLS_RUN_COUNTTILES_H

#include "attn/Tools/Run/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include <atomic>

namespace mlir::attn::run {

/// What walks add to while a program runs, from any thread.
struct TileCounter {
  std::atomic<int64_t> visited{0}, full{0}, all{0};

  TileCounts get() const { return {visited, full, all}; }
  void reset() { visited = full = all = 0; }
};

/// The function that a counting program calls, by this name.
constexpr StringRef kCountTilesSymbol = "attn_run_count_tiles";
void countTiles(TileCounter *counter, int64_t visited, int64_t full,
                int64_t all);

/// Makes every attn.walk in `module`, which is at the iteration level, add its
/// tiles to `counter` before it runs. The address of `counter` becomes part of
/// the program. Entries of an index list count as visited tiles.
void insertTileCounts(ModuleOp module, TileCounter *counter);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_COUNTTILES_H
