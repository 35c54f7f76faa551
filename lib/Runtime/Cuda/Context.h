//===- Context.h - What is known of a CUDA context --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts and memory that belong to one context. They are found by the context's
// number, which the driver never gives twice, since the address of a destroyed
// context may be that of a new one.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_CUDA_CONTEXT_H
#define ATTN_LIB_RUNTIME_CUDA_CONTEXT_H

#include "Cuda/Driver.h"

#include <atomic>

namespace attn {
namespace rt {
namespace cuda {

/// How many streams of a context may have a counter of their own.
constexpr int kCounterSlots = 1024;
/// Apart, so that atomics on two of them do not meet in a cache line.
constexpr int kCounterBytes = 128;

struct ContextState {
  unsigned long long id;
  Context handle;
  int device;
  int capability;
  int smCount;
  int sharedBytes;
  ContextState *next;

  /// A hash table: the streams by number + 1, 0 being a free place. The counter
  /// of place i is the i-th of the memory at `counters`.
  std::atomic<unsigned long long> streams[kCounterSlots];
  std::atomic<DevicePtr> counters; // 0: not allocated yet
};

/// Fills `capability`, `smCount` and `sharedBytes` from the device's
/// attributes.
Result queryDevice(const Driver &driver, Device device, int &capability,
                   int &smCount, int &sharedBytes);

} // namespace cuda
} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_CUDA_CONTEXT_H
