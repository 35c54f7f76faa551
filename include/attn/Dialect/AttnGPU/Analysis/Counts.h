//===- Counts.h - Numbers that a kernel counts by ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers as a value plus a constant, through loops that carry several of
// them side by side. What a loop carries keeps its distance from what else it
// carries wherever every step keeps it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_COUNTS_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_COUNTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace mlir::attn_gpu {

/// `root + offset`, or `offset` if `root` is null.
struct Count {
  Value root;
  int64_t offset = 0;

  Count operator+(int64_t more) const { return {root, offset + more}; }
  bool operator==(const Count &other) const {
    return root == other.root && offset == other.offset;
  }
  bool operator!=(const Count &other) const { return !(*this == other); }
  /// By how much this is more than `other`, where that is a constant.
  std::optional<int64_t> minus(const Count &other) const {
    if (root != other.root)
      return std::nullopt;
    return offset - other.offset;
  }
};

/// Answers of one kernel, which must not change meanwhile. Widths are not
/// looked at: counts are taken not to wrap.
class Counts {
public:
  /// `value` as a count: of values that are equal but for a constant, as far as
  /// that can be seen, the roots are the same.
  Count get(Value value);

  /// Loops whose carried values are followed: scf.for and
  /// attn_gpu.work_loop.
  static bool isFollowed(Operation *op);

private:
  /// Finds which of the values that `loop` carries keep their distance.
  void relate(LoopLikeOpInterface loop);
  /// Forgets what holds inside of `loop` only.
  void forgetInside(LoopLikeOpInterface loop);
  Count getOfCondition(OpResult result);

  /// Values carried by loops, and results of loops.
  llvm::DenseMap<Value, Count> known;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_COUNTS_H
