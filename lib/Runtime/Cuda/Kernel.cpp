//===- Kernel.cpp - Loading and launching kernels -------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel image heads a list of what was loaded of it, one entry a context. A
// launch reads the list without a lock; entries are added at the front, under
// one, and stay until the image is unloaded.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include "ArgumentText.h"
#include "Cuda/Context.h"
#include "ErrorText.h"

#include <pthread.h>
#include <stdlib.h>

using namespace attn::rt;
using namespace attn::rt::cuda;

namespace {
struct LoadedKernel {
  ContextState *context;
  Module module;
  Function function;
  LoadedKernel *next;
};
} // namespace

static pthread_mutex_t loadMutex = PTHREAD_MUTEX_INITIALIZER;

static LoadedKernel *findLoaded(const AttnRtKernelImage &image,
                                const ContextState *context) {
  void *head = __atomic_load_n(&image.loaded, __ATOMIC_ACQUIRE);
  for (auto *loaded = static_cast<LoadedKernel *>(head); loaded;
       loaded = loaded->next)
    if (loaded->context == context)
      return loaded;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "function 'f':\n  kernel 'k' on CUDA:0: ", after which the reason stands.
static void beginText(const AttnRtCudaCall &call,
                      const AttnRtKernelImage &image) {
  clearErrorText();
  if (call.fn && call.fn->name)
    appendErrorText("function '%s':\n  ", call.fn->name);
  appendErrorText("kernel '%s' on CUDA:%d: ", image.kernel ? image.kernel : "",
                  call.device);
}

/// The tensors of the call, each on a line.
static void appendTensors(const AttnRtCudaCall &call) {
  for (int32_t i = 0; call.fn && i < call.fn->num_args; ++i) {
    const AttnRtTensor &tensor = *call.tensors[i];
    appendErrorText("\n  argument '%s': ", call.fn->args[i].name);
    appendType(tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes);
    appendList(tensor.shape, tensor.ndim);
  }
}

/// "sm_90a"
static void appendTarget(int32_t capability, int32_t exact) {
  appendErrorText("sm_%d%s", capability, exact ? "a" : "");
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Whether code for `target` runs on a device of `capability`. Machine code
/// runs on later minor versions, PTX on all later ones, exact code on one.
static bool runsOn(int32_t target, bool exact, bool isPTX, int capability) {
  if (exact || target >= capability)
    return target == capability;
  return isPTX || target / 10 == capability / 10;
}

/// Tries to make a module; on failure appends the reason to the text, the
/// compiler's log included.
static Result loadModule(const Driver &driver, const void *code,
                         const char *kind, Module &module) {
  constexpr size_t logBytes = 8192;
  char *log = static_cast<char *>(calloc(1, logBytes));
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void *values[] = {log, reinterpret_cast<void *>(logBytes)};
  Result result =
      driver.ModuleLoadDataEx(&module, code, log ? 2 : 0, options, values);
  if (result) {
    appendFailure(driver, "cuModuleLoadDataEx", result);
    appendErrorText(" for its %s", kind);
    if (log && log[0]) {
      log[logBytes - 1] = '\0';
      appendErrorText(": %s", log);
    }
  }
  free(log);
  return result;
}

/// Loads the best code for the device. A cubin that the driver is too old for
/// gives way to PTX; when all fail, the text has each reason.
static AttnRtStatus loadCode(const Driver &driver, const AttnRtCudaCall &call,
                             const AttnRtKernelImage &image, Module &module) {
  Result result = kSuccess;
  bool isTried = false;
  for (int32_t i = 0; i < image.num_cubins; ++i) {
    const AttnRtCubin &cubin = image.cubins[i];
    if (!runsOn(cubin.capability, cubin.exact, /*isPTX=*/false,
                call.capability))
      continue;
    if (isTried)
      appendErrorText("; ");
    isTried = true;
    result = loadModule(driver, cubin.bytes, "cubin", module);
    if (!result)
      return ATTN_RT_OK;
  }
  if (image.ptx && runsOn(image.ptx_capability, image.ptx_exact, /*isPTX=*/true,
                          call.capability)) {
    if (isTried)
      appendErrorText("; ");
    isTried = true;
    result = loadModule(driver, image.ptx, "PTX", module);
    if (!result)
      return ATTN_RT_OK;
  }
  if (isTried)
    return statusOf(result);
  appendErrorText("compiled for ");
  const char *separator = "";
  for (int32_t i = 0; i < image.num_cubins; ++i) {
    appendErrorText("%s", separator);
    appendTarget(image.cubins[i].capability, image.cubins[i].exact);
    separator = ", ";
  }
  if (image.ptx) {
    appendErrorText("%s", separator);
    appendTarget(image.ptx_capability, image.ptx_exact);
    appendErrorText(" (PTX)");
  }
  if (!image.ptx && image.num_cubins == 0)
    appendErrorText("nothing");
  appendErrorText(", the device has compute capability %d.%d",
                  call.capability / 10, call.capability % 10);
  return ATTN_RT_UNSUPPORTED_DEVICE;
}

/// Sets what a launch needs to be set once, and checks that one can succeed.
static AttnRtStatus prepareFunction(const Driver &driver,
                                    const AttnRtKernelImage &image,
                                    Function function) {
  const char *name = "cuFuncGetAttribute";
  int maxThreads = 0;
  // Makes a driver that loads lazily load now, and not while a graph is
  // captured.
  Result result =
      driver.FuncGetAttribute(&maxThreads, kFunctionMaxThreads, function);
  if (!result && maxThreads < image.threads) {
    appendErrorText("%d threads a block expected at most %d, by its registers",
                    image.threads, maxThreads);
    return ATTN_RT_INTERNAL;
  }
  if (!result && image.shared_bytes > 0) {
    name = "cuFuncSetAttribute";
    result = driver.FuncSetAttribute(function, kFunctionMaxDynamicSharedBytes,
                                     image.shared_bytes);
  }
  int64_t blocks =
      int64_t(image.cluster[0]) * image.cluster[1] * image.cluster[2];
  if (!result && blocks > 8) {
    name = "cuFuncSetAttribute";
    result = driver.FuncSetAttribute(function, kFunctionNonPortableCluster, 1);
  }
  if (!result)
    return ATTN_RT_OK;
  appendFailure(driver, name, result);
  appendErrorText(" for %d bytes of shared memory and a cluster of %lld blocks",
                  image.shared_bytes, static_cast<long long>(blocks));
  return statusOf(result);
}

/// Fills `loaded` for the call's context; the mutex is held and the text begun.
static AttnRtStatus load(const Driver &driver, const AttnRtCudaCall &call,
                         const AttnRtKernelImage &image, LoadedKernel &loaded) {
  if (image.abi_version != ATTN_RT_ABI_VERSION) {
    appendErrorText("compiled for version %u of the runtime's interface, this "
                    "runtime has version %u",
                    image.abi_version,
                    static_cast<unsigned>(ATTN_RT_ABI_VERSION));
    return ATTN_RT_ABI_MISMATCH;
  }
  if (image.shared_bytes > call.shared_bytes) {
    appendErrorText("a block needs %d bytes of shared memory, expected at most "
                    "the device's %d",
                    image.shared_bytes, call.shared_bytes);
    return ATTN_RT_UNSUPPORTED_DEVICE;
  }
  if (AttnRtStatus status = loadCode(driver, call, image, loaded.module))
    return status;
  Result result =
      driver.ModuleGetFunction(&loaded.function, loaded.module, image.kernel);
  AttnRtStatus status = ATTN_RT_OK;
  if (result) {
    appendFailure(driver, "cuModuleGetFunction", result);
    status = statusOf(result);
  } else {
    status = prepareFunction(driver, image, loaded.function);
  }
  if (status)
    driver.ModuleUnload(loaded.module);
  return status;
}

/// The kernel in the call's context, loaded if it is not there yet.
static AttnRtStatus getLoaded(AttnRtCudaCall *call, AttnRtKernelImage *image,
                              Function &function) {
  auto *context = static_cast<ContextState *>(call->context);
  if (LoadedKernel *loaded = findLoaded(*image, context)) {
    function = loaded->function;
    return ATTN_RT_OK;
  }
  const Driver &driver = *getDriver();
  AttnRtStatus status = ATTN_RT_OK;
  pthread_mutex_lock(&loadMutex);
  LoadedKernel *loaded = findLoaded(*image, context);
  if (!loaded) {
    RelaxedCapture relaxed(driver);
    beginText(*call, *image);
    loaded = static_cast<LoadedKernel *>(calloc(1, sizeof(LoadedKernel)));
    if (!loaded) {
      status = ATTN_RT_OUT_OF_MEMORY;
      appendErrorText("no memory to load it");
    } else {
      status = load(driver, *call, *image, *loaded);
      if (status) {
        free(loaded);
        loaded = nullptr;
      } else {
        loaded->context = context;
        loaded->next = static_cast<LoadedKernel *>(image->loaded);
        __atomic_store_n(&image->loaded, static_cast<void *>(loaded),
                         __ATOMIC_RELEASE);
      }
    }
  }
  pthread_mutex_unlock(&loadMutex);
  if (loaded)
    function = loaded->function;
  return status;
}

AttnRtStatus attn_rt_cuda_load(AttnRtCudaCall *call, AttnRtKernelImage *image) {
  Function function = nullptr;
  return getLoaded(call, image, function);
}

void attn_rt_cuda_unload(AttnRtKernelImage *image) {
  pthread_mutex_lock(&loadMutex);
  auto *loaded = static_cast<LoadedKernel *>(image->loaded);
  __atomic_store_n(&image->loaded, static_cast<void *>(nullptr),
                   __ATOMIC_RELEASE);
  pthread_mutex_unlock(&loadMutex);
  if (!loaded)
    return;
  const Driver &driver = *getDriver();
  while (loaded) {
    // A context that is gone has taken its modules along: the driver says so
    // by an error, and there is nothing to be done.
    unsigned long long id = 0;
    if (!driver.CtxGetId(loaded->context->handle, &id) &&
        id == loaded->context->id &&
        !driver.CtxPushCurrent(loaded->context->handle)) {
      driver.ModuleUnload(loaded->module);
      Context popped;
      driver.CtxPopCurrent(&popped);
    }
    LoadedKernel *next = loaded->next;
    free(loaded);
    loaded = next;
  }
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// Writes why the grid is refused.
static AttnRtStatus failGrid(const AttnRtCudaCall &call,
                             const AttnRtKernelImage &image,
                             const int64_t (&grid)[3],
                             const int64_t (&limits)[3]) {
  beginText(call, image);
  appendErrorText("grid expected from 0 to ");
  appendList(limits, 3);
  appendErrorText(" and a multiple of the cluster [%d, %d, %d], got ",
                  image.cluster[0], image.cluster[1], image.cluster[2]);
  appendList(grid, 3);
  appendTensors(call);
  return ATTN_RT_INVALID_VALUE;
}

static AttnRtStatus failLaunch(const Driver &driver, const AttnRtCudaCall &call,
                               const AttnRtKernelImage &image,
                               const int64_t (&grid)[3], Result result) {
  beginText(call, image);
  appendFailure(driver, "cuLaunchKernelEx", result);
  appendErrorText(" for a grid of ");
  appendList(grid, 3);
  appendErrorText(" with %d threads and %d bytes of shared memory a block",
                  image.threads, image.shared_bytes);
  appendTensors(call);
  return statusOf(result);
}

static AttnRtStatus launch(AttnRtCudaCall *call, AttnRtKernelImage *image,
                           int64_t grid_x, int64_t grid_y, int64_t grid_z,
                           void **params) {
  const int64_t grid[3] = {grid_x, grid_y, grid_z};
  const int64_t limits[3] = {INT32_MAX, 65535, 65535};
  bool isClustered = false;
  for (int d = 0; d < 3; ++d) {
    if (grid[d] < 0 || grid[d] > limits[d] || image->cluster[d] < 1 ||
        grid[d] % image->cluster[d])
      return failGrid(*call, *image, grid, limits);
    isClustered |= image->cluster[d] != 1;
  }
  if (grid_x == 0 || grid_y == 0 || grid_z == 0)
    return ATTN_RT_OK;
  Function function = nullptr;
  if (AttnRtStatus status = getLoaded(call, image, function))
    return status;

  LaunchConfig config = {};
  LaunchAttribute cluster = {};
  for (int d = 0; d < 3; ++d) {
    config.grid[d] = static_cast<unsigned>(grid[d]);
    config.block[d] = 1;
    cluster.value.cluster[d] = static_cast<unsigned>(image->cluster[d]);
  }
  config.block[0] = static_cast<unsigned>(image->threads);
  config.sharedBytes = static_cast<unsigned>(image->shared_bytes);
  config.stream = call->stream;
  if (isClustered) {
    cluster.id = kLaunchClusterDimension;
    config.attributes = &cluster;
    config.numAttributes = 1;
  }
  const Driver &driver = *getDriver();
  if (Result result = driver.LaunchKernelEx(&config, function, params, nullptr))
    return failLaunch(driver, *call, *image, grid, result);
  return ATTN_RT_OK;
}

AttnRtStatus attn_rt_cuda_launch(AttnRtCudaCall *call, AttnRtKernelImage *image,
                                 int64_t grid_x, int64_t grid_y, int64_t grid_z,
                                 void **params) {
  if (!call->failure)
    call->failure = launch(call, image, grid_x, grid_y, grid_z, params);
  return call->failure;
}
