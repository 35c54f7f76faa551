//===- DriverTest.cpp - machines without a fit driver, and the cost of a call
//===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is opened once a process, so other drivers are met by another
// program. Where cuda.h is installed, the runtime's own declarations are
// compared with it.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "Cuda/Driver.h"

#include <chrono>
#include <cstdlib>

#if ATTN_TEST_HAS_CUDA_H
#include <cuda.h>
#endif

namespace {

/// What the probe prints under `environment`.
std::string probe(const std::string &environment) {
  std::string command = "env " + environment + " " ATTN_TEST_CUDA_PROBE;
  // NOLINTNEXTLINE(bugprone-command-processor): made of constants.
  FILE *pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[512];
  while (size_t count = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, count);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

} // namespace

TEST(CudaDriver, Fit) {
  EXPECT_EQ(probe("ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA), "ok: 2\n");
}

TEST(CudaDriver, Absent) {
  EXPECT_EQ(probe("ATTN_CUDA_DRIVER=/nowhere/libcuda.so.1"),
            "unsupported device: no CUDA driver (/nowhere/libcuda.so.1: cannot "
            "open shared object file: No such file or directory): expected the "
            "NVIDIA driver to be installed\n");
}

TEST(CudaDriver, TooOld) {
  EXPECT_EQ(probe("ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA_OLD),
            "unsupported device: the CUDA driver " ATTN_TEST_FAKE_CUDA_OLD
            " is for CUDA 11.4, expected 12.0 or newer; it lacks "
            "cuStreamGetId, cuTensorMapEncodeTiled\n");
}

/// Either is reason enough: the number, or what is not there.
TEST(CudaDriver, OldByNumberOrByFunctions) {
  EXPECT_EQ(
      probe("FAKE_CUDA_VERSION=11080 ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA),
      "unsupported device: the CUDA driver " ATTN_TEST_FAKE_CUDA
      " is for CUDA 11.8, expected 12.0 or newer\n");
  EXPECT_EQ(probe("FAKE_CUDA_VERSION=12000 "
                  "ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA_OLD),
            "unsupported device: the CUDA driver " ATTN_TEST_FAKE_CUDA_OLD
            " is for CUDA 12.0, expected 12.0 or newer; it lacks "
            "cuStreamGetId, cuTensorMapEncodeTiled\n");
}

TEST(CudaDriver, WithoutDevice) {
  EXPECT_EQ(
      probe("FAKE_CUDA_INIT=100 ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA),
      "unsupported device: cuInit gave CUDA_ERROR_NO_DEVICE (no CUDA-capable "
      "device is detected)\n");
  EXPECT_EQ(probe("FAKE_CUDA_INIT=12345 ATTN_CUDA_DRIVER=" ATTN_TEST_FAKE_CUDA),
            "unsupported device: cuInit gave an unknown error (no "
            "description)\n");
}

/// Not a CUDA driver at all.
TEST(CudaDriver, OtherLibrary) {
  std::string text = probe("ATTN_CUDA_DRIVER=libm.so.6");
  EXPECT_NE(text.find("unsupported device: the CUDA driver libm.so.6 is for "
                      "CUDA 0.0, expected 12.0 or newer; it lacks cuInit, "),
            std::string::npos)
      << text;
}

/// The host's part of a call beyond the launch: four tensors checked, four maps
/// encoded, a counter, two launches. The driver's own time is not in it. The
/// bound is that of the requirement, ten times what an idle machine needs.
TEST_F(Cuda, HostCost) {
  const int64_t dims[4] = {-1, -2, -3, 128};
  const AttnRtArgument args[4] = {
      {"q", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, 0},
      {"k", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, 0},
      {"v", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, 0},
      {"out", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, ATTN_RT_ARGUMENT_OUTPUT}};
  const char *symbols[3] = {"B", "H", "S"};
  const AttnRtFunction fn = {
      ATTN_RT_ABI_VERSION, 4, 3, 0, "f", args, symbols, nullptr, 0};
  char *memory =
      static_cast<char *>(fake.addMemory(4 * DeviceTensor::bytes, 0));
  DeviceTensor q(memory), k(memory + DeviceTensor::bytes),
      v(memory + 2 * DeviceTensor::bytes),
      out(memory + 3 * DeviceTensor::bytes);
  const AttnRtTensor *tensors[] = {&q, &k, &v, &out};
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[4], strides[4];
  } storage[4];
  void *descriptors[4] = {&storage[0], &storage[1], &storage[2], &storage[3]};
  AttnRtTile tile = {"q", ATTN_RT_TYPE_BFLOAT, 16, 3, 128, {64, 128, 1}};
  Image first, second;
  auto once = [&] {
    AttnRtCudaCall call;
    if (AttnRtStatus status =
            attn_rt_cuda_begin(&call, stream, &fn, tensors, descriptors))
      return status;
    AttnRtStatus status = ATTN_RT_OK;
    alignas(64) char maps[4][ATTN_RT_CUDA_TILE_MAP_BYTES];
    for (int i = 0; i < 4 && !status; ++i) {
      const int64_t extents[] = {128, storage[i].sizes[2],
                                 storage[i].sizes[0] * storage[i].sizes[1]};
      const int64_t strides[] = {2, storage[i].strides[2] * 2,
                                 storage[i].strides[1] * 2};
      status = attn_rt_cuda_encode_tile_map(
          nullptr, maps[i], &tile, storage[i].aligned, extents, strides);
    }
    void *counter = nullptr;
    if (!status)
      status = attn_rt_cuda_counter(&call, &counter);
    void *params[] = {maps[0], maps[1], maps[2], maps[3],
                      static_cast<void *>(&counter)};
    if (!status)
      status = attn_rt_cuda_launch(&call, &first, 132, 1, 1, params);
    if (!status)
      status = attn_rt_cuda_launch(&call, &second, 132, 1, 1, params);
    return attn_rt_cuda_end(&call, status);
  };
  ASSERT_EQ(once(), ATTN_RT_OK) << attn_rt_last_error();
  fake.quiet = true;
  double best = 1e9;
  AttnRtStatus status = ATTN_RT_OK;
  for (int repeat = 0; repeat < 50 && !status; ++repeat) {
    constexpr int count = 200;
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count && !status; ++i)
      status = once();
    std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / count);
  }
  fake.quiet = false;
  EXPECT_EQ(status, ATTN_RT_OK) << attn_rt_last_error();
  RecordProperty("microseconds", std::to_string(best));
  printf("a call costs %.2f us of the host\n", best);
  EXPECT_LT(best, 10.0);
}

#if ATTN_TEST_HAS_CUDA_H
using namespace attn::rt::cuda;

TEST(CudaDriver, DeclarationsAgreeWithCudaH) {
  EXPECT_EQ(sizeof(LaunchConfig), sizeof(CUlaunchConfig));
  EXPECT_EQ(offsetof(LaunchConfig, grid), offsetof(CUlaunchConfig, gridDimX));
  EXPECT_EQ(offsetof(LaunchConfig, block), offsetof(CUlaunchConfig, blockDimX));
  EXPECT_EQ(offsetof(LaunchConfig, sharedBytes),
            offsetof(CUlaunchConfig, sharedMemBytes));
  EXPECT_EQ(offsetof(LaunchConfig, stream), offsetof(CUlaunchConfig, hStream));
  EXPECT_EQ(offsetof(LaunchConfig, attributes),
            offsetof(CUlaunchConfig, attrs));
  EXPECT_EQ(offsetof(LaunchConfig, numAttributes),
            offsetof(CUlaunchConfig, numAttrs));
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(CUlaunchAttribute));
  EXPECT_EQ(offsetof(LaunchAttribute, value),
            offsetof(CUlaunchAttribute, value));
  EXPECT_EQ(sizeof(CUtensorMap), size_t(ATTN_RT_CUDA_TILE_MAP_BYTES));
  EXPECT_EQ(sizeof(CUdeviceptr), sizeof(DevicePtr));
  EXPECT_EQ(sizeof(CUresult), sizeof(Result));
  const int pairs[][2] = {
      {kErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY},
      {kErrorNoDevice, CUDA_ERROR_NO_DEVICE},
      {kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {kCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {kCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {kMaxSharedBytesOptin,
       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
      {kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {kFunctionMaxDynamicSharedBytes,
       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
      {kFunctionNonPortableCluster,
       CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED},
      {kPointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE},
      {kPointerIsManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED},
      {kPointerDeviceOrdinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL},
      {kMemoryTypeDevice, CU_MEMORYTYPE_DEVICE},
      {kJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER},
      {kJitErrorLogBufferBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES},
      {kCaptureNone, CU_STREAM_CAPTURE_STATUS_NONE},
      {kCaptureActive, CU_STREAM_CAPTURE_STATUS_ACTIVE},
      {kCaptureModeRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED},
      {kStreamNonBlocking, CU_STREAM_NON_BLOCKING},
      {kLaunchClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION},
      {kTensorMapL2Promotion256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B},
      {1, CU_TENSOR_MAP_SWIZZLE_32B},
      {2, CU_TENSOR_MAP_SWIZZLE_64B},
      {3, CU_TENSOR_MAP_SWIZZLE_128B},
      {0, CU_TENSOR_MAP_DATA_TYPE_UINT8},
      {1, CU_TENSOR_MAP_DATA_TYPE_UINT16},
      {2, CU_TENSOR_MAP_DATA_TYPE_UINT32},
      {3, CU_TENSOR_MAP_DATA_TYPE_INT32},
      {4, CU_TENSOR_MAP_DATA_TYPE_UINT64},
      {5, CU_TENSOR_MAP_DATA_TYPE_INT64},
      {6, CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
      {7, CU_TENSOR_MAP_DATA_TYPE_FLOAT32},
      {8, CU_TENSOR_MAP_DATA_TYPE_FLOAT64},
      {9, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
  };
  for (auto &pair : pairs)
    EXPECT_EQ(pair[0], pair[1]) << &pair - pairs;
}
#endif
