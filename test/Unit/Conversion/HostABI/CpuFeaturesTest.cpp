//===- CpuFeaturesTest.cpp - Tests of required CPU features ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Levels, CPUs and feature lists against the runtime's bits.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CpuFeatures.h"

#include "attn-rt/Cpu.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

static uint64_t get(StringRef cpu, StringRef features = "") {
  std::string problem;
  FailureOr<uint64_t> bits = getRequiredCpuFeatures(cpu, features, problem);
  EXPECT_TRUE(succeeded(bits)) << problem;
  return succeeded(bits) ? *bits : 0;
}

static std::string getProblem(StringRef cpu, StringRef features = "") {
  std::string problem;
  EXPECT_TRUE(failed(getRequiredCpuFeatures(cpu, features, problem)));
  return problem;
}

TEST(CpuFeatures, Levels) {
  EXPECT_EQ(get(""), 0u);
  EXPECT_EQ(get("x86-64"), 0u);
  EXPECT_EQ(get("x86-64-v2"), ATTN_RT_CPU_X86_64_V2);
  EXPECT_EQ(get("x86-64-v3"), ATTN_RT_CPU_X86_64_V3);
  EXPECT_EQ(get("x86-64-v4"), ATTN_RT_CPU_X86_64_V4);
}

TEST(CpuFeatures, FeaturesAreAddedAndTakenAway) {
  EXPECT_EQ(get("x86-64-v4", "+avx512bf16"),
            ATTN_RT_CPU_X86_64_V4 | ATTN_RT_CPU_AVX512BF16);
  EXPECT_EQ(get("x86-64-v3", "-fma"), ATTN_RT_CPU_X86_64_V3 & ~ATTN_RT_CPU_FMA);
  // With what a feature implies, and what implies it.
  EXPECT_EQ(get("", "+avx2") & (ATTN_RT_CPU_AVX | ATTN_RT_CPU_SSE4_2),
            ATTN_RT_CPU_AVX | ATTN_RT_CPU_SSE4_2);
  EXPECT_EQ(get("x86-64-v4", "-avx512f") &
                (ATTN_RT_CPU_AVX512F | ATTN_RT_CPU_AVX512BW),
            0u);
  EXPECT_EQ(get("x86-64-v3", "+prefer-256-bit,+aes"), ATTN_RT_CPU_X86_64_V3);
}

TEST(CpuFeatures, TheHostSatisfiesItself) {
  std::string problem;
  FailureOr<uint64_t> bits = getRequiredCpuFeatures("host", "", problem);
  ASSERT_TRUE(succeeded(bits)) << problem;
  EXPECT_EQ(*bits & ~attn_rt_cpu_features(), 0u);
}

TEST(CpuFeatures, EveryCpuOfLLVMIsKnownOrRefused) {
  SmallVector<StringRef> cpus;
  llvm::X86::fillValidCPUArchList(cpus, /*Only64Bit=*/true);
  SmallVector<std::string> refused;
  for (StringRef cpu : cpus) {
    std::string problem;
    if (failed(getRequiredCpuFeatures(cpu, "", problem)))
      refused.push_back(cpu.str());
  }
  llvm::sort(refused);
  // Those with APX, whose registers the runtime does not detect.
  EXPECT_EQ(refused, (SmallVector<std::string>{"diamondrapids", "novalake"}));
}

TEST(CpuFeatures, Problems) {
  EXPECT_NE(getProblem("pdp11").find("'pdp11' is not an x86-64 CPU"),
            std::string::npos);
  EXPECT_EQ(getProblem("x86-64-v3", "avx2"),
            "feature 'avx2' expected to begin with + or -");
  EXPECT_EQ(getProblem("x86-64-v3", "+warp9,+avx99"),
            "the runtime cannot check the CPU for avx99, warp9; take these "
            "away by features=-avx99,-warp9");
}
