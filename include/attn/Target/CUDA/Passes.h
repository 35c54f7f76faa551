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

namespace mlir::attn {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "attn/Target/CUDA/Passes.h.inc"

/// Lets one-shot bufferization take `attn_gpu.launch`.
void registerLaunchBufferization(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TARGET_CUDA_PASSES_H
