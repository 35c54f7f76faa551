//===- Export.h - Linkage of the runtime's C interface ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The macros that give the runtime's functions C linkage and make them the only
// symbols that the shared library exports. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_EXPORT_H
#define ATTN_RT_EXPORT_H

#if defined(__GNUC__)
#define ATTN_RT_EXPORT __attribute__((visibility("default")))
#else
#define ATTN_RT_EXPORT
#endif

#ifdef __cplusplus
#define ATTN_RT_EXTERN_C_BEGIN extern "C" {
#define ATTN_RT_EXTERN_C_END }
#else
#define ATTN_RT_EXTERN_C_BEGIN
#define ATTN_RT_EXTERN_C_END
#endif

#endif // ATTN_RT_EXPORT_H
