//===- OwnEscapingBuffers.cpp - who frees what leaves a block -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's deallocation by ownership, for programs that need it.
//
//===----------------------------------------------------------------------===//

#include "EscapingBuffers.h"
#include "attn/Target/CPU/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::attn {
#define GEN_PASS_DEF_OWNESCAPINGBUFFERSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

Operation *attn::findEscape(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return user;
    for (Value view : user->getResults())
      if (isa<BaseMemRefType>(view.getType()))
        if (Operation *escape = findEscape(view))
          return escape;
  }
  return nullptr;
}

/// Calls `visit` for each allocation whose buffer leaves its block.
static void forEachEscaping(Operation *root,
                            function_ref<void(memref::AllocOp)> visit) {
  root->walk([&](memref::AllocOp alloc) {
    if (findEscape(alloc))
      visit(alloc);
  });
}

namespace {
struct OwnEscapingBuffers
    : public attn::impl::OwnEscapingBuffersPassBase<OwnEscapingBuffers> {
  void runOnOperation() override {
    bool anyEscapes = false;
    forEachEscaping(getOperation(),
                    [&](memref::AllocOp) { anyEscapes = true; });
    if (!anyEscapes)
      return;
    OpPassManager pm(ModuleOp::getOperationName());
    bufferization::buildBufferDeallocationPipeline(pm);
    pm.addPass(createConvertBufferizationToMemRefPass());
    if (failed(runPipeline(pm, getOperation())))
      return signalPassFailure();
    forEachEscaping(getOperation(), [&](memref::AllocOp alloc) {
      alloc->setAttr(kOwnedAttrName, UnitAttr::get(&getContext()));
    });
  }
};
} // namespace
