//===- MaskEvaluation.h - Whether a query sees a key ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that turns masks and regions into operations, whoever needs
// them: loops, tiles on any target.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_UTILS_MASKEVALUATION_H
#define ATTN_DIALECT_ATTN_UTILS_MASKEVALUATION_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// One query and one key, as masks and regions see them. Positions and heads
/// are of type index. For masks other than #attn.region, positions may also be
/// vectors, of index or i32: queries Mx1, keys 1xN, or both MxN.
struct QueryKey {
  Value batch, head, queryPosition, keyPosition;
  /// Document ids (i32), where the mask asks for them.
  Value queryId, keyId;
  /// Length of the batch's prefix (i32), where the mask asks for it.
  Value prefix;
};

/// The i1, or vector of i1, that says whether the query of `at` sees its key
/// under `mask`.
/// `visible` and `captures` serve #attn.region; captures are the values that
/// the region's last arguments stand for.
Value buildIsVisible(OpBuilder &b, Location loc, Attribute mask,
                     const QueryKey &at, Region &visible, ValueRange captures);

/// The score region applied to `score`.
Value buildScore(OpBuilder &b, Location loc, Value score, const QueryKey &at,
                 Region &region, ValueRange captures);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_UTILS_MASKEVALUATION_H
