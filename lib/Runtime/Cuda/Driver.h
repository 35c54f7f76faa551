//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions, structures and numbers of the CUDA driver API that the runtime
// uses, declared here so that no CUDA header is needed (CUDA Driver API
// reference, version 12.0, docs.nvidia.com/cuda/cuda-driver-api; a unit test
// compares them with cuda.h where that is installed).
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_CUDA_DRIVER_H
#define ATTN_LIB_RUNTIME_CUDA_DRIVER_H

#include "attn-rt/Status.h"

#include <stddef.h>
#include <stdint.h>

namespace attn {
namespace rt {
namespace cuda {

using Result = int; // CUresult
using Device = int;
using DevicePtr = unsigned long long;
using Context = void *;
using Stream = void *;
using Module = void *;
using Function = void *;

enum : int {
  kSuccess = 0,
  kErrorOutOfMemory = 2,
  kErrorNotInitialized = 3,
  kErrorNoDevice = 100,
  kErrorInvalidContext = 201,

  kMultiprocessorCount = 16, // CU_DEVICE_ATTRIBUTE_...
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kMaxSharedBytesOptin = 97,

  kFunctionMaxThreads = 0, // CU_FUNC_ATTRIBUTE_...
  kFunctionMaxDynamicSharedBytes = 8,
  kFunctionNonPortableCluster = 14,

  kPointerMemoryType = 2, // CU_POINTER_ATTRIBUTE_...
  kPointerIsManaged = 8,
  kPointerDeviceOrdinal = 9,
  kMemoryTypeDevice = 2, // CU_MEMORYTYPE_DEVICE

  kJitErrorLogBuffer = 5, // CU_JIT_...
  kJitErrorLogBufferBytes = 6,

  kCaptureNone = 0, // CU_STREAM_CAPTURE_STATUS_...
  kCaptureActive = 1,
  kCaptureModeRelaxed = 2, // CU_STREAM_CAPTURE_MODE_RELAXED
  kStreamNonBlocking = 1,  // CU_STREAM_NON_BLOCKING

  kLaunchClusterDimension = 4, // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION

  kTensorMapL2Promotion256 = 3, // CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};

/// CUlaunchAttribute.
struct LaunchAttribute {
  int id;
  int padding;
  union {
    char bytes[64];
    unsigned cluster[3];
  } value;
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// The functions by their names without `cu`, with the symbol that holds the
/// version meant.
#define ATTN_RT_CUDA_FUNCTIONS(F)                                              \
  F(Init, "cuInit", (unsigned flags))                                          \
  F(DriverGetVersion, "cuDriverGetVersion", (int *version))                    \
  F(GetErrorName, "cuGetErrorName", (Result error, const char **name))         \
  F(GetErrorString, "cuGetErrorString", (Result error, const char **text))     \
  F(DeviceGetCount, "cuDeviceGetCount", (int *count))                          \
  F(DeviceGet, "cuDeviceGet", (Device * device, int ordinal))                  \
  F(DeviceGetAttribute, "cuDeviceGetAttribute",                                \
    (int *value, int attribute, Device device))                                \
  F(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                        \
    (Context * context, Device device))                                        \
  F(CtxGetCurrent, "cuCtxGetCurrent", (Context * context))                     \
  F(CtxGetDevice, "cuCtxGetDevice", (Device * device))                         \
  F(CtxGetId, "cuCtxGetId", (Context context, unsigned long long *id))         \
  F(CtxPushCurrent, "cuCtxPushCurrent_v2", (Context context))                  \
  F(CtxPopCurrent, "cuCtxPopCurrent_v2", (Context * context))                  \
  F(StreamGetCtx, "cuStreamGetCtx", (Stream stream, Context * context))        \
  F(StreamGetId, "cuStreamGetId", (Stream stream, unsigned long long *id))     \
  F(StreamIsCapturing, "cuStreamIsCapturing", (Stream stream, int *status))    \
  F(StreamCreate, "cuStreamCreate", (Stream * stream, unsigned flags))         \
  F(StreamSynchronize, "cuStreamSynchronize", (Stream stream))                 \
  F(StreamDestroy, "cuStreamDestroy_v2", (Stream stream))                      \
  F(ThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode",      \
    (int *mode))                                                               \
  F(ModuleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (Module * module, const void *image, unsigned numOptions, int *options,    \
     void **values))                                                           \
  F(ModuleUnload, "cuModuleUnload", (Module module))                           \
  F(ModuleGetFunction, "cuModuleGetFunction",                                  \
    (Function * function, Module module, const char *name))                    \
  F(FuncGetAttribute, "cuFuncGetAttribute",                                    \
    (int *value, int attribute, Function function))                            \
  F(FuncSetAttribute, "cuFuncSetAttribute",                                    \
    (Function function, int attribute, int value))                             \
  F(LaunchKernelEx, "cuLaunchKernelEx",                                        \
    (const LaunchConfig *config, Function function, void **params,             \
     void **extra))                                                            \
  F(MemAlloc, "cuMemAlloc_v2", (DevicePtr * memory, size_t bytes))             \
  F(MemFree, "cuMemFree_v2", (DevicePtr memory))                               \
  F(MemAllocAsync, "cuMemAllocAsync",                                          \
    (DevicePtr * memory, size_t bytes, Stream stream))                         \
  F(MemFreeAsync, "cuMemFreeAsync", (DevicePtr memory, Stream stream))         \
  F(MemsetD32Async, "cuMemsetD32Async",                                        \
    (DevicePtr memory, unsigned value, size_t count, Stream stream))           \
  F(PointerGetAttributes, "cuPointerGetAttributes",                            \
    (unsigned count, int *attributes, void **values, DevicePtr pointer))       \
  F(TensorMapEncodeTiled, "cuTensorMapEncodeTiled",                            \
    (void *map, int type, uint32_t rank, void *base, const uint64_t *extents,  \
     const uint64_t *strides, const uint32_t *box,                             \
     const uint32_t *elementStrides, int interleave, int swizzle,              \
     int l2Promotion, int fill))

struct Driver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): parts of a declaration.
#define ATTN_RT_CUDA_MEMBER(name, symbol, params) Result(*name) params;
  ATTN_RT_CUDA_FUNCTIONS(ATTN_RT_CUDA_MEMBER)
#undef ATTN_RT_CUDA_MEMBER
  int version; // 12080: CUDA 12.8
};

/// The driver, opened and initialised at the first call: libcuda.so.1, or what
/// the environment variable ATTN_CUDA_DRIVER names. Null, with the calling
/// thread's error text set, if that is impossible; it is not tried again.
const Driver *getDriver();

/// The status of an error of the driver.
AttnRtStatus statusOf(Result result);

/// Appends "FUNCTION gave CUDA_ERROR_X (text)".
void appendFailure(const Driver &driver, const char *function, Result result);

/// Sets the error text to "[CONTEXT: ]FUNCTION gave ..." and returns the
/// status.
AttnRtStatus fail(const Driver &driver, const char *function, Result result,
                  const char *context = nullptr);

/// While it lives, the thread may do what a stream capture of another thread
/// would otherwise forbid: allocating memory, loading modules.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Driver &driver) : driver(driver) {
    driver.ThreadExchangeStreamCaptureMode(&mode);
  }
  ~RelaxedCapture() { driver.ThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const Driver &driver;
  int mode = kCaptureModeRelaxed;
};

} // namespace cuda
} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_CUDA_DRIVER_H
