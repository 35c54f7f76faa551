//===- CollapseParallel.cpp - nested parallel loops to one ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one parallel loop of two that stand directly in each other, so that all
// their iterations can be shared out.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_COLLAPSEPARALLELPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// The one parallel loop in the body of `outer`, if nothing else there has an
/// effect and its bounds do not depend on `outer`.
static scf::ForallOp findNested(scf::ForallOp outer) {
  scf::ForallOp nested;
  for (Operation &op : outer.getBody()->without_terminator()) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (forall ? bool(nested) : !isMemoryEffectFree(&op))
      return nullptr;
    if (forall)
      nested = forall;
  }
  if (!nested || nested.getNumResults() != 0)
    return nullptr;
  bool invariant = llvm::all_of(nested->getOperands(), [&](Value bound) {
    return outer.isDefinedOutsideOfLoop(bound);
  });
  return invariant ? nested : nullptr;
}

static scf::ForallOp merge(scf::ForallOp outer, scf::ForallOp inner) {
  auto joined = [](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    SmallVector<OpFoldResult> result(a);
    llvm::append_range(result, b);
    return result;
  };
  OpBuilder b(outer);
  auto merged = scf::ForallOp::create(
      b, outer.getLoc(),
      joined(outer.getMixedLowerBound(), inner.getMixedLowerBound()),
      joined(outer.getMixedUpperBound(), inner.getMixedUpperBound()),
      joined(outer.getMixedStep(), inner.getMixedStep()), ValueRange(),
      std::nullopt);
  IRMapping mapping;
  SmallVector<Value> ivs = outer.getInductionVars();
  llvm::append_range(ivs, inner.getInductionVars());
  mapping.map(ivs, merged.getInductionVars());
  b.setInsertionPoint(merged.getTerminator());
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (&op != inner) {
      b.clone(op, mapping);
      continue;
    }
    for (Operation &innerOp : inner.getBody()->without_terminator())
      b.clone(innerOp, mapping);
  }
  outer.erase();
  return merged;
}

namespace {
struct CollapseParallel
    : public attn::impl::CollapseParallelPassBase<CollapseParallel> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForallOp loop : loops)
      if (loop.getNumResults() == 0)
        while (scf::ForallOp nested = findNested(loop))
          loop = merge(loop, nested);
  }
};
} // namespace
