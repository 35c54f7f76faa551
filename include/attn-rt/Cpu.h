//===- Cpu.h - What the CPU can do ------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instruction set extensions as bits, named as LLVM names them. On a CPU that
// is not x86-64 there are none. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_CPU_H
#define ATTN_RT_CPU_H

#include "attn-rt/Export.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* Bit numbers are part of the ABI: new ones are added at the end. */
#define ATTN_RT_CPU_SSE3 (UINT64_C(1) << 0)
#define ATTN_RT_CPU_SSSE3 (UINT64_C(1) << 1)
#define ATTN_RT_CPU_SSE4_1 (UINT64_C(1) << 2)
#define ATTN_RT_CPU_SSE4_2 (UINT64_C(1) << 3)
#define ATTN_RT_CPU_POPCNT (UINT64_C(1) << 4)
#define ATTN_RT_CPU_CX16 (UINT64_C(1) << 5)
#define ATTN_RT_CPU_SAHF (UINT64_C(1) << 6)
#define ATTN_RT_CPU_AVX (UINT64_C(1) << 7)
#define ATTN_RT_CPU_AVX2 (UINT64_C(1) << 8)
#define ATTN_RT_CPU_BMI (UINT64_C(1) << 9)
#define ATTN_RT_CPU_BMI2 (UINT64_C(1) << 10)
#define ATTN_RT_CPU_F16C (UINT64_C(1) << 11)
#define ATTN_RT_CPU_FMA (UINT64_C(1) << 12)
#define ATTN_RT_CPU_LZCNT (UINT64_C(1) << 13)
#define ATTN_RT_CPU_MOVBE (UINT64_C(1) << 14)
#define ATTN_RT_CPU_AVX512F (UINT64_C(1) << 15)
#define ATTN_RT_CPU_AVX512BW (UINT64_C(1) << 16)
#define ATTN_RT_CPU_AVX512CD (UINT64_C(1) << 17)
#define ATTN_RT_CPU_AVX512DQ (UINT64_C(1) << 18)
#define ATTN_RT_CPU_AVX512VL (UINT64_C(1) << 19)
#define ATTN_RT_CPU_AVX512BF16 (UINT64_C(1) << 20)
#define ATTN_RT_CPU_AVX512FP16 (UINT64_C(1) << 21)
#define ATTN_RT_CPU_AVX512VNNI (UINT64_C(1) << 22)
#define ATTN_RT_CPU_AVX512VBMI (UINT64_C(1) << 23)
#define ATTN_RT_CPU_AVX512VBMI2 (UINT64_C(1) << 24)
#define ATTN_RT_CPU_AVX512IFMA (UINT64_C(1) << 25)
#define ATTN_RT_CPU_AVX512BITALG (UINT64_C(1) << 26)
#define ATTN_RT_CPU_AVX512VPOPCNTDQ (UINT64_C(1) << 27)
#define ATTN_RT_CPU_AVXVNNI (UINT64_C(1) << 28)
#define ATTN_RT_CPU_GFNI (UINT64_C(1) << 29)
#define ATTN_RT_CPU_SSE4A (UINT64_C(1) << 30)
#define ATTN_RT_CPU_XOP (UINT64_C(1) << 31)
#define ATTN_RT_CPU_FMA4 (UINT64_C(1) << 32)
#define ATTN_RT_CPU_TBM (UINT64_C(1) << 33)
#define ATTN_RT_CPU_PCLMUL (UINT64_C(1) << 34)
#define ATTN_RT_CPU_VPCLMULQDQ (UINT64_C(1) << 35)
#define ATTN_RT_CPU_AVXIFMA (UINT64_C(1) << 36)
#define ATTN_RT_CPU_AVXNECONVERT (UINT64_C(1) << 37)
#define ATTN_RT_CPU_AVXVNNIINT8 (UINT64_C(1) << 38)
#define ATTN_RT_CPU_AVXVNNIINT16 (UINT64_C(1) << 39)
#define ATTN_RT_CPU_CMPCCXADD (UINT64_C(1) << 40)

/* The levels of the x86-64 psABI. */
#define ATTN_RT_CPU_X86_64_V2                                                  \
  (ATTN_RT_CPU_SSE3 | ATTN_RT_CPU_SSSE3 | ATTN_RT_CPU_SSE4_1 |                 \
   ATTN_RT_CPU_SSE4_2 | ATTN_RT_CPU_POPCNT | ATTN_RT_CPU_CX16 |                \
   ATTN_RT_CPU_SAHF)
#define ATTN_RT_CPU_X86_64_V3                                                  \
  (ATTN_RT_CPU_X86_64_V2 | ATTN_RT_CPU_AVX | ATTN_RT_CPU_AVX2 |                \
   ATTN_RT_CPU_BMI | ATTN_RT_CPU_BMI2 | ATTN_RT_CPU_F16C | ATTN_RT_CPU_FMA |   \
   ATTN_RT_CPU_LZCNT | ATTN_RT_CPU_MOVBE)
#define ATTN_RT_CPU_X86_64_V4                                                  \
  (ATTN_RT_CPU_X86_64_V3 | ATTN_RT_CPU_AVX512F | ATTN_RT_CPU_AVX512BW |        \
   ATTN_RT_CPU_AVX512CD | ATTN_RT_CPU_AVX512DQ | ATTN_RT_CPU_AVX512VL)

/* The features that this CPU has and the operating system lets programs use. */
ATTN_RT_EXPORT uint64_t attn_rt_cpu_features(void);

/* LLVM's name of the feature with exactly this bit, such as "avx2"; null when
 * there is none. */
ATTN_RT_EXPORT const char *attn_rt_cpu_feature_name(uint64_t feature);

/* The bit of a feature by LLVM's name, without "+"; 0 when the runtime knows no
 * such feature. */
ATTN_RT_EXPORT uint64_t attn_rt_cpu_feature_bit(const char *name);

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_CPU_H
