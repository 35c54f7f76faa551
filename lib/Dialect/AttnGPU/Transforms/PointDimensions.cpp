//===- PointDimensions.cpp - What depends on where a block works ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows a value back to the induction variables of a work loop.
//
//===----------------------------------------------------------------------===//

#include "PointDimensions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

llvm::BitVector attn_gpu::detail::findPointDimensions(WorkLoopOp work,
                                                      Value value) {
  llvm::BitVector found(work.getExtents().size());
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t n = 0; n < needed.size(); ++n) {
    Value next = needed[n];
    Operation *op = next.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(next);
    if (argument) {
      op = argument.getOwner()->getParentOp();
      if (op == work && argument.getArgNumber() < found.size())
        found.set(argument.getArgNumber());
    }
    if (!work->isAncestor(op) || op == work)
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // What else the loop carries does not matter.
      needed.insert_range(ValueRange{loop.getLowerBound(), loop.getUpperBound(),
                                     loop.getStep()});
      if (next == loop.getInductionVar())
        continue;
      unsigned carried = argument ? argument.getArgNumber() - 1
                                  : cast<OpResult>(next).getResultNumber();
      needed.insert(loop.getInitArgs()[carried]);
      needed.insert(loop.getYieldedValues()[carried]);
      continue;
    }
    needed.insert_range(op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        needed.insert_range(block.getTerminator()->getOperands());
  }
  return found;
}
