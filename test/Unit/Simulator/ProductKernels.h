//===- ProductKernels.h - Products without attention ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Synchronous kernels of one matrix product and of two in a chain: the passes
// know nothing of attention.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_SIMULATOR_PRODUCTKERNELS_H
#define ATTN_TEST_UNIT_SIMULATOR_PRODUCTKERNELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <string>

namespace mlir::attn::sim {

/// C[m, n] = A[m, k] B[k, n]; a block has 128 x 128 of C.
inline constexpr char kProduct[] = R"mlir(
!in = memref<?x?xbf16, strided<[?, 1]>>
!out = memref<?x?xf32, strided<[?, 1]>>
attn_gpu.kernel @product(%a: !in, %b: !in, %c: !out) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %m = memref.dim %c, %c0 : !out
  %n = memref.dim %c, %c1 : !out
  %k = memref.dim %a, %c1 : !in
  %ms = arith.ceildivui %m, %c128 : index
  %ns = arith.ceildivui %n, %c128 : index
  %ks = arith.ceildivui %k, %c64 : index
  attn_gpu.work_loop (%i, %j) in (%ms, %ns) {
    %row = arith.muli %i, %c128 : index
    %column = arith.muli %j, %c128 : index
    %w = attn_gpu.warpgroup_index
    %first = arith.muli %w, %c64 : index
    %sum = scf.for %l = %c0 to %ks step %c1 iter_args(%acc = %zero)
        -> (vector<64x128xf32>) {
      %at = arith.muli %l, %c64 : index
      %a_tile = attn_gpu.read %a[%row, %at] : !in
          -> !attn_gpu.tile<128x64xbf16>
      %b_tile = attn_gpu.read %b[%at, %column] : !in
          -> !attn_gpu.tile<64x128xbf16>
      %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<128x64xbf16>
          -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
      %started = attn_gpu.mma %mine, %b_tile acc %acc
          : !attn_gpu.tile<64x64xbf16, panel_rows = 128>,
            !attn_gpu.tile<64x128xbf16> -> vector<64x128xf32>
      %next = attn_gpu.mma_wait %started : vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %to = arith.addi %row, %first : index
    attn_gpu.write %sum to %c[%to, %column] : vector<64x128xf32>, !out
  }
  attn_gpu.return
}
)mlir";

/// D[m, 64] = (A[m, 64] B[n, 64]^T) C[n, 64], with the first product rounded to
/// bf16; a block has 128 rows.
inline constexpr char kChain[] = R"mlir(
!in = memref<?x64xbf16, strided<[?, 1]>>
!out = memref<?x64xf32, strided<[?, 1]>>
attn_gpu.kernel @chain(%a: !in, %b: !in, %c: !in, %d: !out) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %m = memref.dim %a, %c0 : !in
  %n = memref.dim %b, %c0 : !in
  %ms = arith.ceildivui %m, %c128 : index
  %ns = arith.ceildivui %n, %c64 : index
  attn_gpu.work_loop (%i) in (%ms) {
    %row = arith.muli %i, %c128 : index
    %w = attn_gpu.warpgroup_index
    %first = arith.muli %w, %c64 : index
    %a_tile = attn_gpu.read %a[%row, %c0] : !in -> !attn_gpu.tile<128x64xbf16>
    %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<128x64xbf16>
        -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    %sum = scf.for %l = %c0 to %ns step %c1 iter_args(%acc = %zero)
        -> (vector<64x64xf32>) {
      %at = arith.muli %l, %c64 : index
      %b_tile = attn_gpu.read %b[%at, %c0] : !in -> !attn_gpu.tile<64x64xbf16>
      %c_tile = attn_gpu.read %c[%at, %c0] : !in -> !attn_gpu.tile<64x64xbf16>
      %s_started = attn_gpu.mma %mine, %b_tile transpose_b
          : !attn_gpu.tile<64x64xbf16, panel_rows = 128>,
            !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
      %s = attn_gpu.mma_wait %s_started : vector<64x64xf32>
      %p = arith.truncf %s : vector<64x64xf32> to vector<64x64xbf16>
      %started = attn_gpu.mma %p, %c_tile acc %acc
          : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
      %next = attn_gpu.mma_wait %started : vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    %to = arith.addi %row, %first : index
    attn_gpu.write %sum to %d[%to, %c0] : vector<64x64xf32>, !out
  }
  attn_gpu.return
}
)mlir";

/// The chain with one step at least: where there is no row of B and C, that of
/// a tile of zeros.
inline std::string getChainOfSteps() {
  std::string text = kChain;
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    size_t at = text.find(from);
    if (at == std::string::npos)
      llvm::report_fatal_error("the chain has other lines");
    text.replace(at, from.size(), to);
  };
  replace("  attn_gpu.work_loop",
          "  %some = arith.maxsi %ns, %c1 : index\n  attn_gpu.work_loop");
  replace("to %ns step", "to %some step");
  return text;
}

} // namespace mlir::attn::sim

#endif // ATTN_TEST_UNIT_SIMULATOR_PRODUCTKERNELS_H
