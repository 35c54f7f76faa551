/*===- main.c - Calls a compiled attention function
------------------------===*\
|*
|* Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE.TXT for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Makes tensors, calls `causal` of layer.mlir, prints an element of the result.
|*
\*===----------------------------------------------------------------------===*/

#include "attn-rt/Status.h"
#include "layer.h"
#include <stdio.h>
#include <stdlib.h>

/* A dense tensor of 1 batch, 2 heads, 16 tokens and 64 columns. */
static AttnRtTensor make(float value) {
  static int64_t shape[4] = {1, 2, 16, 64};
  float *data = malloc(2 * 16 * 64 * sizeof(float));
  for (int n = 0; n < 2 * 16 * 64; ++n)
    data[n] = value;
  AttnRtTensor tensor = {data,  {ATTN_RT_DEVICE_CPU, 0},
                         4,     {ATTN_RT_TYPE_FLOAT, 32, 1},
                         shape, NULL,
                         0};
  return tensor;
}

int main(void) {
  AttnRtTensor q = make(1), k = make(1), v = make(3), out = make(0);
  if (causal(&q, &k, &v, &out) != ATTN_RT_OK) {
    fprintf(stderr, "%s\n", attn_rt_last_error());
    return 1;
  }
  printf("%g\n", ((float *)out.data)[0]); /* the mean of equal values: 3 */
  return 0;
}
