//===- Probe.c - is there a CUDA driver -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the number of devices, or why there are none.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include <stdio.h>

int main(void) {
  int32_t count = 0;
  AttnRtStatus status = attn_rt_cuda_device_count(&count);
  AttnRtCudaCall call;
  if (status == ATTN_RT_OK) {
    printf("ok: %d\n", (int)count);
    return 0;
  }
  /* The same again from every entry. */
  if (attn_rt_cuda_begin(&call, NULL, NULL, NULL, NULL) != status)
    return 1;
  printf("%s: %s\n", attn_rt_status_name(status), attn_rt_last_error());
  return 0;
}
