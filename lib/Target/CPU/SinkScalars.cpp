//===- SinkScalars.cpp - scalars past loops that do not use them ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the arithmetic on bounds down to the loops that it bounds, block by
// block, in one pass over each.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_SINKSCALARSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static bool isMovable(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() > 0 &&
         !op.hasTrait<OpTrait::IsTerminator>() && isPure(&op) &&
         llvm::all_of(op.getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

static void sinkScalars(Block &block) {
  SmallVector<Operation *> ops;
  // By operation, its number; by number, how many loops stand before it.
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<unsigned> loopsBefore;
  unsigned loops = 0;
  for (Operation &op : block) {
    numbers[&op] = ops.size();
    ops.push_back(&op);
    loopsBefore.push_back(loops);
    loops += op.getNumRegions() > 0;
  }
  if (loops == 0)
    return;
  // A moved operation has the number of the one that it was moved to, before
  // which the moved ones stand in their old order.
  DenseMap<unsigned, Operation *> firstMoved;
  for (Operation *op : llvm::reverse(ops)) {
    if (!isMovable(*op) || op->use_empty())
      continue;
    unsigned number = numbers[op], target = ops.size() - 1;
    for (Operation *user : op->getUsers())
      target = std::min(target, numbers[block.findAncestorOpInBlock(*user)]);
    if (loopsBefore[target] == loopsBefore[number])
      continue;
    auto [first, isNew] = firstMoved.try_emplace(target, ops[target]);
    op->moveBefore(first->second);
    first->second = op;
    numbers[op] = target;
  }
}

namespace {
struct SinkScalars : attn::impl::SinkScalarsPassBase<SinkScalars> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      if (!block->empty())
        sinkScalars(*block);
    });
  }
};
} // namespace
