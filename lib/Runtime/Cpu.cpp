//===- Cpu.cpp - What the CPU can do --------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads CPUID and XCR0 directly: the compilers' own tests know fewer features
// and differ in which.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cpu.h"

#include <atomic>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace {

/// Where CPUID reports a feature, and the register state that the operating
/// system must save for it to be usable.
struct Feature {
  uint64_t bit;
  const char *name;
  uint32_t leaf, subleaf;
  char reg; // a, b, c or d
  uint8_t position;
  uint8_t state; // required bits of XCR0
};

constexpr uint8_t kAVX = 0x06;    // XMM, YMM
constexpr uint8_t kAVX512 = 0xe6; // and opmask, ZMM

constexpr Feature kFeatures[] = {
    {ATTN_RT_CPU_SSE3, "sse3", 1, 0, 'c', 0, 0},
    {ATTN_RT_CPU_SSSE3, "ssse3", 1, 0, 'c', 9, 0},
    {ATTN_RT_CPU_SSE4_1, "sse4.1", 1, 0, 'c', 19, 0},
    {ATTN_RT_CPU_SSE4_2, "sse4.2", 1, 0, 'c', 20, 0},
    {ATTN_RT_CPU_POPCNT, "popcnt", 1, 0, 'c', 23, 0},
    {ATTN_RT_CPU_CX16, "cx16", 1, 0, 'c', 13, 0},
    {ATTN_RT_CPU_SAHF, "sahf", 0x80000001, 0, 'c', 0, 0},
    {ATTN_RT_CPU_AVX, "avx", 1, 0, 'c', 28, kAVX},
    {ATTN_RT_CPU_AVX2, "avx2", 7, 0, 'b', 5, kAVX},
    {ATTN_RT_CPU_BMI, "bmi", 7, 0, 'b', 3, 0},
    {ATTN_RT_CPU_BMI2, "bmi2", 7, 0, 'b', 8, 0},
    {ATTN_RT_CPU_F16C, "f16c", 1, 0, 'c', 29, kAVX},
    {ATTN_RT_CPU_FMA, "fma", 1, 0, 'c', 12, kAVX},
    {ATTN_RT_CPU_LZCNT, "lzcnt", 0x80000001, 0, 'c', 5, 0},
    {ATTN_RT_CPU_MOVBE, "movbe", 1, 0, 'c', 22, 0},
    {ATTN_RT_CPU_AVX512F, "avx512f", 7, 0, 'b', 16, kAVX512},
    {ATTN_RT_CPU_AVX512BW, "avx512bw", 7, 0, 'b', 30, kAVX512},
    {ATTN_RT_CPU_AVX512CD, "avx512cd", 7, 0, 'b', 28, kAVX512},
    {ATTN_RT_CPU_AVX512DQ, "avx512dq", 7, 0, 'b', 17, kAVX512},
    {ATTN_RT_CPU_AVX512VL, "avx512vl", 7, 0, 'b', 31, kAVX512},
    {ATTN_RT_CPU_AVX512BF16, "avx512bf16", 7, 1, 'a', 5, kAVX512},
    {ATTN_RT_CPU_AVX512FP16, "avx512fp16", 7, 0, 'd', 23, kAVX512},
    {ATTN_RT_CPU_AVX512VNNI, "avx512vnni", 7, 0, 'c', 11, kAVX512},
    {ATTN_RT_CPU_AVX512VBMI, "avx512vbmi", 7, 0, 'c', 1, kAVX512},
    {ATTN_RT_CPU_AVX512VBMI2, "avx512vbmi2", 7, 0, 'c', 6, kAVX512},
    {ATTN_RT_CPU_AVX512IFMA, "avx512ifma", 7, 0, 'b', 21, kAVX512},
    {ATTN_RT_CPU_AVX512BITALG, "avx512bitalg", 7, 0, 'c', 12, kAVX512},
    {ATTN_RT_CPU_AVX512VPOPCNTDQ, "avx512vpopcntdq", 7, 0, 'c', 14, kAVX512},
    {ATTN_RT_CPU_AVXVNNI, "avxvnni", 7, 1, 'a', 4, kAVX},
    {ATTN_RT_CPU_GFNI, "gfni", 7, 0, 'c', 8, 0},
    {ATTN_RT_CPU_SSE4A, "sse4a", 0x80000001, 0, 'c', 6, 0},
    {ATTN_RT_CPU_XOP, "xop", 0x80000001, 0, 'c', 11, kAVX},
    {ATTN_RT_CPU_FMA4, "fma4", 0x80000001, 0, 'c', 16, kAVX},
    {ATTN_RT_CPU_TBM, "tbm", 0x80000001, 0, 'c', 21, 0},
    {ATTN_RT_CPU_PCLMUL, "pclmul", 1, 0, 'c', 1, 0},
    {ATTN_RT_CPU_VPCLMULQDQ, "vpclmulqdq", 7, 0, 'c', 10, kAVX},
    {ATTN_RT_CPU_AVXIFMA, "avxifma", 7, 1, 'a', 23, kAVX},
    {ATTN_RT_CPU_AVXNECONVERT, "avxneconvert", 7, 1, 'd', 5, kAVX},
    {ATTN_RT_CPU_AVXVNNIINT8, "avxvnniint8", 7, 1, 'd', 4, kAVX},
    {ATTN_RT_CPU_AVXVNNIINT16, "avxvnniint16", 7, 1, 'd', 10, kAVX},
    {ATTN_RT_CPU_CMPCCXADD, "cmpccxadd", 7, 1, 'a', 7, 0},
};

// Never the value of a detected set: bit 63 names no feature.
constexpr uint64_t kUnknown = UINT64_C(1) << 63;
std::atomic<uint64_t> detected{kUnknown};

#if defined(__x86_64__)
/// XCR0, or 0 when the operating system does not use XSAVE.
uint64_t readSavedState() {
  unsigned a, b, c, d;
  constexpr unsigned osxsave = 1u << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & osxsave))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
}

uint64_t detect() {
  uint64_t features = 0, state = readSavedState();
  for (const Feature &feature : kFeatures) {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(feature.leaf, feature.subleaf, &a, &b, &c, &d))
      continue;
    unsigned value = feature.reg == 'a'   ? a
                     : feature.reg == 'b' ? b
                     : feature.reg == 'c' ? c
                                          : d;
    if (((value >> feature.position) & 1) &&
        (state & feature.state) == feature.state)
      features |= feature.bit;
  }
  return features;
}
#else
uint64_t detect() { return 0; }
#endif

} // namespace

uint64_t attn_rt_cpu_features(void) {
  uint64_t features = detected.load(std::memory_order_relaxed);
  if (features == kUnknown) {
    features = detect(); // the same whoever comes first
    detected.store(features, std::memory_order_relaxed);
  }
  return features;
}

const char *attn_rt_cpu_feature_name(uint64_t bit) {
  for (const Feature &feature : kFeatures)
    if (feature.bit == bit)
      return feature.name;
  return nullptr;
}

uint64_t attn_rt_cpu_feature_bit(const char *name) {
  for (const Feature &feature : kFeatures)
    if (name && strcmp(feature.name, name) == 0)
      return feature.bit;
  return 0;
}
