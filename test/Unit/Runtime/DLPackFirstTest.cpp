//===- DLPackFirstTest.cpp - Tensor.h after <dlpack/dlpack.h> -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With DLPack's own header included first, the runtime's tensor is DLTensor.
//
//===----------------------------------------------------------------------===//

#if __has_include(<dlpack/dlpack.h>)

#include <dlpack/dlpack.h>

#include "attn-rt/Arguments.h"

#include <gtest/gtest.h>
#include <type_traits>

TEST(Tensor, IsDLTensorAfterDLPack) {
  EXPECT_TRUE((std::is_same_v<AttnRtTensor, DLTensor>));
  // Callable without a cast.
  AttnRtFunction fn = {};
  fn.abi_version = ATTN_RT_ABI_VERSION;
  fn.name = "f";
  const DLTensor *const *tensors = nullptr;
  EXPECT_EQ(attn_rt_bind_arguments(&fn, tensors, nullptr), ATTN_RT_OK);
}

#endif
