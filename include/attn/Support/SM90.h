//===- SM90.h - What a thread block may have on sm_90 -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of the chip that schedules, passes on kernels and lowering share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_SM90_H
#define ATTN_SUPPORT_SM90_H

#include <cstdint>

namespace mlir::attn::sm90 {

/// Bytes of shared memory that a thread block may have (CUDA C++ Programming
/// Guide, compute capabilities: 227 KB).
inline constexpr int64_t kMaxSharedBytes = 232448;
/// What of it schedules give to tiles: the rest is for barriers and points.
inline constexpr int64_t kMaxTileBytes = kMaxSharedBytes - 1024;
/// Warpgroups of a thread block: 1024 threads.
inline constexpr int64_t kMaxWarpgroups = 8;
/// Registers that a thread's instructions can name.
inline constexpr int64_t kMaxNamedRegisters = 255;

/// Registers that a thread of each role may use.
struct RoleRegisters {
  int64_t producer, consumer;
};

/// The split that leaves the producer what its loops need and divides the rest
/// among `consumers` warpgroups, one or more.
inline RoleRegisters chooseRegisters(int64_t consumers) {
  // A multiprocessor has 65536 registers. A producer's loops need few, but the
  // unit is 8, and a spill in one delays everybody.
  switch (consumers) {
  case 1:
    return {56, 256};
  case 2:
    return {40, 232};
  case 3:
    return {32, 160};
  default:
    // Threads start with equal parts, in that unit; what is left over is lost.
    int64_t groups = consumers + 1;
    int64_t all = 512 / groups / 8 * 8 * groups;
    return {24, (all - 24) / consumers / 8 * 8};
  }
}

} // namespace mlir::attn::sm90

#endif // ATTN_SUPPORT_SM90_H
