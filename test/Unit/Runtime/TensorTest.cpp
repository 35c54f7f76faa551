//===- TensorTest.cpp - Layout of the runtime's structures ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts that other projects and the compiler rely on, against DLPack's
// header where it is installed and against written-out offsets everywhere.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h> // after our header: both must stand in one file
#define HAVE_DLPACK 1
#endif

#include <cstddef>
#include <gtest/gtest.h>

static_assert(sizeof(void *) != 8 || sizeof(AttnRtTensor) == 48);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, data) == 0);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, device) == 8);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, ndim) == 16);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, dtype) == 20);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, shape) == 24);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, strides) == 32);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtTensor, byte_offset) == 40);
static_assert(sizeof(AttnRtDataType) == 4);
static_assert(offsetof(AttnRtDataType, bits) == 1);
static_assert(offsetof(AttnRtDataType, lanes) == 2);
static_assert(sizeof(AttnRtDevice) == 8);

#ifdef HAVE_DLPACK
#define SAME_OFFSET(field)                                                     \
  static_assert(offsetof(AttnRtTensor, field) == offsetof(DLTensor, field));   \
  static_assert(sizeof(AttnRtTensor::field) == sizeof(DLTensor::field))
SAME_OFFSET(data);
SAME_OFFSET(device);
SAME_OFFSET(ndim);
SAME_OFFSET(dtype);
SAME_OFFSET(shape);
SAME_OFFSET(strides);
SAME_OFFSET(byte_offset);
static_assert(sizeof(AttnRtTensor) == sizeof(DLTensor));
static_assert(int(ATTN_RT_TYPE_INT) == kDLInt);
static_assert(int(ATTN_RT_TYPE_UINT) == kDLUInt);
static_assert(int(ATTN_RT_TYPE_FLOAT) == kDLFloat);
static_assert(int(ATTN_RT_TYPE_BFLOAT) == kDLBfloat);
static_assert(int(ATTN_RT_TYPE_COMPLEX) == kDLComplex);
static_assert(int(ATTN_RT_DEVICE_CPU) == kDLCPU);
static_assert(int(ATTN_RT_DEVICE_CUDA_HOST) == kDLCUDAHost);
static_assert(int(ATTN_RT_DEVICE_ROCM_HOST) == kDLROCMHost);
#endif

// What the compiler emits as constants: {ptr, ptr, i32, i8, i8, i16},
// {i32 x 6} and {i32 x 4, ptr x 4, i64}.
static_assert(sizeof(void *) != 8 || sizeof(AttnRtArgument) == 24);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtArgument, rank) == 16);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtArgument, type_code) == 20);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtArgument, type_bits) == 21);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtArgument, flags) == 22);
static_assert(sizeof(AttnRtConstraint) == 24);
static_assert(sizeof(void *) != 8 || sizeof(AttnRtFunction) == 56);
static_assert(sizeof(void *) != 8 || offsetof(AttnRtFunction, name) == 16);
static_assert(sizeof(void *) != 8 ||
              offsetof(AttnRtFunction, required_cpu_features) == 48);

// The checks above happen when this file is compiled.
TEST(Tensor, LayoutsAreThoseOfTheABI) { SUCCEED(); }
