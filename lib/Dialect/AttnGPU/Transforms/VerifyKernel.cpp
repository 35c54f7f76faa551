//===- VerifyKernel.cpp - Reports what is wrong with a kernel -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs all checks of kernels.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUVERIFYPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
struct VerifyPass : attn_gpu::impl::AttnGPUVerifyPassBase<VerifyPass> {
  void runOnOperation() override {
    // Both report, so that all errors come at once.
    LogicalResult valid = reportFaults(findKernelFaults(getOperation()));
    if (failed(KernelPlan::get(getOperation())) || failed(valid))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
