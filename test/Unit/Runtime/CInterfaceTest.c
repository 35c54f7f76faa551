//===- CInterfaceTest.c - The runtime's headers from C99 ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes every header and makes one right and one wrong call from plain C,
// linked without the C++ library.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"
#include "attn-rt/Cpu.h"
#include "attn-rt/Cuda.h"
#include "attn-rt/Export.h"
#include "attn-rt/Parallel.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"

#include <stdio.h>
#include <string.h>

struct Sum {
  int64_t values[100];
};

static void square(void *context, int64_t index) {
  ((struct Sum *)context)->values[index] = index * index;
}

static int check(int condition, const char *text) {
  if (!condition)
    fprintf(stderr, "failed: %s\n", text);
  return !condition;
}

int main(void) {
  static const int64_t dims[] = {-1, 4};
  static const AttnRtArgument args[] = {
      {"x", dims, 2, ATTN_RT_TYPE_FLOAT, 32, 0}};
  static const char *const symbols[] = {"N"};
  static const AttnRtFunction fn = {
      ATTN_RT_ABI_VERSION, 1, 1, 0, "f", args, symbols, NULL, 0};
  float data[12] = {0};
  int64_t shape[] = {3, 4};
  AttnRtTensor tensor = {data,  {ATTN_RT_DEVICE_CPU, 0},
                         2,     {ATTN_RT_TYPE_FLOAT, 32, 1},
                         shape, NULL,
                         0};
  const AttnRtTensor *tensors[1];
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } descriptor;
  void *descriptors[1];
  struct Sum sum;
  int64_t total = 0, i;
  int failures = 0;

  tensors[0] = &tensor;
  descriptors[0] = &descriptor;
  failures +=
      check(attn_rt_bind_arguments(&fn, tensors, descriptors) == ATTN_RT_OK,
            "a right call is accepted");
  failures += check(descriptor.aligned == data && descriptor.sizes[0] == 3 &&
                        descriptor.strides[0] == 4,
                    "the descriptor is filled");
  shape[1] = 5;
  failures += check(attn_rt_bind_arguments(&fn, tensors, descriptors) ==
                        ATTN_RT_INVALID_SHAPE,
                    "a wrong extent is refused");
  failures += check(strstr(attn_rt_last_error(), "argument 'x'") != NULL,
                    "the text names the argument");

  attn_rt_parallel_for(square, &sum, 100);
  for (i = 0; i < 100; ++i)
    total += sum.values[i];
  failures += check(total == 328350, "the loop ran each index once");
  failures += check(attn_rt_get_num_threads() >= 1, "there is a thread");
  failures += check(attn_rt_cpu_feature_bit("avx2") == ATTN_RT_CPU_AVX2,
                    "features have names");
  return failures != 0;
}
