//===- Arguments.h - Checking the arguments of a call -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function carries a constant description of its tensors and calls
// `attn_rt_bind_arguments` at its entry. The structures are flat, pointers and
// integers in their natural alignment, because the compiler emits them as
// constants. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_ARGUMENTS_H
#define ATTN_RT_ARGUMENTS_H

#include "attn-rt/Export.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* Version of the structures below. A function compiled for another version is
 * refused with ATTN_RT_ABI_MISMATCH. */
#define ATTN_RT_ABI_VERSION 1

/* The most symbols that a function may have. */
#define ATTN_RT_MAX_SYMBOLS 256

/* `AttnRtArgument::flags`. */
enum { ATTN_RT_ARGUMENT_OUTPUT = 1 };

/* One tensor that a function takes. */
typedef struct AttnRtArgument {
  const char *name;
  /* `rank` entries: >= 0 a constant extent, < 0 the symbol number -1 - dim.
   * Equal symbols mean equal extents. Null when the rank is 0. */
  const int64_t *dims;
  int32_t rank;
  uint8_t type_code; /* ATTN_RT_TYPE_... */
  uint8_t type_bits;
  uint16_t flags;
} AttnRtArgument;

/* `AttnRtConstraint::kind`. */
enum {
  /* lhs is a multiple of rhs; only 0 is a multiple of 0. */
  ATTN_RT_CONSTRAINT_MULTIPLE = 0,
  /* lhs == rhs + offset */
  ATTN_RT_CONSTRAINT_OFFSET = 1
};

/* A relation between extent `lhs_dim` of argument `lhs_arg` and extent
 * `rhs_dim` of argument `rhs_arg`. */
typedef struct AttnRtConstraint {
  int32_t kind;
  int32_t lhs_arg, lhs_dim;
  int32_t rhs_arg, rhs_dim;
  int32_t offset; /* 0 unless the kind uses it */
} AttnRtConstraint;

typedef struct AttnRtFunction {
  uint32_t abi_version; /* ATTN_RT_ABI_VERSION */
  int32_t num_args;
  int32_t num_symbols;
  int32_t num_constraints;
  const char *name;
  const AttnRtArgument *args;
  const char *const *symbol_names; /* null, or may hold nulls: no name */
  const AttnRtConstraint *constraints;
  uint64_t required_cpu_features; /* ATTN_RT_CPU_... of Cpu.h */
} AttnRtFunction;

/* Checks `tensors` (fn->num_args pointers) against the description and fills
 * `descriptors[i]` with the memref descriptor of argument i:
 *
 *   struct { void *allocated, *aligned; int64_t offset;
 *            int64_t sizes[rank], strides[rank]; }
 *
 * with allocated = aligned = data + byte_offset, offset 0, and strides in
 * elements. The stride of the last dimension is always 1; the others are the
 * tensor's own, or those of a dense row-major tensor when it has none.
 *
 * Each tensor must
 *  - be there, lie in CPU memory (pinned host memory included), have the type,
 *    the rank and the constant extents described, no negative extent, and one
 *    lane;
 *  - agree with the others on the extents that share a symbol, and satisfy the
 *    constraints;
 *  - have data, unless it has no elements, aligned to the element size, and
 *    span less than 2^63 bytes;
 *  - have a last dimension of unit stride, or of at most one element. Other
 *    strides are free in an input: 0 and negative ones are legal;
 *  - if it is an output, hold each element in memory of its own, apart from
 *    that of every other argument. Interleaved views (the three parts of a
 *    packed tensor) are recognised; a pair that can neither be proved apart
 *    nor together counts as overlapping.
 *
 * Returns ATTN_RT_OK, or the code of the first reason with all reasons in
 * attn_rt_last_error(); the descriptors' contents are then unspecified. Does
 * not allocate when it succeeds. Safe to call from any number of threads. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_bind_arguments(
    const AttnRtFunction *fn, const AttnRtTensor *const *tensors,
    void *const *descriptors);

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_ARGUMENTS_H
