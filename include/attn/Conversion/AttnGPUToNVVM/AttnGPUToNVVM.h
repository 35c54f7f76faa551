//===- AttnGPUToNVVM.h - Tile programs to NVVM ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers kernels of attn_gpu to functions for NVIDIA GPUs: the pass, its
// patterns, and the pipeline that goes on to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNGPUTONVVM_ATTNGPUTONVVM_H
#define ATTN_CONVERSION_ATTNGPUTONVVM_ATTNGPUTONVVM_H

#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
class RewritePatternSet;
class TypeConverter;

namespace attn {

/// Reports everything in `kernel` that the lowering refuses, each at its
/// operation.
LogicalResult checkKernel(attn_gpu::KernelOp kernel);

/// Adds how a warpgroup's values become those of a thread.
void populateAttnGPUToNVVMTypeConversions(TypeConverter &converter);

/// Adds the patterns for everything inside a kernel but `scf`, and for the
/// kernel. `plan` must outlive them.
void populateAttnGPUToNVVMPatterns(const TypeConverter &converter,
                                   const attn_gpu::KernelPlan &plan,
                                   RewritePatternSet &patterns);

/// Lowers `kernel` in place; fails with the errors of `checkKernel` and of
/// `KernelPlan`.
LogicalResult convertKernelToNVVM(attn_gpu::KernelOp kernel);

/// attn_gpu kernels to functions of the LLVM and NVVM dialects (pipeline
/// `attn-gpu-to-llvm`).
void buildAttnGPUToLLVMPipeline(OpPassManager &pm);

/// Registers the pipeline above.
void registerAttnGPUPipelines();

#define GEN_PASS_DECL
#include "attn/Conversion/AttnGPUToNVVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnGPUToNVVM/Passes.h.inc"

} // namespace attn
} // namespace mlir

#endif // ATTN_CONVERSION_ATTNGPUTONVVM_ATTNGPUTONVVM_H
