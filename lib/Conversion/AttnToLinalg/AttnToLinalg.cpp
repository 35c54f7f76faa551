//===- AttnToLinalg.cpp - The pass convert-attn-to-linalg -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the patterns and reports what they could not take.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNTOLINALGPASS
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct ConvertAttnToLinalg
    : attn::impl::ConvertAttnToLinalgPassBase<ConvertAttnToLinalg> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePartialToLinalgPatterns(patterns);
    populateStateToLinalgPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    bool left = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<AttnDialect>(op->getDialect()))
        return;
      left = true;
      InFlightDiagnostic diag = op->emitOpError();
      if (isa<PartialOp>(op))
        diag << "expected static tiles of one head, as attn-tile makes them";
      else if (isa<WalkOp>(op))
        diag << "expected to be lowered to loops by attn-lower-walk before";
      else if (isa<AttentionOp>(op))
        diag << "expected to be decomposed by attn-decompose-attention before";
      else
        diag << "has no lowering to linalg";
    });
    if (left)
      signalPassFailure();
  }
};
} // namespace
