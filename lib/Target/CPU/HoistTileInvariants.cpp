//===- HoistTileInvariants.cpp - invariants out of tile loops -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves what does not change between tiles out of serial loops, while tensors
// are still values.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_HOISTTILEINVARIANTSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// A fill, or a computation that updates a value: hoisted, the updates inside
/// the loop would need a copy of it in every iteration, which costs what the
/// operation itself does.
static bool isInitialValue(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  return isa<linalg::FillOp>(op) ||
         llvm::any_of(linalgOp.getDpsInits(), [](Value init) {
           return isa<RankedTensorType>(init.getType()) &&
                  !init.getDefiningOp<tensor::EmptyOp>();
         });
}

namespace {
struct HoistTileInvariants
    : public attn::impl::HoistTileInvariantsPassBase<HoistTileInvariants> {
  void runOnOperation() override {
    // Inner loops first, so that an operation can leave several.
    getOperation()->walk([](scf::ForOp loop) {
      moveLoopInvariantCode(
          &loop.getRegion(),
          [](Value value, Region *region) {
            return value.getParentRegion()->isProperAncestor(region);
          },
          [](Operation *op, Region *) {
            return isMemoryEffectFree(op) && isSpeculatable(op) &&
                   !isInitialValue(op);
          },
          [](Operation *op, Region *region) {
            op->moveBefore(region->getParentOp());
          });
    });
  }
};
} // namespace
