//===- ExpandDestinations.cpp - write results where they belong -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves reshapes between a result and its destination to the destination, so
// that the result can be computed in place.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_EXPANDDESTINATIONSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// The `tensor.empty` whose storage `value` is computed into, if there is one.
static tensor::EmptyOp findStorage(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Operation *def = result.getOwner();
    if (auto empty = dyn_cast<tensor::EmptyOp>(def))
      return empty;
    if (auto forall = dyn_cast<scf::ForallOp>(def))
      value = forall.getTiedOpOperand(result)->get();
    else if (auto loop = dyn_cast<scf::ForOp>(def))
      value = loop.getTiedLoopInit(result)->get();
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(def))
      value = destination.getTiedOpOperand(result)->get();
    else
      return nullptr;
  }
  return nullptr;
}

namespace {
struct ExpandDestinations
    : public attn::impl::ExpandDestinationsPassBase<ExpandDestinations> {
  void runOnOperation() override {
    DominanceInfo dominance(getOperation());
    SmallVector<bufferization::MaterializeInDestinationOp> ops;
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp op) {
      ops.push_back(op);
    });
    for (bufferization::MaterializeInDestinationOp op : ops) {
      auto collapse = op.getSource().getDefiningOp<tensor::CollapseShapeOp>();
      auto type = dyn_cast<MemRefType>(op.getDest().getType());
      if (!collapse || !type)
        continue;
      tensor::EmptyOp storage = findStorage(collapse.getSrc());
      if (!storage || !dominance.properlyDominates(op.getDest(), storage))
        continue;
      FailureOr<MemRefType> expandedType =
          memref::ExpandShapeOp::computeExpandedType(
              type, collapse.getSrcType().getShape(),
              collapse.getReassociationIndices());
      if (failed(expandedType))
        continue;
      // Before the storage is named: that is where it will be replaced.
      OpBuilder b(storage);
      Value expanded = memref::ExpandShapeOp::create(
          b, op.getLoc(), *expandedType, op.getDest(),
          collapse.getReassociationIndices(), storage.getMixedSizes());
      op.getSourceMutable().assign(collapse.getSrc());
      op.getDestMutable().assign(expanded);
      if (collapse->use_empty())
        collapse->erase();
    }
  }
};
} // namespace
