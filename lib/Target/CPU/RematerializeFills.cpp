//===- RematerializeFills.cpp - a fill of its own for every use -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Undoes the sharing of filled tensors, which costs a copy once they are
// buffers.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_REMATERIALIZEFILLSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {
struct RematerializeFills
    : public attn::impl::RematerializeFillsPassBase<RematerializeFills> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp fill) {
      if (fill.getNumResults() == 1 &&
          fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>() &&
          cast<ShapedType>(fill.getOutputs()[0].getType()).hasStaticShape())
        fills.push_back(fill);
    });
    for (linalg::FillOp fill : fills) {
      Value result = fill.getResult(0);
      for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
        OpBuilder b(use.getOwner());
        Value empty = tensor::EmptyOp::create(
            b, fill.getLoc(), cast<RankedTensorType>(result.getType()),
            ValueRange());
        use.set(linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(),
                                       ValueRange{empty})
                    .getResult(0));
      }
      fill.erase();
    }
  }
};
} // namespace
