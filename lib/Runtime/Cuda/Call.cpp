//===- Call.cpp - Calls, contexts and their tensors -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the context of a stream, makes it current, and checks that tensors lie
// in its device's memory. A context that is known costs six short calls of the
// driver and no lock.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include "ArgumentText.h"
#include "Binder.h"
#include "Cuda/Context.h"
#include "ErrorText.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

using namespace attn::rt;
using namespace attn::rt::cuda;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

namespace {
// Read without a lock; states are added at the front and never removed.
std::atomic<ContextState *> contexts{nullptr};
pthread_mutex_t contextsMutex = PTHREAD_MUTEX_INITIALIZER;
} // namespace

static ContextState *findContext(unsigned long long id) {
  for (ContextState *state = contexts.load(std::memory_order_acquire); state;
       state = state->next)
    if (state->id == id)
      return state;
  return nullptr;
}

Result cuda::queryDevice(const Driver &driver, Device device, int &capability,
                         int &smCount, int &sharedBytes) {
  int major = 0, minor = 0;
  Result result = driver.DeviceGetAttribute(&major, kCapabilityMajor, device);
  if (!result)
    result = driver.DeviceGetAttribute(&minor, kCapabilityMinor, device);
  if (!result)
    result = driver.DeviceGetAttribute(&smCount, kMultiprocessorCount, device);
  if (!result)
    result =
        driver.DeviceGetAttribute(&sharedBytes, kMaxSharedBytesOptin, device);
  capability = 10 * major + minor;
  return result;
}

/// The state of the current context `handle`, made if it is new.
static AttnRtStatus getContext(const Driver &driver, Context handle,
                               ContextState *&state) {
  unsigned long long id = 0;
  if (Result result = driver.CtxGetId(handle, &id))
    return fail(driver, "cuCtxGetId", result);
  state = findContext(id);
  if (state)
    return ATTN_RT_OK;
  pthread_mutex_lock(&contextsMutex);
  state = findContext(id);
  Result result = kSuccess;
  const char *function = "cuCtxGetDevice";
  if (!state) {
    void *memory = calloc(1, sizeof(ContextState));
    if (memory) {
      // All its members are trivially made from zeros.
      auto *made = static_cast<ContextState *>(memory);
      made->id = id;
      made->handle = handle;
      result = driver.CtxGetDevice(&made->device);
      if (!result) {
        function = "cuDeviceGetAttribute";
        result = queryDevice(driver, made->device, made->capability,
                             made->smCount, made->sharedBytes);
      }
      if (result) {
        free(memory);
      } else {
        made->next = contexts.load(std::memory_order_relaxed);
        contexts.store(made, std::memory_order_release);
        state = made;
      }
    }
  }
  pthread_mutex_unlock(&contextsMutex);
  if (result)
    return fail(driver, function, result);
  return state ? ATTN_RT_OK
               : attn_rt_fail(ATTN_RT_OUT_OF_MEMORY,
                              "no memory for the state of a CUDA context");
}

/// The device that the call's tensors claim, or 0.
static int32_t firstDevice(const AttnRtFunction *fn,
                           const AttnRtTensor *const *tensors) {
  if (!fn || fn->abi_version != ATTN_RT_ABI_VERSION)
    return 0; // refused later
  for (int32_t i = 0; i < fn->num_args; ++i)
    if (tensors[i] &&
        static_cast<int>(tensors[i]->device.device_type) == ATTN_RT_DEVICE_CUDA)
      return tensors[i]->device.device_id;
  return 0;
}

/// The stream's context; for a default stream the current one, or else the
/// primary one of `device`, which then stays for the life of the process.
static AttnRtStatus chooseContext(const Driver &driver, Stream stream,
                                  Context current, int32_t device,
                                  Context &context) {
  // CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are 1 and 2.
  if (reinterpret_cast<uintptr_t>(stream) > 2) {
    Result result = driver.StreamGetCtx(stream, &context);
    return result ? fail(driver, "cuStreamGetCtx", result,
                         "the stream of the call")
                  : ATTN_RT_OK;
  }
  context = current;
  if (context)
    return ATTN_RT_OK;
  Device handle = 0;
  if (Result result = driver.DeviceGet(&handle, device))
    return fail(driver, "cuDeviceGet", result);
  if (Result result = driver.DevicePrimaryCtxRetain(&context, handle))
    return fail(driver, "cuDevicePrimaryCtxRetain", result);
  return ATTN_RT_OK;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
struct CudaMemory : MemoryPlace {
  const Driver *driver;
  int device;
};
} // namespace

static bool isCudaMemory(const MemoryPlace &place, const AttnRtDevice &device) {
  int type = static_cast<int>(device.device_type);
  return type == ATTN_RT_DEVICE_CUDA_MANAGED ||
         (type == ATTN_RT_DEVICE_CUDA &&
          device.device_id == static_cast<const CudaMemory &>(place).device);
}

static void appendCudaMemory(const MemoryPlace &place) {
  appendErrorText("memory of CUDA:%d, the device of the stream",
                  static_cast<const CudaMemory &>(place).device);
}

static void checkCudaMemory(const MemoryPlace &place, uintptr_t address,
                            void (*begin)(void *), void *state) {
  const auto &memory = static_cast<const CudaMemory &>(place);
  unsigned type = 0, isManaged = 0; // isManaged is a bool of the driver's
  int device = -1;
  int attributes[] = {kPointerMemoryType, kPointerIsManaged,
                      kPointerDeviceOrdinal};
  void *values[] = {&type, &isManaged, &device};
  // For memory that it does not know, the driver succeeds with zeros.
  Result result =
      memory.driver->PointerGetAttributes(3, attributes, values, address);
  if (!result && (isManaged & 0xff))
    return;
  if (!result && type == kMemoryTypeDevice && device == memory.device)
    return;
  begin(state);
  if (result) {
    appendFailure(*memory.driver, "cuPointerGetAttributes", result);
    return;
  }
  appendErrorText("expected ");
  appendCudaMemory(place);
  if (type == kMemoryTypeDevice)
    appendErrorText(", got an address in memory of CUDA:%d", device);
  else
    appendErrorText(", got an address that is not in a device's memory");
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

AttnRtStatus attn_rt_cuda_begin(AttnRtCudaCall *call, void *stream,
                                const AttnRtFunction *fn,
                                const AttnRtTensor *const *tensors,
                                void *const *descriptors) {
  const Driver *driver = getDriver();
  if (!driver)
    return ATTN_RT_UNSUPPORTED_DEVICE;
  memset(call, 0, sizeof(*call));
  call->stream = stream;
  call->fn = fn;
  call->tensors = tensors;

  Context current = nullptr, context = nullptr;
  if (Result result = driver->CtxGetCurrent(&current))
    return fail(*driver, "cuCtxGetCurrent", result);
  if (AttnRtStatus status = chooseContext(*driver, stream, current,
                                          firstDevice(fn, tensors), context))
    return status;
  if (context != current) {
    if (Result result = driver->CtxPushCurrent(context))
      return fail(*driver, "cuCtxPushCurrent", result);
    call->entered = 1;
  }

  ContextState *state = nullptr;
  AttnRtStatus status = getContext(*driver, context, state);
  if (!status) {
    call->context = state;
    call->device = state->device;
    call->capability = state->capability;
    call->sm_count = state->smCount;
    call->shared_bytes = state->sharedBytes;
    int capture = kCaptureNone;
    if (Result result = driver->StreamIsCapturing(stream, &capture))
      status = fail(*driver, "cuStreamIsCapturing", result,
                    "the stream of the call");
    call->capturing = capture == kCaptureActive;
  }
  if (!status && fn) {
    CudaMemory place;
    place.accepts = isCudaMemory;
    place.appendExpected = appendCudaMemory;
    place.check = checkCudaMemory;
    place.driver = driver;
    place.device = state->device;
    status = bindArguments(*fn, tensors, descriptors, place);
  }
  return status ? attn_rt_cuda_end(call, status) : ATTN_RT_OK;
}

AttnRtStatus attn_rt_cuda_end(AttnRtCudaCall *call, AttnRtStatus status) {
  const Driver *driver = getDriver(); // there, since the call began
  if (!status)
    status = call->failure;
  for (int32_t i = call->num_temporaries; i-- > 0;) {
    Result result = driver->MemFreeAsync(
        reinterpret_cast<uintptr_t>(call->temporaries[i]), call->stream);
    // The first failure is the one to tell of.
    if (result && !status)
      status = fail(*driver, "cuMemFreeAsync", result);
  }
  call->num_temporaries = 0;
  call->counter = nullptr;
  if (call->entered) {
    Context popped = nullptr;
    Result result = driver->CtxPopCurrent(&popped);
    if (result && !status)
      status = fail(*driver, "cuCtxPopCurrent", result);
    call->entered = 0;
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

AttnRtStatus attn_rt_cuda_device_count(int32_t *count) {
  *count = 0;
  const Driver *driver = getDriver();
  if (!driver)
    return ATTN_RT_UNSUPPORTED_DEVICE;
  if (Result result = driver->DeviceGetCount(count))
    return fail(*driver, "cuDeviceGetCount", result);
  return ATTN_RT_OK;
}

AttnRtStatus attn_rt_cuda_device(int32_t device, AttnRtCudaDevice *facts) {
  memset(facts, 0, sizeof(*facts));
  const Driver *driver = getDriver();
  if (!driver)
    return ATTN_RT_UNSUPPORTED_DEVICE;
  Device handle = 0;
  if (Result result = driver->DeviceGet(&handle, device))
    return fail(*driver, "cuDeviceGet", result);
  if (Result result = queryDevice(*driver, handle, facts->capability,
                                  facts->sm_count, facts->shared_bytes))
    return fail(*driver, "cuDeviceGetAttribute", result);
  facts->driver_version = driver->version;
  return ATTN_RT_OK;
}
