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

class NVVMBuilder;

/// The kernel and its work.
void populateKernelPatterns(const TypeConverter &converter,
                            const KernelPlan &plan,
                            RewritePatternSet &patterns);
/// Reads and writes of global memory.
void populateCopyPatterns(const TypeConverter &converter,
                          const KernelPlan &plan, RewritePatternSet &patterns);
/// Rings of staged copies.
void populateRingPatterns(const TypeConverter &converter,
                          const KernelPlan &plan, RewritePatternSet &patterns);
/// Warpgroups, their roles and turns.
void populateRolePatterns(const TypeConverter &converter,
                          const KernelPlan &plan, RewritePatternSet &patterns);
/// Products and their operands.
void populateProductPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
/// Elementwise operations, broadcasts, reductions, numbers of rows and columns.
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);

/// What stands at the start of a kernel: the barriers of rings are made, all
/// threads meet; the first consumer gets its turn.
void emitRingSetup(NVVMBuilder &b, const KernelPlan &plan, ValueRange tileMaps);
void emitTurnSetup(NVVMBuilder &b, const KernelPlan &plan);

/// Whether `op` is an elementwise operation that the lowering knows, or needs a
/// hardware instruction of its own.
bool isKnownElementwise(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
