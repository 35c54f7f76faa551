//===- RegisterPressure.cpp - Registers that vectors need -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk from the end to the begin of each block with the set of values that
// are used later.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/RegisterPressure.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

RegisterPressure::RegisterPressure(Region &region) { walk(region.front(), {}); }

int64_t RegisterPressure::getRegisters(Type type) {
  if (auto inFlight = dyn_cast<InFlightType>(type))
    type = inFlight.getFragment();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !isa<FloatType>(vector.getElementType()) || !getLayout(vector))
    return 0;
  return llvm::divideCeil(RegisterLayout(vector).getNumElements() *
                              vector.getElementTypeBitWidth(),
                          32);
}

void RegisterPressure::use(Value value, Live &live) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ConstantOp>(op))
    return;
  if (auto broadcast = dyn_cast_if_present<vector::BroadcastOp>(op))
    return use(broadcast.getSource(), live);
  if (getRegisters(value.getType()) != 0)
    live.insert(value);
}

void RegisterPressure::note(Operation *op, const Live &live) {
  int64_t sum = 0;
  for (Value value : live)
    sum += getRegisters(value.getType());
  if (sum <= most)
    return;
  most = sum;
  place = op;
  values.assign(live.begin(), live.end());
}

RegisterPressure::Live RegisterPressure::walk(Block &block, Live live) {
  for (Operation &op : llvm::reverse(block)) {
    note(&op, live);
    if (op.getNumRegions() != 0) {
      live = walkRegions(&op, std::move(live));
    } else {
      for (Value result : op.getResults())
        live.remove(result);
      if (!isa<vector::BroadcastOp>(op))
        for (Value operand : op.getOperands())
          use(operand, live);
      // A fragment that a product reads stays until that is waited for.
      if (auto wait = dyn_cast<MmaWaitOp>(op))
        if (auto start = wait.getProduct().getDefiningOp<MmaOp>())
          use(start.getA(), live);
    }
    note(&op, live);
  }
  return live;
}

RegisterPressure::Live RegisterPressure::walkRegions(Operation *op, Live live) {
  for (Value result : op->getResults())
    live.remove(result);
  auto useYielded = [](Block &block, Live &out) {
    for (Value operand : block.getTerminator()->getOperands())
      use(operand, out);
  };
  if (!isa<scf::IfOp>(op)) {
    // What any step uses lives through all of them.
    op->walk([&](Operation *inner) {
      if (inner == op)
        return;
      Live used;
      for (Value operand : inner->getOperands())
        use(operand, used);
      for (Value value : used)
        if (!op->isAncestor(value.getParentRegion()->getParentOp()))
          live.insert(value);
    });
  }
  Live before = live;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    Live out = live;
    useYielded(region.front(), out);
    for (Value value : walk(region.front(), std::move(out)))
      if (!op->isAncestor(value.getParentRegion()->getParentOp()))
        before.insert(value);
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (Value init : loop.getInits())
      use(init, before);
  return before;
}

void attn_gpu::findPressureFaults(KernelOp kernel, KernelFaults &faults) {
  Region &region = getConsumerRegion(kernel);
  int64_t budget =
      std::min(attn::sm90::kMaxNamedRegisters,
               KernelPlan::getRegistersAtStart(
                   kernel.getWarpgroups() * AttnGPUDialect::kWarpgroupThreads));
  if (auto roles = dyn_cast<WarpSpecializeOp>(region.getParentOp()))
    budget =
        std::min(attn::sm90::kMaxNamedRegisters, roles.getConsumerRegisters());
  RegisterPressure pressure(region);
  if (pressure.getMost() <= budget)
    return;
  faults.push_back({pressure.getPlace(),
                    "needs at least " + std::to_string(pressure.getMost()) +
                        " registers of each thread for the vectors that live "
                        "here, more than the " +
                        std::to_string(budget) +
                        " it may use: some will be "
                        "spilled",
                    /*isSlow=*/true});
  for (Value value : pressure.getValues()) {
    Operation *maker = value.getDefiningOp();
    if (!maker)
      maker = cast<BlockArgument>(value).getOwner()->getParentOp();
    std::string text;
    llvm::raw_string_ostream(text)
        << RegisterPressure::getRegisters(value.getType()) << " for "
        << value.getType();
    faults.back().notes.push_back({maker, text});
  }
}
