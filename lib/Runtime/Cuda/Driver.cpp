//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the library once per process and keeps it open: the driver runs threads
// of its own. Symbols are looked up by the names that carry a version, which
// stay what they are, so cuGetProcAddress is not needed.
//
//===----------------------------------------------------------------------===//

#include "Cuda/Driver.h"

#include "ErrorText.h"

#include <atomic>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace attn::rt;
using namespace attn::rt::cuda;

namespace {

/// cuStreamGetId, cuCtxGetId and cuTensorMapEncodeTiled came with it.
constexpr int kOldestVersion = 12000;

Driver driver;
// Set once the driver may be used.
std::atomic<const Driver *> usable{nullptr};
// Why it may not: set before `once` is done, then constant.
char reason[512];
pthread_once_t once = PTHREAD_ONCE_INIT;

/// "missing" collects the symbols that the library lacks.
bool lookUp(void *library, char *missing, size_t size) {
  missing[0] = '\0';
#define ATTN_RT_CUDA_LOOK_UP(name, symbol, params)                             \
  if (void *address = dlsym(library, symbol)) {                                \
    driver.name = reinterpret_cast<decltype(driver.name)>(address);            \
  } else if (strlen(missing) + strlen(symbol) + 3 < size) {                    \
    strcat(strcat(missing, missing[0] ? ", " : ""), symbol);                   \
  }
  ATTN_RT_CUDA_FUNCTIONS(ATTN_RT_CUDA_LOOK_UP)
#undef ATTN_RT_CUDA_LOOK_UP
  return !missing[0];
}

void describe(Result result, const char *&name, const char *&text) {
  name = text = nullptr;
  driver.GetErrorName(result, &name);
  driver.GetErrorString(result, &text);
  name = name ? name : "an unknown error";
  text = text ? text : "no description";
}

void open() {
  const char *path = getenv("ATTN_CUDA_DRIVER");
  if (!path || !*path)
    path = "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    snprintf(reason, sizeof(reason),
             "no CUDA driver (%s): expected the NVIDIA driver to be installed",
             error ? error : path);
    return;
  }
  char missing[256];
  bool complete = lookUp(library, missing, sizeof(missing));
  if (driver.DriverGetVersion)
    driver.DriverGetVersion(&driver.version);
  if (!complete || driver.version < kOldestVersion) {
    snprintf(reason, sizeof(reason),
             "the CUDA driver %s is for CUDA %d.%d, expected 12.0 or newer%s%s",
             path, driver.version / 1000, driver.version % 1000 / 10,
             complete ? "" : "; it lacks ", missing);
    return;
  }
  if (Result result = driver.Init(0)) {
    const char *name, *text;
    describe(result, name, text);
    snprintf(reason, sizeof(reason), "cuInit gave %s (%s)", name, text);
    return;
  }
  usable.store(&driver, std::memory_order_release);
}

} // namespace

const Driver *cuda::getDriver() {
  if (const Driver *known = usable.load(std::memory_order_acquire))
    return known;
  pthread_once(&once, open);
  const Driver *known = usable.load(std::memory_order_acquire);
  if (!known) {
    clearErrorText();
    appendErrorText("%s", reason);
  }
  return known;
}

AttnRtStatus cuda::statusOf(Result result) {
  switch (result) {
  case kSuccess:
    return ATTN_RT_OK;
  case kErrorOutOfMemory:
    return ATTN_RT_OUT_OF_MEMORY;
  case kErrorNoDevice:
    return ATTN_RT_UNSUPPORTED_DEVICE;
  default:
    return ATTN_RT_DEVICE_ERROR;
  }
}

void cuda::appendFailure(const Driver &, const char *function, Result result) {
  const char *name, *text;
  describe(result, name, text);
  appendErrorText("%s gave %s (%s)", function, name, text);
}

AttnRtStatus cuda::fail(const Driver &driver, const char *function,
                        Result result, const char *context) {
  clearErrorText();
  if (context)
    appendErrorText("%s: ", context);
  appendFailure(driver, function, result);
  return statusOf(result);
}
