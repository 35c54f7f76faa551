//===- CheckKernel.cpp - What the lowering to NVVM refuses ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, before anything changes, what a kernel holds that has no lowering.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "attn/Conversion/AttnGPUToNVVM/AttnGPUToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {
class KernelChecker {
public:
  explicit KernelChecker(KernelOp kernel) : kernel(kernel) {}

  LogicalResult check() {
    kernel.getBody().walk([&](Operation *op) { checkOp(op); });
    return valid;
  }

private:
  InFlightDiagnostic fail(Operation *op) {
    valid = failure();
    return op->emitOpError();
  }

  void checkOp(Operation *op) {
    if (!isKnown(op)) {
      fail(op) << "has no lowering to NVVM: a kernel holds operations of "
                  "attn_gpu, arith, scf.for, scf.if, scf.while, "
                  "vector.broadcast, memref.dim, and of math absf, absi, ceil, "
                  "copysign, exp2, floor, fma, log2, roundeven, sqrt, trunc";
      return;
    }
    checkTypes(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      checkConstant(constant);
    else if (auto dim = dyn_cast<memref::DimOp>(op))
      checkDim(dim);
    else if (auto mma = dyn_cast<MmaOp>(op))
      checkProduct(mma);
    else if (auto read = dyn_cast<ReadOp>(op))
      checkTensor(op, "source", read.getSource().getType());
    else if (auto write = dyn_cast<WriteOp>(op))
      checkTensor(op, "destination", write.getDestination().getType());
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      checkLoop(loop);
  }

  static bool isKnown(Operation *op) {
    return isa<AttnGPUDialect>(op->getDialect()) || isKnownElementwise(op) ||
           isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
               scf::ConditionOp, vector::BroadcastOp, memref::DimOp>(op);
  }

  /// C1 and C4, for all values of `op`.
  void checkTypes(Operation *op) {
    if (!isa<ReadOp, WriteOp, memref::DimOp>(op) &&
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
      fail(op) << "takes a tensor: expected attn_gpu.read, attn_gpu.write or "
                  "memref.dim";
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      llvm::append_range(types, region.getArgumentTypes());
    for (Type type : types)
      if (auto vector = dyn_cast<VectorType>(type);
          vector && !getLayout(vector))
        fail(op) << "has a vector without a layout: expected 64x1, 64x4, 64xN "
                    "or 1xN with N a multiple of 8, got "
                 << vector;
  }

  void checkConstant(arith::ConstantOp op) {
    if (isa<VectorType>(op.getType()) && !isa<SplatElementsAttr>(op.getValue()))
      fail(op) << "expected one value for all elements: numbers of rows and "
                  "columns come from attn_gpu.iota";
  }

  void checkDim(memref::DimOp op) {
    if (!isa<MemRefType>(op.getSource().getType()) || !op.getConstantIndex())
      fail(op) << "expected a ranked tensor and a constant dimension";
  }

  void checkProduct(MmaOp op) {
    if (!op.getResult().hasOneUse())
      fail(op) << "expected one use of a product in flight, got "
               << std::distance(op->use_begin(), op->use_end());
  }

  void checkTensor(Operation *op, StringRef name, MemRefType type) {
    unsigned bits = type.getElementTypeBitWidth();
    if (bits != 16 && bits != 32)
      fail(op) << "'" << name << "' expected elements of 16 or 32 bits, got "
               << type.getElementType();
  }

  /// C3.
  void checkLoop(LoopLikeOpInterface loop) {
    bool reads = loop->walk([](ReadOp) { return WalkResult::interrupt(); })
                     .wasInterrupted();
    if (!reads)
      return;
    for (Region &region : loop->getRegions())
      for (Type type : region.getArgumentTypes())
        if (isa<TileType, InFlightType>(type)) {
          fail(loop) << "carries " << type
                     << " and holds an attn_gpu.read, which overwrites what an "
                        "iteration before has read";
          return;
        }
  }

  KernelOp kernel;
  LogicalResult valid = success();
};
} // namespace

LogicalResult attn::checkKernel(KernelOp kernel) {
  return KernelChecker(kernel).check();
}
