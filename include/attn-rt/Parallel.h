//===- Parallel.h - The runtime's thread pool -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops over one pool of threads per process. Why a pool of our own:
// docs/Rationale/Runtime.md. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_PARALLEL_H
#define ATTN_RT_PARALLEL_H

#include "attn-rt/Export.h"
#include "attn-rt/Status.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* Calls body(context, i) once for each i of [0, count) and returns when all
 * calls have returned; what they wrote is then visible to the caller. The
 * calling thread takes part. Indices are handed out one at a time in ascending
 * order to whichever thread is free, so iterations of unequal cost balance;
 * put the costly ones first. A count <= 0 does nothing.
 *
 * - A call from inside a body runs serially in the calling thread.
 * - Calls from several threads at once are right, and share the pool.
 * - Bodies run under the caller's floating-point control state (rounding mode,
 *   flush-to-zero), whichever thread runs them.
 * - A body must not throw or leave by longjmp, and must not fork a child that
 *   returns from it. A child forked elsewhere gets a pool of its own at its
 *   first call. */
ATTN_RT_EXPORT void attn_rt_parallel_for(void (*body)(void *context,
                                                      int64_t index),
                                         void *context, int64_t count);

/* Sets how many threads later loops may use, the caller included, at most
 * ATTN_RT_MAX_THREADS; 0 goes back to the default: the environment variable
 * ATTN_NUM_THREADS, read once, or else the number of CPUs that the process may
 * run on. Values out of range are refused with ATTN_RT_INVALID_VALUE. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_set_num_threads(int32_t count);

/* How many threads a loop may use now, the caller included; at least 1. */
ATTN_RT_EXPORT int32_t attn_rt_get_num_threads(void);

#define ATTN_RT_MAX_THREADS 4096

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_PARALLEL_H
