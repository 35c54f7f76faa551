//===- Patterns.h - Parts of the lowering to NVVM ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The groups of patterns that make up the lowering.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H

#include "attn/Conversion/AttnGPUToNVVM/KernelPlan.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn {

/// The kernel, its work and its warpgroups.
void populateKernelPatterns(const TypeConverter &converter,
                            const KernelPlan &plan,
                            RewritePatternSet &patterns);
/// Reads and writes of global memory.
void populateCopyPatterns(const TypeConverter &converter,
                          const KernelPlan &plan, RewritePatternSet &patterns);
/// Products and their operands.
void populateProductPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
/// Elementwise operations, broadcasts, reductions, numbers of rows and columns.
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);

/// Whether `op` is an elementwise operation that the lowering knows, or needs a
/// hardware instruction of its own.
bool isKnownElementwise(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
