//===- FakeDriver.cpp - A CUDA driver without a device --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are those of cuda.h. With FAKE_CUDA_OLD it is a driver of before
// CUDA 12; the environment variable FAKE_CUDA_INIT is what cuInit returns,
// FAKE_CUDA_VERSION the version.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include <cstdlib>
#include <cstring>

using namespace fake;

namespace {

thread_local std::vector<Context *> stack;
thread_local int captureMode = 0; // global

Context *current() { return stack.empty() ? nullptr : stack.back(); }

const struct {
  int code;
  const char *name, *text;
} kErrors[] = {
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
};

State &state() {
  static State instance;
  return instance;
}

/// Counts the call and finds an injected failure; holds the lock while it
/// lives.
struct Call {
  explicit Call(const char *name)
      : lock(state().mutex, std::defer_lock), result(0) {
    if (state().quiet.load(std::memory_order_relaxed))
      return;
    lock.lock();
    ++state().calls[name];
    auto found = state().failures.find(name);
    if (found != state().failures.end())
      result = found->second;
  }
  std::unique_lock<std::mutex> lock;
  int result;
};

#define FAKE_CALL(name)                                                        \
  Call call(name);                                                             \
  if (call.result)                                                             \
  return call.result

Stream *resolve(void *handle) {
  if (reinterpret_cast<uintptr_t>(handle) > 2)
    return static_cast<Stream *>(handle);
  auto &stream = state().legacy[current()];
  if (!stream)
    stream = std::make_unique<Stream>(Stream{state().nextId++, current()});
  return stream.get();
}

/// What a capture that is going on forbids this thread to do.
bool forbiddenByCapture() {
  if (captureMode == 2)
    return false;
  for (auto &stream : state().streams)
    if (stream->capture == 1) {
      stream->capture = 2; // and it is lost
      return true;
    }
  return false;
}

} // namespace

extern "C" {

State *fake_cuda_state() { return &state(); }
void fake_cuda_set_current(Context *context) {
  stack.clear();
  if (context)
    stack.push_back(context);
}
int fake_cuda_stack_depth() { return static_cast<int>(stack.size()); }

int cuInit(unsigned) {
  const char *result = getenv("FAKE_CUDA_INIT");
  return result ? static_cast<int>(strtol(result, nullptr, 10)) : 0;
}
int cuDriverGetVersion(int *version) {
#ifdef FAKE_CUDA_OLD
  *version = 11040;
#else
  *version = 12080;
#endif
  if (const char *other = getenv("FAKE_CUDA_VERSION"))
    *version = static_cast<int>(strtol(other, nullptr, 10));
  return 0;
}
int cuGetErrorName(int error, const char **name) {
  for (auto &known : kErrors)
    if (known.code == error) {
      *name = known.name;
      return 0;
    }
  return 1;
}
int cuGetErrorString(int error, const char **text) {
  for (auto &known : kErrors)
    if (known.code == error) {
      *text = known.text;
      return 0;
    }
  return 1;
}
int cuDeviceGetCount(int *count) {
  FAKE_CALL("cuDeviceGetCount");
  *count = state().deviceCount;
  return 0;
}
int cuDeviceGet(int *device, int ordinal) {
  FAKE_CALL("cuDeviceGet");
  if (ordinal < 0 || ordinal >= state().deviceCount)
    return 101;
  *device = ordinal;
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  FAKE_CALL("cuDeviceGetAttribute");
  switch (attribute) {
  case 16:
    *value = state().smCount;
    return 0;
  case 75:
    *value = state().capability[device] / 10;
    return 0;
  case 76:
    *value = state().capability[device] % 10;
    return 0;
  case 97:
    *value = state().sharedBytes;
    return 0;
  }
  return 1;
}
int cuDevicePrimaryCtxRetain(Context **context, int device) {
  FAKE_CALL("cuDevicePrimaryCtxRetain");
  Context *&primary = state().primary[device];
  if (!primary) {
    state().contexts.push_back(
        std::make_unique<Context>(Context{state().nextId++, device}));
    primary = state().contexts.back().get();
  }
  *context = primary;
  return 0;
}
int cuCtxGetCurrent(Context **context) {
  FAKE_CALL("cuCtxGetCurrent");
  *context = current();
  return 0;
}
int cuCtxGetDevice(int *device) {
  FAKE_CALL("cuCtxGetDevice");
  if (!current())
    return 201;
  *device = current()->device;
  return 0;
}
int cuCtxGetId(Context *context, unsigned long long *id) {
  FAKE_CALL("cuCtxGetId");
  if (context->destroyed)
    return 709;
  *id = context->id;
  return 0;
}
int cuCtxPushCurrent_v2(Context *context) {
  FAKE_CALL("cuCtxPushCurrent");
  if (context->destroyed)
    return 709;
  stack.push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(Context **context) {
  FAKE_CALL("cuCtxPopCurrent");
  if (stack.empty())
    return 201;
  *context = stack.back();
  stack.pop_back();
  return 0;
}
int cuStreamGetCtx(Stream *stream, Context **context) {
  FAKE_CALL("cuStreamGetCtx");
  *context = resolve(stream)->context;
  return 0;
}
int cuStreamIsCapturing(void *stream, int *status) {
  FAKE_CALL("cuStreamIsCapturing");
  if (state().quiet) {
    *status = 0;
    return 0;
  }
  *status = resolve(stream)->capture;
  return 0;
}
int cuStreamCreate(Stream **stream, unsigned flags) {
  FAKE_CALL("cuStreamCreate");
  if (flags != 1) // a blocking stream would wait for the default one
    return 1;
  if (forbiddenByCapture())
    return 900;
  state().streams.push_back(
      std::make_unique<Stream>(Stream{state().nextId++, current()}));
  *stream = state().streams.back().get();
  return 0;
}
int cuStreamSynchronize(Stream *) {
  FAKE_CALL("cuStreamSynchronize");
  return forbiddenByCapture() ? 900 : 0;
}
int cuStreamDestroy_v2(Stream *) {
  FAKE_CALL("cuStreamDestroy");
  return 0;
}
int cuThreadExchangeStreamCaptureMode(int *mode) {
  FAKE_CALL("cuThreadExchangeStreamCaptureMode");
  std::swap(*mode, captureMode);
  return 0;
}
int cuModuleLoadDataEx(Module **module, const void *image, unsigned count,
                       int *options, void **values) {
  Call call("cuModuleLoadDataEx");
  int result = call.result;
  if (!result && forbiddenByCapture())
    result = 900;
  const char *text = static_cast<const char *>(image);
  bool isCubin = !memcmp(text,
                         "\x7f"
                         "ELF",
                         4);
  bool isPTX = !memcmp(text, ".version", 8);
  if (auto found = state().failures.find(isCubin ? "cubin" : "PTX");
      !result && found != state().failures.end())
    result = found->second;
  if (!result && !isCubin && !isPTX)
    result = 200;
  if (result) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        strncpy(static_cast<char *>(values[i]), state().jitLog.c_str(), 8191);
    return result;
  }
  if (!current())
    return 201;
  state().modules.push_back(
      std::make_unique<Module>(Module{current(), text, false}));
  *module = state().modules.back().get();
  return 0;
}
int cuModuleUnload(Module *module) {
  FAKE_CALL("cuModuleUnload");
  if (module->context != current() || module->unloaded)
    return 400;
  module->unloaded = true;
  return 0;
}
int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  FAKE_CALL("cuModuleGetFunction");
  if (module->image.find(name) == std::string::npos)
    return 500;
  state().functions.push_back(
      std::make_unique<Function>(Function{module, name, {}}));
  *function = state().functions.back().get();
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, Function *) {
  FAKE_CALL("cuFuncGetAttribute");
  if (attribute != 0)
    return 1;
  *value = state().maxThreads;
  return 0;
}
int cuFuncSetAttribute(Function *function, int attribute, int value) {
  FAKE_CALL("cuFuncSetAttribute");
  function->attributes[attribute] = value;
  return 0;
}

struct FakeAttribute {
  int id, padding;
  unsigned value[16];
};
struct FakeConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  FakeAttribute *attributes;
  unsigned count;
};
int cuLaunchKernelEx(const FakeConfig *config, Function *function,
                     void **params, void **) {
  FAKE_CALL("cuLaunchKernelEx");
  if (state().quiet)
    return 0;
  Stream *stream = resolve(config->stream);
  Module *module = function->module;
  if (module->unloaded || module->context != current() ||
      stream->context != current())
    return 400;
  // Above 48 KB a kernel must have been allowed to.
  auto allowed = function->attributes.find(8);
  unsigned limit =
      allowed == function->attributes.end() ? 49152 : allowed->second;
  if (config->sharedBytes > limit)
    return 1;
  Launch launch;
  launch.kernel = function->name;
  for (int d = 0; d < 3; ++d) {
    launch.grid[d] = config->grid[d];
    launch.block[d] = config->block[d];
    launch.cluster[d] = 1;
  }
  for (unsigned i = 0; i < config->count; ++i)
    if (config->attributes[i].id == 4)
      memcpy(launch.cluster, config->attributes[i].value, 12);
  launch.sharedBytes = config->sharedBytes;
  launch.stream = config->stream;
  launch.captured = stream->capture == 1;
  for (unsigned i = 0; i < state().recordedParams; ++i)
    launch.params.push_back(params[i]);
  state().launches.push_back(launch);
  return 0;
}
int cuMemAlloc_v2(unsigned long long *memory, size_t bytes) {
  FAKE_CALL("cuMemAlloc");
  if (forbiddenByCapture())
    return 900;
  *memory = reinterpret_cast<uintptr_t>(
      state().add(bytes, current()->device, 2, false, false));
  return 0;
}
int cuMemFree_v2(unsigned long long memory) {
  FAKE_CALL("cuMemFree");
  state().memory.at(memory).freed = true;
  return 0;
}
int cuMemAllocAsync(unsigned long long *memory, size_t bytes, void *stream) {
  FAKE_CALL("cuMemAllocAsync");
  *memory = reinterpret_cast<uintptr_t>(state().add(
      bytes, current()->device, 2, false, resolve(stream)->capture == 1));
  return 0;
}
int cuMemFreeAsync(unsigned long long memory, void *) {
  FAKE_CALL("cuMemFreeAsync");
  auto found = state().memory.find(memory);
  if (found == state().memory.end() || found->second.freed)
    return 1;
  found->second.freed = true;
  return 0;
}
int cuMemsetD32Async(unsigned long long memory, unsigned value, size_t count,
                     void *) {
  FAKE_CALL("cuMemsetD32Async");
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned *>(memory)[i] = value;
  return 0;
}
int cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                           unsigned long long pointer) {
  FAKE_CALL("cuPointerGetAttributes");
  if (state().quiet) {
    *static_cast<unsigned *>(values[0]) = 2;
    *static_cast<int *>(values[2]) = 0;
    return 0;
  }
  const Memory *memory = nullptr;
  auto after = state().memory.upper_bound(pointer);
  if (after != state().memory.begin()) {
    --after;
    if (pointer - after->first < after->second.bytes)
      memory = &after->second;
  }
  for (unsigned i = 0; i < count; ++i)
    switch (attributes[i]) {
    case 2:
      *static_cast<unsigned *>(values[i]) = memory ? memory->type : 0;
      break;
    case 8:
      *static_cast<bool *>(values[i]) = memory && memory->managed;
      break;
    case 9:
      *static_cast<int *>(values[i]) = memory ? memory->device : 0;
      break;
    default:
      return 1;
    }
  return 0;
}
#ifndef FAKE_CUDA_OLD
int cuStreamGetId(void *stream, unsigned long long *id) {
  FAKE_CALL("cuStreamGetId");
  if (state().quiet) {
    *id = 7;
    return 0;
  }
  *id = resolve(stream)->id;
  return 0;
}
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *base,
                           const uint64_t *extents, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           int interleave, int swizzle, int l2Promotion,
                           int fill) {
  FAKE_CALL("cuTensorMapEncodeTiled");
  memset(map, 0x5a, 128);
  if (state().quiet)
    return 0;
  state().tileMaps.push_back(
      {type, interleave, swizzle, l2Promotion, fill, rank, base,
       std::vector<uint64_t>(extents, extents + rank),
       std::vector<uint64_t>(strides, strides + rank - 1),
       std::vector<uint32_t>(box, box + rank),
       std::vector<uint32_t>(elementStrides, elementStrides + rank)});
  return 0;
}
#endif

} // extern "C"
