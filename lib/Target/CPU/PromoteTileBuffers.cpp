//===- PromoteTileBuffers.cpp - where buffers live ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the allocations that bufferization made: tile buffers on the stack
// of the thread that runs a parallel iteration, all others on the heap with a
// matching free.
//
//===----------------------------------------------------------------------===//

#include "EscapingBuffers.h"
#include "attn/Support/OptionRange.h"
#include "attn/Target/CPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn {
#define GEN_PASS_DEF_PROMOTETILEBUFFERSPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// One cache line, and one AVX-512 register.
static constexpr int64_t kAlignment = 64;

static constexpr attn::OptionRange kStackRange = {0, int64_t(1) << 30};

/// The block at whose start a tile buffer is allocated.
static Block *findScope(Operation *op) {
  Block *scope = nullptr;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (isa<scf::ForallOp, scf::ParallelOp>(parent))
      scope = &parent->getRegion(0).front();
    if (isa<func::FuncOp>(parent))
      return scope ? scope : &parent->getRegion(0).front();
  }
  return scope;
}

static int64_t sizeInBytes(MemRefType type) {
  return llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(),
                          8);
}

static void freeAtEnd(Value buffer, Block *block) {
  OpBuilder b(block->getTerminator());
  memref::DeallocOp::create(b, buffer.getLoc(), buffer);
}

namespace {
struct PromoteTileBuffers
    : public attn::impl::PromoteTileBuffersPassBase<PromoteTileBuffers> {
  using PromoteTileBuffersPassBase::PromoteTileBuffersPassBase;

  void runOnOperation() override {
    if (std::string fault = kStackRange.check("max-stack-bytes", maxStackBytes);
        !fault.empty()) {
      getOperation().emitError("attn-promote-tile-buffers: ") << fault;
      return signalPassFailure();
    }
    SmallVector<memref::AllocOp> allocations;
    getOperation()->walk(
        [&](memref::AllocOp alloc) { allocations.push_back(alloc); });
    llvm::DenseMap<Block *, int64_t> used;
    for (memref::AllocOp alloc : allocations) {
      MemRefType type = alloc.getType();
      if (alloc->hasAttr(kOwnedAttrName))
        continue;
      if (Operation *escape = findEscape(alloc)) {
        InFlightDiagnostic diag =
            alloc.emitError("buffer of type ")
            << type << " leaves the block it is allocated in, so nothing "
            << "would free it; expected a value computed into its destination";
        diag.attachNote(escape->getLoc()) << "it leaves here";
        return signalPassFailure();
      }
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        if (isa<memref::DeallocOp>(user))
          user->erase();

      if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat()) {
        freeAtEnd(alloc, alloc->getBlock());
        continue;
      }
      Block *scope = findScope(alloc);
      OpBuilder b(scope, scope->begin());
      IntegerAttr alignment = b.getI64IntegerAttr(
          std::max<int64_t>(alloc.getAlignment().value_or(1), kAlignment));
      int64_t size = llvm::alignTo(sizeInBytes(type), kAlignment);
      Value buffer;
      if (used[scope] + size <= maxStackBytes) {
        used[scope] += size;
        buffer = memref::AllocaOp::create(b, alloc.getLoc(), type, alignment);
      } else {
        buffer = memref::AllocOp::create(b, alloc.getLoc(), type, alignment);
        freeAtEnd(buffer, scope);
      }
      alloc.getResult().replaceAllUsesWith(buffer);
      alloc.erase();
    }
  }
};
} // namespace
