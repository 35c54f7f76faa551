//===- RegisterTiling.h - linalg on buffers to vector loops -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns one linalg operation on buffers into loops whose innermost body works
// on a block of the result that is kept in vector registers. One algorithm
// serves contractions, elementwise operations, row reductions and copies; a
// plan without a vector dimension is a plain scalar loop nest.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_REGISTERTILING_H
#define ATTN_TARGET_CPU_REGISTERTILING_H

#include "attn/Target/CPU/MicroKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace mlir::attn {

/// How the iteration space of one linalg operation is walked.
struct RegisterTiling {
  /// The dimension that runs along vector lanes; none: scalar code.
  std::optional<unsigned> vectorDim;
  /// The vector dimension is a reduction: every lane reduces its own part, and
  /// the lanes are combined last.
  bool reducesLanes = false;
  /// The parallel dimension of which several values are kept in registers, so
  /// that a vector that does not depend on it is loaded once for all of them.
  std::optional<unsigned> rowDim;
  MicroKernel kernel;
  /// Sums: so many steps of the reduction are added up on their own, starting
  /// from nothing, before they join the result in memory. The rounding error of
  /// a sum of n terms grows with n, in chunks of c with c + n / c. 0: the
  /// result is carried through the whole reduction.
  int64_t chunk = 0;
  /// All dimensions, outermost first: parallel ones, then reductions.
  SmallVector<unsigned> order;
  unsigned numParallel = 0;

  /// The number of values of `dim` that one iteration of its loop covers.
  int64_t step(unsigned dim) const;

  /// Plans `op`, which must have buffer semantics and only projected
  /// permutations as indexing maps; fails, with a reason for the caller to
  /// report, otherwise.
  static FailureOr<RegisterTiling> plan(linalg::LinalgOp op,
                                        const VectorRegisters &registers,
                                        std::string *reason = nullptr);

  /// Replaces `op`, for which this plan was made, with loops.
  void emit(RewriterBase &rewriter, linalg::LinalgOp op) const;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_CPU_REGISTERTILING_H
