//===- Overlap.h - Where a strided view lies in memory ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of a strided view and the questions of whether its elements, or those
// of two views, share memory.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_OVERLAP_H
#define ATTN_LIB_RUNTIME_OVERLAP_H

#include <stdint.h>

namespace attn {
namespace rt {

/// A view with at least one element. Strides are in elements.
struct View {
  uintptr_t address; // of the element of index 0
  int64_t elementBytes;
  int32_t rank;
  const int64_t *sizes;
  const int64_t *strides;
};

/// The bytes [begin, end) that a view touches, relative to its address.
struct Span {
  int64_t begin, end;
};

/// The span of `view`; false when it is 2^63 bytes or more.
bool computeSpan(const View &view, Span &span);

/// Whether two indices of `view` may name the same element. Exact for views
/// whose dimensions nest (each stride at least the extent of the inner ones);
/// true for any other.
bool mayOverlapItself(const View &view);

/// Whether an element of `a` may share a byte with one of `b`. False is a
/// proof: the spans are apart, or both views repeat with a common period and
/// stay in separate windows of it, as the parts of a packed tensor do. The
/// spans of both must have been computed with success.
bool mayOverlap(const View &a, const View &b);

} // namespace rt
} // namespace attn

#endif // ATTN_LIB_RUNTIME_OVERLAP_H
