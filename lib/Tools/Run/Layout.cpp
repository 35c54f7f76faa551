//===- Layout.cpp - How tensors lie in memory -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strides that each named layout gives a shape.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/HostTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cassert>

using namespace mlir::attn::run;

static constexpr llvm::StringRef kNames[] = {
    "dense",           "bshd",     "padded", "broadcast_batch",
    "broadcast_heads", "reversed", "huge"};

llvm::StringRef mlir::attn::run::getName(Layout layout) {
  return kNames[static_cast<unsigned>(layout)];
}

llvm::Expected<Layout> mlir::attn::run::parseLayout(llvm::StringRef name) {
  const auto *it = llvm::find(kNames, name);
  if (it == std::end(kNames))
    return llvm::createStringError("unknown layout '" + name +
                                   "', expected one of " +
                                   llvm::join(llvm::ArrayRef(kNames), ", "));
  return static_cast<Layout>(it - std::begin(kNames));
}

/// Strides of a tensor that stands in memory in `order` (outermost first)
/// without gaps.
static llvm::SmallVector<int64_t> stack(llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  int64_t stride = 1;
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(shape[dim], 1);
  }
  return strides;
}

static int64_t getRequiredRank(Layout layout) {
  switch (layout) {
  case Layout::Dense:
  case Layout::Padded:
    return 0;
  case Layout::Swapped:
  case Layout::BroadcastHeads:
    return 3;
  case Layout::BroadcastBatch:
  case Layout::Reversed:
  case Layout::Huge:
    return 2;
  }
  return 0;
}

llvm::Expected<Placement>
mlir::attn::run::place(Layout layout, llvm::ArrayRef<int64_t> shape) {
  int64_t rank = shape.size();
  if (rank < getRequiredRank(layout))
    return llvm::createStringError("layout '" + getName(layout) +
                                   "' expected rank " +
                                   llvm::Twine(getRequiredRank(layout)) +
                                   " or more, got shape " + formatShape(shape));

  llvm::SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Placement placement;
  switch (layout) {
  case Layout::Dense:
    placement.strides = stack(shape, order);
    break;
  case Layout::Swapped:
    std::swap(order[rank - 3], order[rank - 2]);
    placement.strides = stack(shape, order);
    break;
  case Layout::Padded:
    placement.aligned = false;
    // An odd product plus an even gap, or an even one plus an odd gap.
    placement.strides = stack(shape, order);
    for (int64_t dim = rank - 2; dim >= 0; --dim) {
      int64_t below =
          placement.strides[dim + 1] * std::max<int64_t>(shape[dim + 1], 1);
      placement.strides[dim] = below + (below % 2 ? 2 : 3);
    }
    break;
  case Layout::BroadcastBatch:
  case Layout::BroadcastHeads: {
    int64_t shared = layout == Layout::BroadcastBatch ? 0 : 1;
    llvm::erase(order, shared);
    placement.strides = stack(shape, order);
    placement.strides[shared] = 0;
    break;
  }
  case Layout::Reversed:
    placement.strides = stack(shape, order);
    placement.strides[rank - 2] *= -1;
    break;
  case Layout::Huge: {
    int64_t outer = 0;
    while (outer < rank - 2 && shape[outer] <= 1)
      ++outer;
    placement.strides = stack(shape, order);
    placement.strides[outer] += (int64_t(1) << 31) + 64;
    for (int64_t dim = 0; dim < outer; ++dim)
      placement.strides[dim] = placement.strides[outer] * shape[outer];
    break;
  }
  }

  int64_t lowest = 0, highest = 0;
  for (auto [extent, stride] : llvm::zip_equal(shape, placement.strides)) {
    if (extent == 0)
      return placement; // no elements: no span
    (stride < 0 ? lowest : highest) += stride * (extent - 1);
  }
  placement.origin = -lowest;
  placement.span = highest - lowest + 1;
  return placement;
}
