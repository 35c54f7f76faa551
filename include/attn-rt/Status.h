//===- Status.h - Error codes and error texts -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiled function returns, and the text that explains it. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_STATUS_H
#define ATTN_RT_STATUS_H

#include "attn-rt/Export.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* An `AttnRtStatusCode`; an integer of fixed size, since it crosses an ABI. */
typedef int32_t AttnRtStatus;

/* When several things are wrong at once, the code is that of the first line of
 * the text. New codes may be added: treat every value other than 0 as a
 * failure. */
typedef enum AttnRtStatusCode {
  ATTN_RT_OK = 0,
  ATTN_RT_INVALID_SHAPE = 1,     /* rank, extents, their relations */
  ATTN_RT_INVALID_TYPE = 2,      /* element type */
  ATTN_RT_INVALID_DEVICE = 3,    /* memory that the function cannot reach */
  ATTN_RT_INVALID_ALIGNMENT = 4, /* address not a multiple of the element */
  ATTN_RT_INVALID_STRIDES = 5,   /* strides that the function cannot walk */
  ATTN_RT_INVALID_VALUE = 6,     /* null pointers, values out of range */
  ATTN_RT_INVALID_OVERLAP = 7,   /* memory of an output is used twice */
  ATTN_RT_UNSUPPORTED_CPU = 8,   /* the CPU lacks required instructions */
  ATTN_RT_OUT_OF_MEMORY = 9,     /* a device's memory; what a function on the
                                  * CPU allocates is not checked, and without
                                  * memory the process ends by a fault */
  ATTN_RT_ABI_MISMATCH = 10, /* compiled for another version of the runtime */
  ATTN_RT_INTERNAL = 11,     /* a fault of the compiler or the runtime */
  ATTN_RT_UNSUPPORTED_DEVICE = 12, /* no driver, no device, or not the one that
                                    * the function was compiled for */
  ATTN_RT_DEVICE_ERROR = 13        /* the device's driver reports an error */
} AttnRtStatusCode;

/* The text of the calling thread's latest failure: one or more lines, without a
 * newline at the end, every reason on a line of its own, each naming the
 * argument at fault. "" when nothing has failed in this thread.
 *
 * The runtime owns the text. It stays valid and unchanged until the same thread
 * next makes a call that fails, into a compiled function or the runtime, or
 * ends. A call that succeeds leaves it as it is: look at the status first. */
ATTN_RT_EXPORT const char *attn_rt_last_error(void);

/* The name of a status, such as "invalid shape"; "unknown status" for values
 * that this version does not know. Never null, never to be freed. */
ATTN_RT_EXPORT const char *attn_rt_status_name(AttnRtStatus status);

/* Makes `text` (copied) the calling thread's latest failure and returns
 * `status`. For compiled functions and libraries built on this one. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_fail(AttnRtStatus status, const char *text);

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_STATUS_H
