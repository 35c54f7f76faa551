//===- Memory.cpp - Counters and temporary device memory ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch outside of graphs takes the counter of its stream: launches on one
// stream do not overlap. In a graph the counter is memory of the graph. Why no
// two launches that may overlap share one: docs/Rationale/Runtime.md.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include "Cuda/Context.h"
#include "ErrorText.h"

#include <pthread.h>

using namespace attn::rt;
using namespace attn::rt::cuda;

static pthread_mutex_t countersMutex = PTHREAD_MUTEX_INITIALIZER;

static void *toPointer(DevicePtr memory) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(memory));
}

/// Zeroes `memory` now. On a stream of its own: the default one would wait for
/// the caller's work, or fail if that is being captured.
static AttnRtStatus zero(const Driver &driver, DevicePtr memory, size_t words) {
  Stream stream = nullptr;
  if (Result result = driver.StreamCreate(&stream, kStreamNonBlocking))
    return fail(driver, "cuStreamCreate", result, "tile counters");
  const char *function = "cuMemsetD32Async";
  Result result = driver.MemsetD32Async(memory, 0, words, stream);
  if (!result) {
    function = "cuStreamSynchronize";
    result = driver.StreamSynchronize(stream);
  }
  Result destroyed = driver.StreamDestroy(stream);
  if (result)
    return fail(driver, function, result, "tile counters");
  return destroyed ? fail(driver, "cuStreamDestroy", destroyed, "tile counters")
                   : ATTN_RT_OK;
}

/// The memory of the context's counters, allocated and zeroed by whoever comes
/// first.
static AttnRtStatus getCounters(const Driver &driver, ContextState &state,
                                DevicePtr &counters) {
  counters = state.counters.load(std::memory_order_acquire);
  if (counters)
    return ATTN_RT_OK;
  AttnRtStatus status = ATTN_RT_OK;
  RelaxedCapture relaxed(driver);
  pthread_mutex_lock(&countersMutex);
  counters = state.counters.load(std::memory_order_relaxed);
  if (!counters) {
    constexpr size_t bytes = size_t(kCounterSlots) * kCounterBytes;
    if (Result result = driver.MemAlloc(&counters, bytes)) {
      status = fail(driver, "cuMemAlloc", result, "tile counters");
    } else {
      status = zero(driver, counters, bytes / 4);
      if (status)
        driver.MemFree(counters);
      else
        state.counters.store(counters, std::memory_order_release);
    }
  }
  pthread_mutex_unlock(&countersMutex);
  return status;
}

/// The place of a stream in the table, taken if it is new there; -1 if the
/// table is as full as it may get.
static int findSlot(ContextState &state, unsigned long long stream) {
  unsigned long long key = stream + 1;
  // Consecutive numbers would do without hashing; this spreads any others too.
  unsigned start = static_cast<unsigned>(key * 0x9e3779b97f4a7c15ull >> 54);
  static_assert(kCounterSlots == 1 << (64 - 54), "bits of the hash");
  // A bound on the search keeps a miss short and leaves places free.
  for (unsigned probe = 0; probe < 32; ++probe) {
    unsigned slot = (start + probe) % kCounterSlots;
    unsigned long long found =
        state.streams[slot].load(std::memory_order_relaxed);
    if (!found && state.streams[slot].compare_exchange_strong(
                      found, key, std::memory_order_relaxed))
      return static_cast<int>(slot);
    if (found == key)
      return static_cast<int>(slot);
  }
  return -1;
}

AttnRtStatus attn_rt_cuda_allocate(AttnRtCudaCall *call, int64_t bytes,
                                   void **memory) {
  *memory = nullptr;
  if (bytes == 0)
    return ATTN_RT_OK;
  clearErrorText();
  if (bytes < 0) {
    appendErrorText(
        "temporary device memory: expected a number of bytes from 0 "
        "up, got %lld",
        static_cast<long long>(bytes));
    return ATTN_RT_INVALID_VALUE;
  }
  if (call->num_temporaries == ATTN_RT_CUDA_MAX_TEMPORARIES) {
    appendErrorText("temporary device memory: at most %d pieces in a call",
                    ATTN_RT_CUDA_MAX_TEMPORARIES);
    return ATTN_RT_INTERNAL;
  }
  const Driver &driver = *getDriver();
  DevicePtr allocated = 0;
  if (Result result = driver.MemAllocAsync(
          &allocated, static_cast<size_t>(bytes), call->stream)) {
    appendErrorText("%lld bytes of temporary device memory: ",
                    static_cast<long long>(bytes));
    appendFailure(driver, "cuMemAllocAsync", result);
    return statusOf(result);
  }
  *memory = call->temporaries[call->num_temporaries++] = toPointer(allocated);
  return ATTN_RT_OK;
}

/// Memory for the counter alone, zeroed in stream order.
static AttnRtStatus allocateCounter(const Driver &driver,
                                    AttnRtCudaCall *call) {
  void *memory = nullptr;
  if (AttnRtStatus status = attn_rt_cuda_allocate(call, kCounterBytes, &memory))
    return status;
  if (Result result = driver.MemsetD32Async(reinterpret_cast<uintptr_t>(memory),
                                            0, 1, call->stream))
    return fail(driver, "cuMemsetD32Async", result, "tile counter");
  call->counter = memory;
  return ATTN_RT_OK;
}

static AttnRtStatus findCounter(AttnRtCudaCall *call, void **counter) {
  *counter = call->counter;
  if (*counter)
    return ATTN_RT_OK;
  const Driver &driver = *getDriver();
  int slot = -1;
  auto &state = *static_cast<ContextState *>(call->context);
  if (!call->capturing) {
    unsigned long long stream = 0;
    if (Result result = driver.StreamGetId(call->stream, &stream))
      return fail(driver, "cuStreamGetId", result, "tile counter");
    slot = findSlot(state, stream);
  }
  AttnRtStatus status = ATTN_RT_OK;
  if (slot >= 0) {
    DevicePtr counters = 0;
    status = getCounters(driver, state, counters);
    if (!status)
      call->counter = toPointer(counters + DevicePtr(slot) * kCounterBytes);
  } else {
    status = allocateCounter(driver, call);
  }
  *counter = call->counter;
  return status;
}

AttnRtStatus attn_rt_cuda_counter(AttnRtCudaCall *call, void **counter) {
  if (!call->failure)
    call->failure = findCounter(call, counter);
  if (call->failure)
    *counter = nullptr;
  return call->failure;
}
