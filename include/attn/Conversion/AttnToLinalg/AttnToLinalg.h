//===- AttnToLinalg.h - attn to linalg --------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns and pass that take the iteration level to linalg.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOLINALG_ATTNTOLINALG_H
#define ATTN_CONVERSION_ATTNTOLINALG_ATTNTOLINALG_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"

/// attn.partial on tiles of one head.
void populatePartialToLinalgPatterns(RewritePatternSet &patterns);

/// attn.neutral, attn.merge and attn.finalize.
void populateStateToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOLINALG_ATTNTOLINALG_H
