//===- VisibleKeys.h - A function that counts keys --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns attention into its log-sum-exp alone, to count keys or measure scores.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_VISIBLEKEYS_H
#define ATTN_LIB_TOOLS_RUN_VISIBLEKEYS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn::run {

/// Replaces `function`, which holds one attn.attention, by one of the same name
/// that takes q, k and v with one head dimension and returns only the
/// log-sum-exp, without sinks and scores: with q of zeros the log of how many
/// keys each row sees. Fails, with an error, where q, k or v is no argument.
LogicalResult replaceByVisibleKeys(func::FuncOp function);

/// The same with the arguments and the scale as they are: on the sizes of q and
/// k, at least the largest sum that a score of the row is rounded from.
LogicalResult replaceByScoreSizes(func::FuncOp function);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_VISIBLEKEYS_H
