//===- KernelFaults.cpp - What is wrong with a kernel ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults that the numbers of uses and registers show, and the report.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::attn_gpu;

LogicalResult attn_gpu::reportFaults(const KernelFaults &faults) {
  LogicalResult valid = success();
  for (const KernelFault &fault : faults) {
    InFlightDiagnostic report = fault.isSlow
                                    ? fault.op->emitWarning()
                                    : fault.op->emitOpError() << fault.text;
    if (fault.isSlow)
      report << "'" << fault.op->getName() << "' op " << fault.text;
    else
      valid = failure();
    for (auto &[other, text] : fault.notes)
      report.attachNote(other->getLoc()) << text;
  }
  return valid;
}

static WarpSpecializeOp getRoles(KernelOp kernel) {
  auto roles = kernel.getBody().getOps<WarpSpecializeOp>();
  return roles.empty() ? WarpSpecializeOp() : *roles.begin();
}

Region &attn_gpu::getConsumerRegion(KernelOp kernel) {
  WarpSpecializeOp roles = getRoles(kernel);
  return roles ? roles.getConsumer() : kernel.getBody();
}

Region &attn_gpu::getProducerRegion(KernelOp kernel) {
  WarpSpecializeOp roles = getRoles(kernel);
  return roles ? roles.getProducer() : kernel.getBody();
}

void attn_gpu::findProductUseFaults(KernelOp kernel, KernelFaults &faults) {
  kernel.walk([&](MmaOp op) {
    auto uses = std::distance(op->use_begin(), op->use_end());
    if (uses != 1)
      faults.push_back({op, "expected one use of a product in flight, got " +
                                std::to_string(uses) +
                                (uses == 0 ? ": nobody waits for it" : "")});
  });
}

void attn_gpu::findReadFaults(KernelOp kernel, KernelFaults &faults) {
  kernel.walk([&](LoopLikeOpInterface loop) {
    ReadOp read;
    loop->walk([&](ReadOp op) {
      read = op;
      return WalkResult::interrupt();
    });
    if (!read)
      return;
    // What goes on as it came was read before the loop.
    auto staysAsItIs = [&](BlockArgument argument) {
      OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
      return yielded && yielded->get() == argument;
    };
    for (Region &region : loop->getRegions())
      for (BlockArgument argument : region.getArguments()) {
        if (!isa<TileType, InFlightType>(argument.getType()) ||
            staysAsItIs(argument))
          continue;
        std::string text;
        llvm::raw_string_ostream(text)
            << "carries '" << argument.getType()
            << "' and holds an attn_gpu.read, which overwrites what an "
               "iteration before has read; expected a ring, as "
               "attn-gpu-async-copy makes of reads";
        faults.push_back({loop, text});
        faults.back().notes.push_back({read, "read here"});
        return;
      }
  });
}

void attn_gpu::findRingUseFaults(KernelOp kernel, KernelFaults &faults) {
  for (auto ring : kernel.getBody().getOps<RingCreateOp>()) {
    bool fills = false, waits = false, releases = false;
    for (Operation *user : ring->getUsers()) {
      fills |= isa<RingFillOp>(user);
      waits |= isa<RingWaitOp>(user);
      releases |= isa<RingReleaseOp>(user);
    }
    if (waits && !fills)
      faults.push_back({ring, "is waited for but not filled"});
    if (fills && !releases)
      faults.push_back({ring, "is filled but not released"});
  }
}

void attn_gpu::findRegisterFaults(KernelOp kernel, KernelFaults &faults) {
  WarpSpecializeOp roles = getRoles(kernel);
  if (!roles)
    return;
  int64_t groups = kernel.getWarpgroups() + 1;
  int64_t threads = groups * AttnGPUDialect::kWarpgroupThreads;
  if (threads > KernelPlan::kMaxThreads) {
    faults.push_back(
        {roles, ("expected at most " + Twine(KernelPlan::kMaxThreads) +
                 " threads with the producer's, got " + Twine(threads))
                    .str()});
    return;
  }
  int64_t most = groups * KernelPlan::getRegistersAtStart(threads);
  int64_t asked = roles.getProducerRegisters() +
                  kernel.getWarpgroups() * roles.getConsumerRegisters();
  if (asked > most)
    faults.push_back(
        {roles, ("expected at most " + Twine(most) +
                 " registers over the warpgroups, what " + Twine(threads) +
                 " threads start with, got " + Twine(asked))
                    .str()});
}

KernelFaults attn_gpu::findKernelFaults(KernelOp kernel) {
  KernelFaults faults;
  for (auto find :
       {findProductUseFaults, findReadFaults, findRingUseFaults,
        findRegisterFaults, findProductFaults, findRingFaults, findTurnFaults,
        findStagedWriteFaults, findDivergenceFaults, findPressureFaults})
    find(kernel, faults);
  return faults;
}
