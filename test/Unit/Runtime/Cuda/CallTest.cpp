//===- CallTest.cpp - contexts, streams and tensors of a call -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which context a call runs in, and which memory it accepts.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <thread>

TEST_F(Cuda, FactsOfTheDevice) {
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK) << attn_rt_last_error();
  EXPECT_EQ(call.stream, stream);
  EXPECT_EQ(call.device, 0);
  EXPECT_EQ(call.capability, 90);
  EXPECT_EQ(call.sm_count, 132);
  EXPECT_EQ(call.shared_bytes, 232448);
  EXPECT_EQ(call.capturing, 0);
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
  int32_t count;
  EXPECT_EQ(attn_rt_cuda_device_count(&count), ATTN_RT_OK);
  EXPECT_EQ(count, 2);
  AttnRtCudaDevice device;
  fake.capability[1] = 100;
  EXPECT_EQ(attn_rt_cuda_device(1, &device), ATTN_RT_OK);
  EXPECT_EQ(device.capability, 100);
  EXPECT_EQ(device.sm_count, 132);
  EXPECT_EQ(device.driver_version, 12080);
  EXPECT_EQ(attn_rt_cuda_device(2, &device), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(),
               "cuDeviceGet gave CUDA_ERROR_INVALID_DEVICE (invalid device "
               "ordinal)");
}

/// A stream brings its context; the thread gets its own back.
TEST_F(Cuda, StreamOfAnotherContext) {
  fake::Context *other = fake.createContext(1);
  fake::Stream *theirs = fake.createStream(other);
  for (fake::Context *before : {context, (fake::Context *)nullptr}) {
    fake_cuda_set_current(before);
    int depth = fake_cuda_stack_depth();
    AttnRtCudaCall call;
    ASSERT_EQ(begin(call, theirs), ATTN_RT_OK) << attn_rt_last_error();
    EXPECT_EQ(call.device, 1);
    EXPECT_EQ(fake_cuda_stack_depth(), depth + 1);
    EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
    EXPECT_EQ(fake_cuda_stack_depth(), depth);
  }
  AttnRtCudaCall call;
  fake_cuda_set_current(other);
  ASSERT_EQ(begin(call, theirs), ATTN_RT_OK);
  EXPECT_EQ(fake_cuda_stack_depth(), 1) << "its own is not pushed again";
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
  EXPECT_EQ(fake_cuda_stack_depth(), 1);
}

/// A thread that has touched nothing of CUDA may call with the default stream.
TEST_F(Cuda, DefaultStreamWithoutContext) {
  void *memory = fake.addMemory(DeviceTensor::bytes * 2, 1);
  std::thread([&] {
    TwoTensors two;
    DeviceTensor q(memory, ATTN_RT_DEVICE_CUDA, 1);
    DeviceTensor out(static_cast<char *>(memory) + DeviceTensor::bytes,
                     ATTN_RT_DEVICE_CUDA, 1);
    const AttnRtTensor *tensors[] = {&q, &out};
    AttnRtCudaCall call;
    ASSERT_EQ(
        attn_rt_cuda_begin(&call, nullptr, &two.fn, tensors, two.descriptors),
        ATTN_RT_OK)
        << attn_rt_last_error();
    EXPECT_EQ(call.device, 1) << "the device of the first tensor";
    EXPECT_EQ(two.storage[1].aligned, out.data);
    EXPECT_EQ(two.storage[1].strides[1], 64 * 128);
    EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
    EXPECT_EQ(fake_cuda_stack_depth(), 0);
  }).join();
}

/// The handles of the legacy and the per-thread default stream are no streams
/// that could be asked for their context.
TEST_F(Cuda, DefaultStreamsByHandle) {
  fake_cuda_set_current(nullptr);
  for (uintptr_t handle : {1, 2}) {
    AttnRtCudaCall call;
    ASSERT_EQ(begin(call, reinterpret_cast<void *>(handle)), ATTN_RT_OK)
        << attn_rt_last_error();
    EXPECT_EQ(call.device, 0);
    EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
  }
}

/// A destroyed context's address may be that of a new one on another device.
TEST_F(Cuda, ContextAtAnOldAddress) {
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  attn_rt_cuda_end(&call, ATTN_RT_OK);
  context->id = fake.nextId++;
  context->device = 1;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  EXPECT_EQ(call.device, 1);
  attn_rt_cuda_end(&call, ATTN_RT_OK);
}

TEST_F(Cuda, TensorsElsewhere) {
  TwoTensors two;
  void *here = fake.addMemory(DeviceTensor::bytes, 0);
  void *there = fake.addMemory(DeviceTensor::bytes, 1);
  void *managed = fake.addMemory(DeviceTensor::bytes, 1, 2, true);
  void *pinned = fake.addMemory(DeviceTensor::bytes, 0, 1);
  std::vector<char> host(DeviceTensor::bytes + 16);
  char *hostData = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(host.data()) + 15) / 16 * 16);
  DeviceTensor good(here);
  auto status = [&](const DeviceTensor &out, std::string text) {
    const AttnRtTensor *tensors[] = {&good, &out};
    AttnRtCudaCall call;
    AttnRtStatus status =
        attn_rt_cuda_begin(&call, stream, &two.fn, tensors, two.descriptors);
    if (!status)
      attn_rt_cuda_end(&call, ATTN_RT_OK);
    else
      EXPECT_EQ(attn_rt_last_error(),
                "function 'prefill':\n  argument 'out': " + text);
    return status;
  };
  std::string expected =
      "expected memory of CUDA:0, the device of the stream, ";
  EXPECT_EQ(status(DeviceTensor(managed, ATTN_RT_DEVICE_CUDA_MANAGED), ""),
            ATTN_RT_OK);
  EXPECT_EQ(status(DeviceTensor(there, ATTN_RT_DEVICE_CUDA, 1),
                   expected + "got CUDA:1"),
            ATTN_RT_INVALID_DEVICE);
  EXPECT_EQ(status(DeviceTensor(hostData, ATTN_RT_DEVICE_CPU),
                   expected + "got CPU:0"),
            ATTN_RT_INVALID_DEVICE);
  // The tensor says one thing and the driver knows another.
  EXPECT_EQ(status(DeviceTensor(there),
                   expected + "got an address in memory of CUDA:1"),
            ATTN_RT_INVALID_DEVICE);
  for (void *address : {pinned, (void *)hostData})
    EXPECT_EQ(
        status(DeviceTensor(address),
               expected + "got an address that is not in a device's memory"),
        ATTN_RT_INVALID_DEVICE);
  fake.failures["cuPointerGetAttributes"] = 1;
  const AttnRtTensor *tensors[] = {&good, &good};
  AttnRtCudaCall call;
  EXPECT_EQ(
      attn_rt_cuda_begin(&call, stream, &two.fn, tensors, two.descriptors),
      ATTN_RT_INVALID_DEVICE);
  EXPECT_NE(std::string(attn_rt_last_error())
                .find("argument 'q': cuPointerGetAttributes gave "
                      "CUDA_ERROR_INVALID_VALUE (invalid argument)"),
            std::string::npos)
      << attn_rt_last_error();
}

/// The other checks are those of the CPU, and all reasons come at once.
TEST_F(Cuda, TensorsOfWrongShape) {
  TwoTensors two;
  DeviceTensor q(fake.addMemory(DeviceTensor::bytes, 0));
  DeviceTensor out(fake.addMemory(DeviceTensor::bytes, 1));
  out.extents[2] = 63;
  const AttnRtTensor *tensors[] = {&q, &out};
  AttnRtCudaCall call;
  EXPECT_EQ(
      attn_rt_cuda_begin(&call, stream, &two.fn, tensors, two.descriptors),
      ATTN_RT_INVALID_DEVICE);
  EXPECT_STREQ(attn_rt_last_error(),
               "function 'prefill':\n"
               "  argument 'out': expected memory of CUDA:0, the device of the "
               "stream, got an address in memory of CUDA:1\n"
               "  argument 'out': extent 2 (S) expected 64 as in argument 'q', "
               "got 63");
  EXPECT_EQ(fake_cuda_stack_depth(), 1);
}

/// Whatever fails, the thread's context is as it was.
TEST_F(Cuda, FailuresOfTheDriver) {
  fake::Context *other = fake.createContext(1);
  fake::Stream *theirs = fake.createStream(other);
  for (const char *function :
       {"cuCtxGetCurrent", "cuStreamGetCtx", "cuCtxPushCurrent", "cuCtxGetId",
        "cuCtxGetDevice", "cuDeviceGetAttribute", "cuStreamIsCapturing"}) {
    fake.failures = {{function, 400}};
    AttnRtCudaCall call;
    EXPECT_EQ(begin(call, theirs), ATTN_RT_DEVICE_ERROR) << function;
    std::string text = attn_rt_last_error();
    EXPECT_NE(text.find(std::string(function) +
                        " gave CUDA_ERROR_INVALID_HANDLE (invalid resource "
                        "handle)"),
              std::string::npos)
        << text;
    EXPECT_EQ(fake_cuda_stack_depth(), 1) << function;
  }
  fake.failures = {{"cuCtxPopCurrent", 201}};
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, theirs), ATTN_RT_OK);
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(), "cuCtxPopCurrent gave "
                                     "CUDA_ERROR_INVALID_CONTEXT (invalid "
                                     "device context)");
  // An earlier failure's text stays.
  fake_cuda_set_current(context); // which the failure has left above
  ASSERT_EQ(begin(call, theirs), ATTN_RT_OK);
  attn_rt_fail(ATTN_RT_INVALID_SHAPE, "earlier");
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_INVALID_SHAPE),
            ATTN_RT_INVALID_SHAPE);
  EXPECT_STREQ(attn_rt_last_error(), "earlier");
  fake.failures.clear();
  fake_cuda_set_current(context);
}
