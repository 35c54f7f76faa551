//===- Overlap.cpp - Where a strided view lies in memory ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Span arithmetic is checked for overflow once, in computeSpan; everything
// after it works on products that are known to fit.
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"

using namespace attn::rt;

static int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

bool attn::rt::computeSpan(const View &view, Span &span) {
  int64_t begin = 0, end = view.elementBytes;
  for (int32_t d = 0; d < view.rank; ++d) {
    int64_t reach;
    if (view.sizes[d] == 1)
      continue;
    if (__builtin_mul_overflow(view.strides[d], view.elementBytes, &reach) ||
        __builtin_mul_overflow(reach, view.sizes[d] - 1, &reach) ||
        __builtin_add_overflow(reach < 0 ? begin : end, reach,
                               reach < 0 ? &begin : &end))
      return false;
  }
  int64_t length;
  if (__builtin_sub_overflow(end, begin, &length))
    return false;
  span = {begin, end};
  return true;
}

bool attn::rt::mayOverlapItself(const View &view) {
  // Visit the dimensions from the smallest stride up; `reach` is the distance
  // in elements from the first to the last element of those visited.
  int64_t reach = 0, visited = -1;
  for (;;) {
    int32_t next = -1, equal = 0;
    for (int32_t d = 0; d < view.rank; ++d) {
      if (view.sizes[d] == 1) // its stride is never used, and may be anything
        continue;
      int64_t stride = magnitude(view.strides[d]);
      if (stride <= visited)
        continue;
      if (next >= 0 && stride == magnitude(view.strides[next]))
        ++equal;
      else if (next < 0 || stride < magnitude(view.strides[next])) {
        next = d;
        equal = 1;
      }
    }
    if (next < 0)
      return false;
    visited = magnitude(view.strides[next]);
    if (equal > 1 || visited <= reach)
      return true;
    reach += visited * (view.sizes[next] - 1);
  }
}

/// The bytes that the dimensions of `view` whose stride is no multiple of
/// `period` reach: the view lies in copies of this window, `period` bytes
/// apart.
static Span computeWindow(const View &view, int64_t period) {
  Span window = {0, view.elementBytes};
  for (int32_t d = 0; d < view.rank; ++d) {
    if (view.sizes[d] == 1)
      continue;
    int64_t stride = view.strides[d] * view.elementBytes;
    if (stride % period == 0)
      continue;
    int64_t reach = stride * (view.sizes[d] - 1);
    (reach < 0 ? window.begin : window.end) += reach;
  }
  return window;
}

static bool areApartWithPeriod(const View &a, const View &b, int64_t period) {
  Span windowA = computeWindow(a, period), windowB = computeWindow(b, period);
  int64_t widthA = windowA.end - windowA.begin;
  int64_t widthB = windowB.end - windowB.begin;
  if (widthA > period || widthB > period - widthA)
    return false;
  // Unsigned arithmetic wraps, which is right for differences of addresses.
  uint64_t startA = a.address + static_cast<uint64_t>(windowA.begin);
  uint64_t startB = b.address + static_cast<uint64_t>(windowB.begin);
  uint64_t modulus = static_cast<uint64_t>(period);
  uint64_t distance = startB >= startA
                          ? (startB - startA) % modulus
                          : (modulus - (startA - startB) % modulus) % modulus;
  return distance >= static_cast<uint64_t>(widthA) &&
         modulus - distance >= static_cast<uint64_t>(widthB);
}

bool attn::rt::mayOverlap(const View &a, const View &b) {
  Span spanA, spanB;
  if (!computeSpan(a, spanA) || !computeSpan(b, spanB))
    return true;
  uint64_t beginA = a.address + static_cast<uint64_t>(spanA.begin);
  uint64_t beginB = b.address + static_cast<uint64_t>(spanB.begin);
  uint64_t lengthA = static_cast<uint64_t>(spanA.end - spanA.begin);
  uint64_t lengthB = static_cast<uint64_t>(spanB.end - spanB.begin);
  if (beginA <= beginB ? beginB - beginA >= lengthA
                       : beginA - beginB >= lengthB)
    return false;
  const View *views[] = {&a, &b};
  for (const View *view : views) {
    for (int32_t d = 0; d < view->rank; ++d) {
      int64_t period = magnitude(view->strides[d] * view->elementBytes);
      if (view->sizes[d] > 1 && period != 0 && areApartWithPeriod(a, b, period))
        return false;
    }
  }
  return true;
}
