//===- DeviceTest.cpp - the CUDA part on a real device --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fake driver cannot show: that the real one does what the runtime
// counts on. A program of its own, needing the runtime and the driver only:
//
//   g++ -std=c++17 -O2 -Iinclude -Ilib/Runtime lib/Runtime/*.cpp
//     lib/Runtime/Cuda/*.cpp test/Unit/Runtime/Cuda/DeviceTest.cpp
//     -lpthread -ldl
//
// Exits with 77 where there is no device of compute capability 9.0 or later.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include "Cuda/Driver.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

using attn::rt::cuda::DevicePtr;
using attn::rt::cuda::Driver;
using attn::rt::cuda::getDriver;

namespace {

/// Adds 1 to out[t] for each tile t < tiles that its block gets from the
/// counter. There are tiles + blocks fetches; the last sets the counter to 0
/// again. Blocks dawdle, so that launches that can overlap do.
const char kTilesPTX[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry tiles(.param .u64 p_out, .param .u64 p_counter,
                      .param .u32 p_tiles, .param .u32 p_dawdle)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<12>;
  .reg .pred %p<5>;
  ld.param.u64 %rd1, [p_out];
  ld.param.u64 %rd2, [p_counter];
  ld.param.u32 %r1, [p_tiles];
  ld.param.u32 %r2, [p_dawdle];
  mov.u32 %r3, %nctaid.x;
  add.u32 %r4, %r1, %r3;
  sub.u32 %r4, %r4, 1;
NEXT:
  atom.global.add.u32 %r5, [%rd2], 1;
  setp.ne.u32 %p1, %r5, %r4;
  @%p1 bra KEEP;
  mov.u32 %r6, 0;
  st.global.u32 [%rd2], %r6;
KEEP:
  setp.ge.u32 %p2, %r5, %r1;
  @%p2 bra DONE;
  mov.u32 %r7, %clock;
WAIT:
  mov.u32 %r8, %clock;
  sub.u32 %r8, %r8, %r7;
  setp.lt.u32 %p3, %r8, %r2;
  @%p3 bra WAIT;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3;
  red.global.add.u32 [%rd4], 1;
  bra NEXT;
DONE:
  ret;
}
)";

int failures = 0;

void check(bool condition, const char *what, const std::string &detail = "") {
  printf("%s %s%s%s\n", condition ? "ok    " : "FAILED", what,
         detail.empty() ? "" : ": ", detail.c_str());
  failures += !condition;
}

/// Functions of the driver that only this test needs.
template <typename... Args>
int drive(const char *name, Args... args) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  using Function = int(Args...);
  auto *function = reinterpret_cast<Function *>(dlsym(library, name));
  if (!function) {
    printf("FAILED no %s\n", name);
    exit(1);
  }
  return function(args...);
}

constexpr int kTiles = 3000;
constexpr int kBlocks = 16;

struct Kernel : AttnRtKernelImage {
  Kernel()
      : AttnRtKernelImage{
            ATTN_RT_ABI_VERSION, 0, "tiles", kTilesPTX, nullptr, 90, 0, 1, 0,
            {1, 1, 1},           0, nullptr} {}
};

/// One call: a counter and a launch.
AttnRtStatus run(Kernel &kernel, void *stream, DevicePtr out,
                 uint32_t dawdle = 300) {
  AttnRtCudaCall call;
  if (AttnRtStatus status =
          attn_rt_cuda_begin(&call, stream, nullptr, nullptr, nullptr))
    return status;
  void *counter = nullptr;
  AttnRtStatus status = attn_rt_cuda_counter(&call, &counter);
  uint32_t tiles = kTiles;
  void *params[] = {&out, static_cast<void *>(&counter), &tiles, &dawdle};
  if (!status)
    status = attn_rt_cuda_launch(&call, &kernel, kBlocks, 1, 1, params);
  return attn_rt_cuda_end(&call, status);
}

/// Tiles whose count is not `expected`.
int countWrong(DevicePtr out, uint32_t expected) {
  std::vector<uint32_t> counts(kTiles);
  drive<void *, DevicePtr, size_t>("cuMemcpyDtoH_v2", counts.data(), out,
                                   size_t(kTiles) * 4);
  int wrong = 0;
  for (uint32_t count : counts)
    wrong += count != expected;
  return wrong;
}

DevicePtr makeOut(const Driver &driver) {
  DevicePtr out = 0;
  driver.MemAlloc(&out, size_t(kTiles) * 4);
  drive<DevicePtr, unsigned, size_t>("cuMemsetD32_v2", out, 0u, kTiles);
  drive("cuCtxSynchronize");
  return out;
}

void *makeStream(const Driver &driver) {
  void *stream = nullptr;
  driver.StreamCreate(&stream, attn::rt::cuda::kStreamNonBlocking);
  return stream;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

void testStreams(const Driver &driver, Kernel &kernel) {
  constexpr int streamCount = 6, launches = 20;
  void *streams[streamCount];
  DevicePtr outs[streamCount];
  for (int i = 0; i < streamCount; ++i) {
    streams[i] = i ? makeStream(driver) : nullptr;
    outs[i] = makeOut(driver);
  }
  AttnRtStatus status = ATTN_RT_OK;
  for (int n = 0; n < launches && !status; ++n)
    for (int i = 0; i < streamCount && !status; ++i)
      status = run(kernel, streams[i], outs[i]);
  check(!status, "launches on streams", attn_rt_last_error());
  drive("cuCtxSynchronize");
  int wrong = 0;
  for (DevicePtr out : outs)
    wrong += countWrong(out, launches);
  check(!wrong, "every tile once a launch on overlapping streams",
        std::to_string(wrong) + " wrong");
}

/// Streams beyond the table: made, used and destroyed while their work runs.
void testManyStreams(const Driver &driver, Kernel &kernel) {
  DevicePtr out = makeOut(driver);
  constexpr int count = 1500;
  AttnRtStatus status = ATTN_RT_OK;
  for (int i = 0; i < count && !status; ++i) {
    void *stream = makeStream(driver);
    status = run(kernel, stream, out, 0);
    driver.StreamDestroy(stream);
  }
  check(!status, "launches on 1500 streams", attn_rt_last_error());
  drive("cuCtxSynchronize");
  check(!countWrong(out, count), "every tile once a launch on each of them");
}

/// A captured graph is replayed while its stream and others run eagerly.
void testGraphs(const Driver &driver, Kernel &fresh) {
  void *stream = makeStream(driver), *other = makeStream(driver),
       *replay = makeStream(driver);
  DevicePtr inGraph = makeOut(driver), eager = makeOut(driver);
  // The kernel's first launch is captured, in the mode that forbids most.
  int result = drive<void *, int>("cuStreamBeginCapture_v2", stream, 0);
  AttnRtStatus status = run(fresh, stream, inGraph);
  std::string text = attn_rt_last_error();
  // Meanwhile another thread meets its context's first things.
  Kernel another;
  std::thread([&] {
    void *context = nullptr;
    driver.StreamGetCtx(other, &context);
    AttnRtStatus theirs = run(another, other, eager);
    check(!theirs, "a kernel is loaded while another thread captures",
          theirs ? attn_rt_last_error() : "");
  }).join();
  if (!status)
    status = run(fresh, stream, inGraph);
  void *graph = nullptr, *executable = nullptr, *second = nullptr;
  result |= drive<void *, void **>("cuStreamEndCapture", stream, &graph);
  check(!status && !result, "two calls are captured", text);
  result = drive<void **, void *, unsigned long long>(
      "cuGraphInstantiateWithFlags", &executable, graph, 0ull);
  check(!result, "the graph is instantiated", std::to_string(result));
  int twice = drive<void **, void *, unsigned long long>(
      "cuGraphInstantiateWithFlags", &second, graph, 0ull);
  check(twice != 0, "the driver refuses a second executable of it",
        std::to_string(twice));
  constexpr int rounds = 20;
  for (int i = 0; i < rounds && !status; ++i) {
    result |= drive<void *, void *>("cuGraphLaunch", executable, replay);
    status = run(fresh, stream, eager);
    if (!status)
      status = run(another, other, eager);
  }
  int ended = drive("cuCtxSynchronize");
  check(!status && !result && !ended, "replays among eager launches",
        attn_rt_last_error());
  check(!countWrong(inGraph, 2 * rounds), "every tile once a launch in graphs");
  check(!countWrong(eager, 2 * rounds + 1), "and beside them");
}

//===----------------------------------------------------------------------===//
// Tile maps
//===----------------------------------------------------------------------===//

/// What the runtime takes the driver must take.
void testTileMaps(const Driver &driver) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases every time.
  std::mt19937 random(1);
  auto pick = [&](std::initializer_list<int64_t> values) {
    return values.begin()[random() % values.size()];
  };
  DevicePtr memory = 0;
  driver.MemAlloc(&memory, 1 << 20);
  int fits = 0, refused = 0;
  std::string first;
  for (int i = 0; i < 20000; ++i) {
    AttnRtTile tile = {"x",
                       ATTN_RT_TYPE_BFLOAT,
                       16,
                       uint8_t(1 + random() % 5),
                       uint8_t(pick({0, 32, 64, 128})),
                       {int32_t(pick({8, 16, 32, 64, 128, 256, 4})),
                        int32_t(pick({1, 64, 80, 128, 256, 257})),
                        int32_t(pick({1, 2})), 1, 1}};
    int64_t extents[5], strides[5];
    for (int d = 0; d < 5; ++d) {
      extents[d] = pick({1, 7, 64, 128, 1000, int64_t(1) << 32});
      strides[d] = d == 0 ? 2
                          : pick({16, 32, 256, 8, 0, 4096, 1 << 20,
                                  (int64_t(1) << 40) - 16});
    }
    const void *base = reinterpret_cast<const void *>(
        static_cast<uintptr_t>(memory) + size_t(pick({0, 16, 8, 128})));
    if (!attn_rt_cuda_tile_map_fits(&tile, base, extents, strides))
      continue;
    ++fits;
    alignas(64) char map[ATTN_RT_CUDA_TILE_MAP_BYTES];
    if (attn_rt_cuda_encode_tile_map(nullptr, map, &tile, base, extents,
                                     strides)) {
      ++refused;
      if (first.empty())
        first = attn_rt_last_error();
    }
  }
  check(fits > 500 && !refused, "the driver takes every map that fits",
        std::to_string(fits) + " fit, " + std::to_string(refused) +
            " refused " + first);
}

//===----------------------------------------------------------------------===//
// Arguments and time
//===----------------------------------------------------------------------===//

void testArguments(const Driver &driver) {
  static const int64_t dims[] = {-1};
  static const AttnRtArgument args[] = {
      {"x", dims, 1, ATTN_RT_TYPE_FLOAT, 32, 0}};
  static const AttnRtFunction fn = {
      ATTN_RT_ABI_VERSION, 1, 1, 0, "f", args, nullptr, nullptr, 0};
  int64_t extent = 4;
  AttnRtTensor tensor = {nullptr, {},      1, {ATTN_RT_TYPE_FLOAT, 32, 1},
                         &extent, nullptr, 0};
  tensor.device.device_type = ATTN_RT_DEVICE_CUDA;
  const AttnRtTensor *tensors[] = {&tensor};
  int64_t descriptor[5];
  void *descriptors[] = {descriptor};
  auto bind = [&](uintptr_t data) {
    tensor.data = reinterpret_cast<void *>(data);
    AttnRtCudaCall call;
    AttnRtStatus status =
        attn_rt_cuda_begin(&call, nullptr, &fn, tensors, descriptors);
    return status ? status : attn_rt_cuda_end(&call, status);
  };
  DevicePtr device = 0, pooled = 0, managed = 0;
  driver.MemAlloc(&device, 64);
  driver.MemAllocAsync(&pooled, 64, nullptr);
  drive<DevicePtr *, size_t, unsigned>("cuMemAllocManaged", &managed,
                                       size_t(64), 1u);
  void *pinned = nullptr;
  drive<void **, size_t>("cuMemAllocHost_v2", &pinned, size_t(64));
  float host[4];
  check(!bind(device), "device memory", attn_rt_last_error());
  check(!bind(device + 16), "an address inside of it");
  check(!bind(pooled), "memory of a pool", attn_rt_last_error());
  check(!bind(managed), "managed memory", attn_rt_last_error());
  check(bind(reinterpret_cast<uintptr_t>(host)) == ATTN_RT_INVALID_DEVICE,
        "memory of the CPU is refused", attn_rt_last_error());
  check(bind(reinterpret_cast<uintptr_t>(pinned)) == ATTN_RT_INVALID_DEVICE,
        "pinned memory is refused", attn_rt_last_error());
}

void testThreadWithoutContext(Kernel &kernel) {
  std::thread([&] {
    AttnRtCudaCall call;
    AttnRtStatus status =
        attn_rt_cuda_begin(&call, nullptr, nullptr, nullptr, nullptr);
    check(!status, "a call in a thread that knows no context",
          status ? attn_rt_last_error() : "");
    if (!status) {
      check(!attn_rt_cuda_load(&call, &kernel), "which may load");
      attn_rt_cuda_end(&call, ATTN_RT_OK);
    }
  }).join();
}

void testTime(const Driver &driver, Kernel &kernel) {
  DevicePtr out = makeOut(driver);
  void *stream = makeStream(driver);
  auto measure = [&](auto once) {
    double best = 1e9;
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 50; ++i)
        once();
      std::chrono::duration<double, std::micro> time =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, time.count() / 50);
      drive("cuCtxSynchronize");
    }
    return best;
  };
  AttnRtCudaCall call;
  attn_rt_cuda_begin(&call, stream, nullptr, nullptr, nullptr);
  void *counter = nullptr;
  attn_rt_cuda_counter(&call, &counter);
  uint32_t tiles = 1, dawdle = 0;
  void *params[] = {&out, static_cast<void *>(&counter), &tiles, &dawdle};
  double launch = measure(
      [&] { attn_rt_cuda_launch(&call, &kernel, kBlocks, 1, 1, params); });
  attn_rt_cuda_end(&call, ATTN_RT_OK);
  double whole = measure([&] { run(kernel, stream, out, 0); });
  char text[100];
  snprintf(text, sizeof(text), "launch %.2f us, call with counter %.2f us",
           launch, whole);
  check(whole - launch < 10, "the host's time beyond the launch", text);
}

} // namespace

int main() {
  AttnRtCudaDevice facts;
  const Driver *driver = getDriver();
  if (!driver || attn_rt_cuda_device(0, &facts) || facts.capability < 90) {
    printf("skipped: no device of compute capability 9.0: %s\n",
           attn_rt_last_error());
    return 77;
  }
  printf("device of compute capability %d.%d, %d multiprocessors, driver for "
         "CUDA %d.%d\n",
         facts.capability / 10, facts.capability % 10, facts.sm_count,
         facts.driver_version / 1000, facts.driver_version % 1000 / 10);
  void *context = nullptr;
  driver->DevicePrimaryCtxRetain(&context, 0);
  Kernel kernel, captured;
  testThreadWithoutContext(kernel);
  driver->CtxPushCurrent(context);
  testArguments(*driver);
  testStreams(*driver, kernel);
  testGraphs(*driver, captured);
  testManyStreams(*driver, kernel);
  testTileMaps(*driver);
  testTime(*driver, kernel);
  attn_rt_cuda_unload(&kernel);
  attn_rt_cuda_unload(&captured);
  printf("%d failed\n", failures);
  return failures != 0;
}
