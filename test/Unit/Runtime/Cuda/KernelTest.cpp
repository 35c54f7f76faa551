//===- KernelTest.cpp - loading and launching kernels ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is loaded when, what a launch hands to the driver, and every error.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <thread>

namespace {

class CudaKernel : public Cuda {
protected:
  AttnRtStatus launch(AttnRtKernelImage &image, void *on, int64_t x = 132,
                      int64_t y = 1, int64_t z = 1) {
    AttnRtCudaCall call;
    if (AttnRtStatus status = begin(call, on))
      return status;
    int value = 0;
    void *params[] = {&value};
    return attn_rt_cuda_end(
        &call, attn_rt_cuda_launch(&call, &image, x, y, z, params));
  }
};

const char kCubin[] = "\x7f"
                      "ELF attn_fwd";

} // namespace

TEST_F(CudaKernel, WhatIsLaunched) {
  Image image;
  image.cluster[1] = 2;
  fake.recordedParams = 2;
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  int a = 0, b = 0;
  void *params[] = {&a, &b};
  ASSERT_EQ(attn_rt_cuda_launch(&call, &image, 7, 4, 3, params), ATTN_RT_OK)
      << attn_rt_last_error();
  attn_rt_cuda_end(&call, ATTN_RT_OK);
  ASSERT_EQ(fake.launches.size(), 1u);
  const fake::Launch &launch = fake.launches[0];
  EXPECT_EQ(launch.kernel, "attn_fwd");
  EXPECT_EQ(std::vector<unsigned>(launch.grid, launch.grid + 3),
            (std::vector<unsigned>{7, 4, 3}));
  EXPECT_EQ(std::vector<unsigned>(launch.block, launch.block + 3),
            (std::vector<unsigned>{384, 1, 1}));
  EXPECT_EQ(std::vector<unsigned>(launch.cluster, launch.cluster + 3),
            (std::vector<unsigned>{1, 2, 1}));
  EXPECT_EQ(launch.sharedBytes, 229504u);
  EXPECT_EQ(launch.stream, stream);
  EXPECT_EQ(launch.params, (std::vector<void *>{&a, &b}));
}

TEST_F(CudaKernel, LoadedOncePerContext) {
  Image image;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake.count("cuFuncSetAttribute"), 1);
  fake::Context *other = fake.createContext(1);
  fake::Stream *theirs = fake.createStream(other);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(launch(image, theirs), ATTN_RT_OK) << attn_rt_last_error();
    ASSERT_EQ(launch(image, stream), ATTN_RT_OK) << attn_rt_last_error();
  }
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(fake.launches.size(), 9u);
  // Two contexts of one device do not share either.
  fake::Context *third = fake.createContext(0);
  ASSERT_EQ(launch(image, fake.createStream(third)), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 3);
  Image another;
  ASSERT_EQ(launch(another, stream), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 4);
}

TEST_F(CudaKernel, UnloadedFromEveryContextThatIsLeft) {
  fake::Context *gone = fake.createContext(0);
  fake::Context *left = fake.createContext(1);
  {
    Image image;
    ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
    ASSERT_EQ(launch(image, fake.createStream(gone)), ATTN_RT_OK);
    ASSERT_EQ(launch(image, fake.createStream(left)), ATTN_RT_OK);
    gone->destroyed = true;
    attn_rt_cuda_unload(&image);
    EXPECT_EQ(image.loaded, nullptr);
    EXPECT_EQ(fake.count("cuModuleUnload"), 2);
    EXPECT_EQ(fake_cuda_stack_depth(), 1);
    // And it may be used again.
    ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
  }
  EXPECT_EQ(fake.count("cuModuleUnload"), 3);
}

/// A module of a destroyed context is not taken from the new one that has its
/// address.
TEST_F(CudaKernel, NotUnloadedFromAContextAtAnOldAddress) {
  Image image;
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
  context->id = fake.nextId++;
  attn_rt_cuda_unload(&image);
  EXPECT_EQ(fake.count("cuModuleUnload"), 0);
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 2);
}

TEST_F(CudaKernel, LoadAhead) {
  Image image;
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  ASSERT_EQ(attn_rt_cuda_load(&call, &image), ATTN_RT_OK);
  attn_rt_cuda_end(&call, ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 1);
  EXPECT_TRUE(fake.launches.empty());
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 1);
}

/// A kernel met for the first time while this or another thread captures.
TEST_F(CudaKernel, FirstLaunchIsCaptured) {
  Image image;
  stream->capture = 1;
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK) << attn_rt_last_error();
  EXPECT_EQ(stream->capture, 1) << "the capture goes on";
  EXPECT_TRUE(fake.launches.at(0).captured);
}

TEST_F(CudaKernel, EmptyGrids) {
  Image image;
  EXPECT_EQ(launch(image, stream, 0, 4, 3), ATTN_RT_OK);
  EXPECT_EQ(launch(image, stream, 4, 0, 3), ATTN_RT_OK);
  EXPECT_EQ(launch(image, stream, 4, 4, 0), ATTN_RT_OK);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 0);
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(CudaKernel, GridsOutOfRange) {
  Image image;
  image.cluster[0] = 2;
  const char *prefix = "kernel 'attn_fwd' on CUDA:0: grid expected from 0 to "
                       "[2147483647, 65535, 65535] and a multiple of the "
                       "cluster [2, 1, 1], got ";
  EXPECT_EQ(launch(image, stream, 3, 1, 1), ATTN_RT_INVALID_VALUE);
  EXPECT_EQ(attn_rt_last_error(), std::string(prefix) + "[3, 1, 1]");
  EXPECT_EQ(launch(image, stream, 2, 65536, 1), ATTN_RT_INVALID_VALUE);
  EXPECT_EQ(attn_rt_last_error(), std::string(prefix) + "[2, 65536, 1]");
  EXPECT_EQ(launch(image, stream, 2, 1, -1), ATTN_RT_INVALID_VALUE);
  EXPECT_EQ(launch(image, stream, int64_t(1) << 31, 1, 1),
            ATTN_RT_INVALID_VALUE);
  image.cluster[0] = 0;
  EXPECT_EQ(launch(image, stream, 2, 1, 1), ATTN_RT_INVALID_VALUE);
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(CudaKernel, CubinForTheDevice) {
  const AttnRtCubin cubins[] = {{80, 0, "wrong", 5},
                                {90, 1, kCubin, sizeof(kCubin)}};
  Image image;
  image.cubins = cubins;
  image.num_cubins = 2;
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK) << attn_rt_last_error();
  EXPECT_EQ(fake.modules.back()->image.substr(1, 3), "ELF");
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 1);
}

/// Machine code runs on later minor versions of its major one, PTX on all later
/// devices, and what is made for one exact device there only.
TEST_F(CudaKernel, WhichCodeRunsWhere) {
  struct {
    int capability, cubin;
    bool exact;
    int ptx;
    bool ptxExact;
    char loaded; // 'c', 'p' or none
  } cases[] = {
      {89, 80, false, 80, false, 'c'},  {90, 80, false, 80, false, 'p'},
      {80, 86, false, 70, false, 'p'},  {90, 90, true, 90, true, 'c'},
      {91, 90, true, 90, true, 0},      {100, 90, true, 90, true, 0},
      {100, 90, false, 90, false, 'p'}, {80, 90, false, 90, false, 0},
      {86, 86, false, 0, false, 'c'},
  };
  for (auto &one : cases) {
    fake::Context *context = fake.createContext(0);
    fake.capability[0] = one.capability;
    const AttnRtCubin cubins[] = {
        {one.cubin, one.exact, kCubin, sizeof(kCubin)}};
    Image image;
    image.cubins = cubins;
    image.num_cubins = 1;
    image.ptx_capability = one.ptx;
    image.ptx_exact = one.ptxExact;
    if (!one.ptx)
      image.ptx = nullptr;
    AttnRtStatus status = launch(image, fake.createStream(context));
    EXPECT_EQ(status, one.loaded ? ATTN_RT_OK : ATTN_RT_UNSUPPORTED_DEVICE)
        << one.capability;
    if (one.loaded) {
      EXPECT_EQ(fake.modules.back()->image[0], one.loaded == 'c' ? 0x7f : '.')
          << one.capability;
    }
  }
}

TEST_F(CudaKernel, NothingForTheDevice) {
  fake.capability[0] = 100;
  const AttnRtCubin cubins[] = {{90, 1, kCubin, sizeof(kCubin)},
                                {80, 0, kCubin, sizeof(kCubin)}};
  Image image;
  image.cubins = cubins;
  image.num_cubins = 2;
  EXPECT_EQ(launch(image, stream), ATTN_RT_UNSUPPORTED_DEVICE);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: compiled for sm_90a, sm_80, "
               "sm_90a (PTX), the device has compute capability 10.0");
  Image none(nullptr);
  EXPECT_EQ(launch(none, stream), ATTN_RT_UNSUPPORTED_DEVICE);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: compiled for nothing, the device "
               "has compute capability 10.0");
}

/// A driver too old for the cubin may still compile the PTX; if it cannot, both
/// reasons are told, with the compiler's own words.
TEST_F(CudaKernel, CubinThatDoesNotLoad) {
  const AttnRtCubin cubins[] = {{90, 1, kCubin, sizeof(kCubin)}};
  Image image;
  image.cubins = cubins;
  image.num_cubins = 1;
  fake.failures["cubin"] = 200;
  ASSERT_EQ(launch(image, stream), ATTN_RT_OK) << attn_rt_last_error();
  EXPECT_EQ(fake.modules.back()->image[0], '.');
  attn_rt_cuda_unload(&image);
  fake.failures["PTX"] = 222;
  fake.jitLog = "ptxas fatal: Unsupported .version 8.7";
  EXPECT_EQ(launch(image, stream), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(
      attn_rt_last_error(),
      "kernel 'attn_fwd' on CUDA:0: cuModuleLoadDataEx gave "
      "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid) for its "
      "cubin: ptxas fatal: Unsupported .version 8.7; cuModuleLoadDataEx gave "
      "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (the provided PTX was compiled with "
      "an unsupported toolchain.) for its PTX: ptxas fatal: Unsupported "
      ".version 8.7");
  // Nothing is remembered of a failure.
  fake.failures.clear();
  EXPECT_EQ(launch(image, stream), ATTN_RT_OK);
}

TEST_F(CudaKernel, FailuresWhileLoading) {
  Image nameless(".version 8.7 // other");
  EXPECT_EQ(launch(nameless, stream), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: cuModuleGetFunction gave "
               "CUDA_ERROR_NOT_FOUND (named symbol not found)");
  EXPECT_EQ(fake.count("cuModuleUnload"), 1);
  Image image;
  fake.failures["cuFuncSetAttribute"] = 1;
  EXPECT_EQ(launch(image, stream), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: cuFuncSetAttribute gave "
               "CUDA_ERROR_INVALID_VALUE (invalid argument) for 229504 bytes "
               "of shared memory and a cluster of 1 blocks");
  EXPECT_EQ(fake.count("cuModuleUnload"), 2);
  fake.failures.clear();
  fake.failures["cuModuleLoadDataEx"] = 2;
  EXPECT_EQ(launch(image, stream), ATTN_RT_OUT_OF_MEMORY);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: cuModuleLoadDataEx gave "
               "CUDA_ERROR_OUT_OF_MEMORY (out of memory) for its PTX");
  fake.failures.clear();
  fake.maxThreads = 256;
  EXPECT_EQ(launch(image, stream), ATTN_RT_INTERNAL);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: 384 threads a block expected at "
               "most 256, by its registers");
  fake.maxThreads = 1024;
  image.shared_bytes = 232449;
  EXPECT_EQ(launch(image, stream), ATTN_RT_UNSUPPORTED_DEVICE);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: a block needs 232449 bytes of "
               "shared memory, expected at most the device's 232448");
  image.shared_bytes = 0;
  image.abi_version = 7;
  EXPECT_EQ(launch(image, stream), ATTN_RT_ABI_MISMATCH);
  EXPECT_STREQ(attn_rt_last_error(),
               "kernel 'attn_fwd' on CUDA:0: compiled for version 7 of the "
               "runtime's interface, this runtime has version 1");
}

TEST_F(CudaKernel, LargeClusters) {
  Image image;
  image.cluster[0] = 16;
  ASSERT_EQ(launch(image, stream, 32), ATTN_RT_OK);
  EXPECT_EQ(fake.functions.back()->attributes[14], 1);
  EXPECT_EQ(fake.functions.back()->attributes[8], 229504);
}

/// The error of a launch tells the kernel, the grid and the call's tensors.
TEST_F(CudaKernel, FailureOfALaunch) {
  Image image;
  TwoTensors two;
  DeviceTensor q(fake.addMemory(DeviceTensor::bytes, 0));
  DeviceTensor out(fake.addMemory(DeviceTensor::bytes, 0));
  const AttnRtTensor *tensors[] = {&q, &out};
  AttnRtCudaCall call;
  ASSERT_EQ(
      attn_rt_cuda_begin(&call, stream, &two.fn, tensors, two.descriptors),
      ATTN_RT_OK)
      << attn_rt_last_error();
  fake.failures["cuLaunchKernelEx"] = 719;
  EXPECT_EQ(attn_rt_cuda_launch(&call, &image, 132, 2, 1, nullptr),
            ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(),
               "function 'prefill':\n"
               "  kernel 'attn_fwd' on CUDA:0: cuLaunchKernelEx gave "
               "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure) for a "
               "grid of [132, 2, 1] with 384 threads and 229504 bytes of "
               "shared memory a block\n"
               "  argument 'q': bf16[1, 2, 64, 128]\n"
               "  argument 'out': bf16[1, 2, 64, 128]");
  attn_rt_cuda_end(&call, ATTN_RT_DEVICE_ERROR);
}

TEST_F(CudaKernel, ManyThreads) {
  Image images[4];
  fake::Context *other = fake.createContext(1);
  fake::Stream *streams[] = {stream, fake.createStream(other)};
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i)
        if (launch(images[(i + t) % 4], streams[(i / 4 + t) % 2]))
          ++failures;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(fake.launches.size(), 1600u);
  EXPECT_EQ(fake.count("cuModuleLoadDataEx"), 8);
}
