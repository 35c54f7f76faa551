//===- CpuTest.cpp - Tests of CPU feature detection -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Detection against the compiler's own, and the table of names.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cpu.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

TEST(Cpu, NamesAndBitsAreInverse) {
  std::set<std::string> names;
  for (int bit = 0; bit < 64; ++bit) {
    uint64_t feature = UINT64_C(1) << bit;
    const char *name = attn_rt_cpu_feature_name(feature);
    EXPECT_EQ(name != nullptr, feature <= ATTN_RT_CPU_CMPCCXADD) << bit;
    if (!name)
      continue;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(attn_rt_cpu_feature_bit(name), feature) << name;
  }
  EXPECT_EQ(attn_rt_cpu_feature_name(ATTN_RT_CPU_AVX | ATTN_RT_CPU_AVX2),
            nullptr);
  EXPECT_EQ(attn_rt_cpu_feature_bit("no-such-feature"), 0u);
  EXPECT_EQ(attn_rt_cpu_feature_bit(nullptr), 0u);
}

TEST(Cpu, DetectionIsStable) {
  EXPECT_EQ(attn_rt_cpu_features(), attn_rt_cpu_features());
}

#if defined(__x86_64__)
// Each name must be a literal for the builtin.
#define CHECK_FEATURE(bit, name)                                               \
  EXPECT_EQ((attn_rt_cpu_features() & (bit)) != 0,                             \
            __builtin_cpu_supports(name) != 0)                                 \
      << name

TEST(Cpu, AgreesWithTheCompiler) {
  __builtin_cpu_init();
  CHECK_FEATURE(ATTN_RT_CPU_SSE3, "sse3");
  CHECK_FEATURE(ATTN_RT_CPU_SSSE3, "ssse3");
  CHECK_FEATURE(ATTN_RT_CPU_SSE4_1, "sse4.1");
  CHECK_FEATURE(ATTN_RT_CPU_SSE4_2, "sse4.2");
  CHECK_FEATURE(ATTN_RT_CPU_POPCNT, "popcnt");
  CHECK_FEATURE(ATTN_RT_CPU_AVX, "avx");
  CHECK_FEATURE(ATTN_RT_CPU_AVX2, "avx2");
  CHECK_FEATURE(ATTN_RT_CPU_BMI, "bmi");
  CHECK_FEATURE(ATTN_RT_CPU_BMI2, "bmi2");
  CHECK_FEATURE(ATTN_RT_CPU_FMA, "fma");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512F, "avx512f");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512BW, "avx512bw");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512CD, "avx512cd");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512DQ, "avx512dq");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512VL, "avx512vl");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512BF16, "avx512bf16");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512VNNI, "avx512vnni");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512VBMI, "avx512vbmi");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512VBMI2, "avx512vbmi2");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512IFMA, "avx512ifma");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512BITALG, "avx512bitalg");
  CHECK_FEATURE(ATTN_RT_CPU_AVX512VPOPCNTDQ, "avx512vpopcntdq");
  CHECK_FEATURE(ATTN_RT_CPU_GFNI, "gfni");
  CHECK_FEATURE(ATTN_RT_CPU_SSE4A, "sse4a");
  CHECK_FEATURE(ATTN_RT_CPU_XOP, "xop");
  CHECK_FEATURE(ATTN_RT_CPU_FMA4, "fma4");
  CHECK_FEATURE(ATTN_RT_CPU_PCLMUL, "pclmul");
  CHECK_FEATURE(ATTN_RT_CPU_VPCLMULQDQ, "vpclmulqdq");
}
#else
TEST(Cpu, OtherArchitecturesHaveNone) { EXPECT_EQ(attn_rt_cpu_features(), 0u); }
#endif
