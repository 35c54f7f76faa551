//===- AnchorLoopState.cpp - one buffer per carried tensor ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Yields the tensors carried by loops through their own destination.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ANCHORLOOPSTATEPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static Value tieTo(OpBuilder &b, Value value, Value destination) {
  return bufferization::MaterializeInDestinationOp::create(
             b, value.getLoc(), destination.getType(), value, destination)
      .getResult();
}

/// Whether `value` is `carried` with elements inserted: in place as it is, and
/// what a copy onto itself would keep from being so.
static bool isInsertedInto(Value value, Value carried) {
  while (value != carried) {
    if (auto insert = value.getDefiningOp<tensor::InsertOp>()) {
      value = insert.getDest();
      continue;
    }
    auto loop = value.getDefiningOp<scf::ForOp>();
    if (!loop)
      return false;
    unsigned n = cast<OpResult>(value).getResultNumber();
    if (!isInsertedInto(loop.getYieldedValues()[n], loop.getRegionIterArg(n)))
      return false;
    value = loop.getInitArgs()[n];
  }
  return true;
}

namespace {
struct AnchorLoopState
    : public attn::impl::AnchorLoopStatePassBase<AnchorLoopState> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      Operation *yield = loop.getBody()->getTerminator();
      OpBuilder b(yield);
      for (auto [operand, carried] :
           llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs())) {
        Value value = operand.get();
        if (!isa<RankedTensorType>(value.getType()) ||
            isInsertedInto(value, carried) ||
            value.getDefiningOp<bufferization::MaterializeInDestinationOp>())
          continue;
        operand.set(tieTo(b, value, carried));
      }
    });
  }
};
} // namespace
