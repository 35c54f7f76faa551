//===- SimulatedProgram.h - Functions with kernels, simulated ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that launches kernels as a program that the simulator runs, in
// several orders of what has none.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_SIMULATEDPROGRAM_H
#define ATTN_LIB_TOOLS_RUN_SIMULATEDPROGRAM_H

#include "attn/Tools/Run/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::attn::run {

/// The program of `function` in `module`, which holds it on tensors with the
/// `attn_gpu` kernels that it launches. A call runs it `schedules` times, by
/// seeds from 0, and fails if the simulator notices anything or if two runs
/// differ in a bit.
std::unique_ptr<Program> makeSimulatedProgram(OwningOpRef<ModuleOp> module,
                                              StringRef function,
                                              int64_t schedules);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_SIMULATEDPROGRAM_H
