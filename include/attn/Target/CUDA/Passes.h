//===- Passes.h - Programs for CUDA devices ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes, and how launches are bufferized.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CUDA_PASSES_H
#define ATTN_TARGET_CUDA_PASSES_H

#include "mlir/Pass/Pass.h"
#include <functional>
#include <memory>

namespace mlir::attn {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "attn/Target/CUDA/Passes.h.inc"

/// `attn-gpu-fit-schedules` with a pipeline that `build` makes, in place of one
/// that is parsed. `build` is called for every copy that is compiled.
std::unique_ptr<Pass>
createFitSchedulesPass(std::function<void(OpPassManager &)> build);

/// Lets one-shot bufferization take `attn_gpu.launch`.
void registerLaunchBufferization(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TARGET_CUDA_PASSES_H
