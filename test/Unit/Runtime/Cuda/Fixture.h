//===- Fixture.h - A CUDA call on the fake driver ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the CUDA part share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_RUNTIME_CUDA_FIXTURE_H
#define ATTN_TEST_UNIT_RUNTIME_CUDA_FIXTURE_H

#include "attn-rt/Cuda.h"

#include "FakeDriver.h"

#include <gtest/gtest.h>
#include <string>

/// Every test starts in a context of its own on device 0, with a stream.
class Cuda : public ::testing::Test {
protected:
  void SetUp() override {
    fake.reset();
    context = fake.createContext(0);
    fake_cuda_set_current(context);
    stream = fake.createStream(context);
  }
  void TearDown() override {
    stream->capture = 0;
    fake_cuda_set_current(nullptr);
  }

  AttnRtStatus begin(AttnRtCudaCall &call, void *on) {
    return attn_rt_cuda_begin(&call, on, nullptr, nullptr, nullptr);
  }

  fake::State &fake = *fake_cuda_state();
  fake::Context *context = nullptr;
  fake::Stream *stream = nullptr;
};

/// A kernel image with PTX for sm_90a and no cubin.
struct Image : AttnRtKernelImage {
  explicit Image(const char *text = ".version 8.7 // attn_fwd")
      : AttnRtKernelImage{ATTN_RT_ABI_VERSION,
                          0,
                          "attn_fwd",
                          text,
                          nullptr,
                          90,
                          1,
                          384,
                          229504,
                          {1, 1, 1},
                          0,
                          nullptr} {}
  ~Image() { attn_rt_cuda_unload(this); }
};

/// A bf16 tensor of rank 4 in the fake device's memory.
struct DeviceTensor : AttnRtTensor {
  DeviceTensor(void *data, int deviceType = ATTN_RT_DEVICE_CUDA, int device = 0)
      : AttnRtTensor{data,    {},      4, {ATTN_RT_TYPE_BFLOAT, 16, 1},
                     extents, nullptr, 0} {
    this->device.device_type = deviceType;
    this->device.device_id = device;
  }
  DeviceTensor(const DeviceTensor &) = delete;
  int64_t extents[4] = {1, 2, 64, 128};
  static constexpr size_t bytes = size_t(2) * 64 * 128 * 2;
};

/// f(q, out), both of one shape.
struct TwoTensors {
  const int64_t dims[4] = {-1, -2, -3, 128};
  const AttnRtArgument args[2] = {
      {"q", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, 0},
      {"out", dims, 4, ATTN_RT_TYPE_BFLOAT, 16, ATTN_RT_ARGUMENT_OUTPUT}};
  const char *symbols[3] = {"B", "H", "S"};
  AttnRtFunction fn = {
      ATTN_RT_ABI_VERSION, 2, 3, 0, "prefill", args, symbols, nullptr, 0};
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[4], strides[4];
  } storage[2];
  void *descriptors[2] = {&storage[0], &storage[1]};
};

#endif // ATTN_TEST_UNIT_RUNTIME_CUDA_FIXTURE_H
