//===- fma_peak.c - f32 multiply-adds that one CPU can do -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the rate of independent fused multiply-adds in registers, of one
// thread in CPU time: the ceiling for every f32 result of the benchmarks.
//
//   clang-22 -O2 -march=native -ffp-contract=fast fma_peak.c && ./a.out
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <time.h>

// More chains than latency times issue width needs, fewer than registers.
enum { Chains = 12, Rounds = 20000000 };

#ifdef __AVX512F__
enum { Lanes = 16 };
#elif defined(__AVX__)
enum { Lanes = 8 };
#else
enum { Lanes = 4 };
#endif
typedef float Vector __attribute__((vector_size(4 * Lanes)));

int main(void) {
  Vector sums[Chains] = {{0}};
  Vector factor = (Vector){0} + 0.999f, addend = (Vector){0} + 0.001f;
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    clock_t start = clock();
    for (int round = 0; round < Rounds; ++round)
#pragma GCC unroll 12
      for (int chain = 0; chain < Chains; ++chain) {
        sums[chain] = sums[chain] * factor + addend;
        // Keeps the compiler from merging rounds.
        __asm__ volatile("" : "+v"(sums[chain]));
      }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    double rate = 2.0 * Rounds * Chains * Lanes / seconds;
    best = rate > best ? rate : best;
  }
  printf("%.0f GFLOP/s\n", best / 1e9);
  return 0;
}
