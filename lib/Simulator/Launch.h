//===- Launch.h - Starting programs -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the simulation of kernels and that of host functions share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_LAUNCH_H
#define ATTN_LIB_SIMULATOR_LAUNCH_H

#include "ThreadBlock.h"

namespace mlir::attn::sim {

/// The arguments of `op` as values of `types`. Adds to `faults` and fails if
/// some do not fit.
LogicalResult convertArguments(Operation *op, TypeRange types,
                               ArrayRef<Argument> arguments,
                               SmallVectorImpl<Datum> &data,
                               std::vector<Fault> &faults);

/// Runs all thread blocks of a kernel.
std::vector<Fault> runLaunch(attn_gpu::KernelOp kernel,
                             SmallVector<Datum> arguments,
                             const Options &options);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_LAUNCH_H
