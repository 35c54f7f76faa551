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

} // namespace mlir::attn::sm90

#endif // ATTN_SUPPORT_SM90_H
