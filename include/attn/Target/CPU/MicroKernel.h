//===- MicroKernel.h - register block shapes --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses how many rows and vectors of a contraction's result are kept in
// vector registers at once. Plain arithmetic, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_MICROKERNEL_H
#define ATTN_TARGET_CPU_MICROKERNEL_H

#include <cstdint>

namespace mlir::attn {

/// The vector registers of a CPU.
struct VectorRegisters {
  /// Width of one register in bits: 128, 256 or 512.
  int64_t bits = 256;

  /// Number of architectural registers: x86 has 32 with AVX-512, else 16.
  int64_t count() const { return bits >= 512 ? 32 : 16; }

  /// The largest power of two of `elementBits` wide lanes that fits a register
  /// and divides `extent`; 1 if `extent` is odd.
  int64_t lanes(int64_t elementBits, int64_t extent) const;
};

/// A block of `rows` x (`vectors` * `lanes`) elements of a contraction's
/// result. One step of the reduction loads `vectors` vectors and `rows`
/// scalars, and does `rows` * `vectors` multiply-adds.
struct MicroKernel {
  int64_t rows = 1;
  int64_t vectors = 1;
  int64_t lanes = 1;

  int64_t accumulators() const { return rows * vectors; }

  /// The block for a result of `rowExtent` x `columnExtent` elements of
  /// `elementBits` bits. `rows` divides `rowExtent` and `vectors` * `lanes`
  /// divides `columnExtent`, so that no remainder loop is needed; the
  /// accumulators, one row of vectors and one broadcast fit the registers. Of
  /// the blocks that do, the one with the fewest loads per multiply-add is
  /// taken, counting blocks with too few accumulators to hide the latency of a
  /// multiply-add as if they were that much slower. `rowExtent` of 1 means that
  /// no rows can be blocked.
  static MicroKernel choose(const VectorRegisters &registers,
                            int64_t elementBits, int64_t rowExtent,
                            int64_t columnExtent);
};

} // namespace mlir::attn

#endif // ATTN_TARGET_CPU_MICROKERNEL_H
