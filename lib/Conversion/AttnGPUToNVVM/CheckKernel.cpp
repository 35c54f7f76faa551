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
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {
class KernelChecker {
public:
  explicit KernelChecker(KernelOp kernel) : kernel(kernel) {}

  LogicalResult check() {
    kernel.getBody().walk([&](Operation *op) { checkOp(op); });
    KernelFaults faults;
    findProductUseFaults(kernel, faults);
    findReadFaults(kernel, faults);    // C3
    findRingUseFaults(kernel, faults); // C7
    findRegisterFaults(kernel, faults);
    if (failed(reportFaults(faults)))
      valid = failure();
    checkRoles();
    checkWork();
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
    else if (auto read = dyn_cast<ReadOp>(op))
      checkTensor(op, "source", read.getSource().getType());
    else if (auto write = dyn_cast<WriteOp>(op))
      checkTensor(op, "destination", write.getDestination().getType());
    else if (auto fill = dyn_cast<RingFillOp>(op))
      checkCopy(op, "source", fill.getSource(), "read it with attn_gpu.read");
    else if (auto copy = dyn_cast<CopyOutOp>(op))
      checkCopy(op, "destination", copy.getDestination(),
                "write it with attn_gpu.write");
    if (isa<RingFillOp, RingWaitOp, RingReleaseOp>(op) &&
        !op->getOperand(0).getDefiningOp<RingCreateOp>())
      fail(op) << "'ring' expected the result of an attn_gpu.ring_create";
  }

  static bool isKnown(Operation *op) {
    return isa<AttnGPUDialect>(op->getDialect()) || isKnownElementwise(op) ||
           isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
               scf::ConditionOp, vector::BroadcastOp, memref::DimOp>(op);
  }

  /// C1 and C4, for all values of `op`.
  void checkTypes(Operation *op) {
    if (!isa<ReadOp, WriteOp, RingFillOp, CopyOutOp, memref::DimOp>(op) &&
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
      fail(op) << "takes a tensor: expected attn_gpu.read, attn_gpu.ring_fill, "
                  "attn_gpu.write, attn_gpu.copy_out or memref.dim";
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

  void checkTensor(Operation *op, StringRef name, MemRefType type) {
    unsigned bits = type.getElementTypeBitWidth();
    if (bits != 16 && bits != 32)
      fail(op) << "'" << name << "' expected elements of 16 or 32 bits, got "
               << type.getElementType();
  }

  /// C6. `instead`: what has no such limit.
  void checkCopy(Operation *op, StringRef name, Value tensor,
                 StringRef instead) {
    auto argument = dyn_cast<BlockArgument>(tensor);
    if (!argument || argument.getOwner() != &kernel.getBody().front())
      fail(op) << "'" << name << "' expected an argument of the kernel";
    int64_t rank = cast<MemRefType>(tensor.getType()).getRank();
    if (rank > TileMapPlan::kMaxRank)
      fail(op) << "'" << name << "' expected at most " << TileMapPlan::kMaxRank
               << " dimensions, which the copy engine walks, got " << rank
               << ": collapse some, or " << instead;
  }

  /// C8.
  void checkRoles() {
    SmallVector<WarpSpecializeOp> roles(
        kernel.getBody().getOps<WarpSpecializeOp>());
    if (roles.empty())
      return;
    for (WarpSpecializeOp other : ArrayRef(roles).drop_front())
      fail(other) << "is not the kernel's first: expected one";
    WarpSpecializeOp role = roles.front();
    kernel.getBody().walk([&](Operation *op) {
      if (isa<ReadOp>(op))
        fail(op)
            << "needs all threads of the block, which have roles: expected "
               "a ring";
      else if (!op->getParentOfType<WarpSpecializeOp>() &&
               !isa<WarpSpecializeOp, RingCreateOp, TileCreateOp>(op) &&
               !op->hasTrait<OpTrait::IsTerminator>() &&
               !isMemoryEffectFree(op))
        fail(op) << "expected to be in one of the roles of "
                    "attn_gpu.warp_specialize";
    });
    role.getProducer().walk([&](Operation *op) {
      if (isa<RingReleaseOp, TurnWaitOp, TurnPassOp, CopyWaitOp>(op))
        fail(op) << "belongs to the consumers, not to the producer";
      else if (isa<WarpgroupIndexOp>(op) ||
               llvm::any_of(op->getOperands(), [](Value operand) {
                 return operand.getDefiningOp<WarpgroupIndexOp>();
               }))
        fail(op) << "depends on attn_gpu.warpgroup_index, which the producer "
                    "does not have";
    });
  }

  /// C9.
  void checkWork() {
    SmallVector<WorkLoopOp> loops;
    kernel.walk([&](WorkLoopOp op) { loops.push_back(op); });
    auto *fed =
        llvm::find_if(loops, [](WorkLoopOp op) { return op.isPersistent(); });
    if (fed == loops.end())
      return;
    SmallVector<Region *> regions = {&kernel.getBody()};
    if (auto role = dyn_cast<WarpSpecializeOp>((*fed)->getParentOp()))
      regions = {&role.getProducer(), &role.getConsumer()};
    for (Region *region : regions) {
      SmallVector<WorkLoopOp> inRegion(region->getOps<WorkLoopOp>());
      if (inRegion.size() != 1 || loops.size() != regions.size() ||
          inRegion.front().getSchedule() != (*fed).getSchedule() ||
          inRegion.front().getExtents() != (*fed).getExtents()) {
        fail(*fed) << "is persistent: expected it to be the kernel's only work "
                      "loop, or each role to have the same one";
        return;
      }
    }
  }

  KernelOp kernel;
  LogicalResult valid = success();
};
} // namespace

LogicalResult attn::checkKernel(KernelOp kernel) {
  return KernelChecker(kernel).check();
}
