/*===- main.c - The runtime in a C program -----------------------*- C -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a loop on the thread pool.
//
//===----------------------------------------------------------------------===*/

#include "attn-rt/Parallel.h"

#include <stdio.h>

static void square(void *context, int64_t index) {
  ((int64_t *)context)[index] = index * index;
}

int main(void) {
  int64_t squares[100] = {0}, sum = 0;
  attn_rt_parallel_for(square, squares, 100);
  for (int i = 0; i < 100; ++i)
    sum += squares[i];
  printf("%lld\n", (long long)sum);
  return sum == 328350 ? 0 : 1;
}
