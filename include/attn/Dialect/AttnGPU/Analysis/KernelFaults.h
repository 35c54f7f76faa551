//===- KernelFaults.h - What is wrong with a kernel -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of asynchronous kernels, each for one kind of fault. They look at the
// program alone: at every path, and at no input.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELFAULTS_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELFAULTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir::attn_gpu {

struct KernelFault {
  Operation *op;
  std::string text;
  /// Costs speed, but changes no result.
  bool isSlow = false;
  std::vector<std::pair<Operation *, std::string>> notes = {};
};

using KernelFaults = std::vector<KernelFault>;

/// Emits each fault at its operation: an error, or a warning if it is slow.
/// Fails if there is an error.
LogicalResult reportFaults(const KernelFaults &faults);

/// The region in which the kernel's own warpgroups run: that of the consumers,
/// or the kernel's body.
Region &getConsumerRegion(KernelOp kernel);
/// The region that fills rings: that of the producer, or the kernel's body.
Region &getProducerRegion(KernelOp kernel);

//===----------------------------------------------------------------------===//
// What a lowering cannot do without
//===----------------------------------------------------------------------===//

/// Products that are not used exactly once.
void findProductUseFaults(KernelOp kernel, KernelFaults &faults);
/// Loops that carry a tile or a product in flight around a synchronous read: it
/// overwrites what the iteration before has read.
void findReadFaults(KernelOp kernel, KernelFaults &faults);
/// Rings that are waited for but not filled, or filled but not released.
void findRingUseFaults(KernelOp kernel, KernelFaults &faults);
/// Roles that ask for more threads or registers than a block starts with.
void findRegisterFaults(KernelOp kernel, KernelFaults &faults);

//===----------------------------------------------------------------------===//
// What must hold on every path
//===----------------------------------------------------------------------===//

/// Products: waits that leave theirs in flight; arms of a condition or steps of
/// a loop after which not the same products are in flight; tiles that are given
/// back or overwritten while a product reads them. Slow: operands in registers
/// that are made, and conditions that threads decide differently, while
/// products run.
void findProductFaults(KernelOp kernel, KernelFaults &faults);

/// Rings: counts of fills, waits and releases that do not go up by one; steps,
/// arms or roles that run them unequally often; tiles used after their release;
/// waits that the same program can only fulfil later.
void findRingFaults(KernelOp kernel, KernelFaults &faults);

/// Turns: taken twice, passed without being had, kept.
void findTurnFaults(KernelOp kernel, KernelFaults &faults);

/// Tiles that are stored to while a copy reads them, copies that nobody waits
/// for before the kernel ends, tiles that are used or stored to, but not both.
void findStagedWriteFaults(KernelOp kernel, KernelFaults &faults);

/// Operations that threads or warpgroups must run together under conditions,
/// or with operands, that differ among them.
void findDivergenceFaults(KernelOp kernel, KernelFaults &faults);

/// Slow: values that need more registers than a consumer may use.
void findPressureFaults(KernelOp kernel, KernelFaults &faults);

/// All of the above.
KernelFaults findKernelFaults(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_KERNELFAULTS_H
