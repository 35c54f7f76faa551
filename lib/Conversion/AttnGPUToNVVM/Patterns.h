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

#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn {

class NVVMBuilder;

/// The kernel.
void populateKernelPatterns(const TypeConverter &converter,
                            const attn_gpu::KernelPlan &plan,
                            RewritePatternSet &patterns);
/// How a thread block gets its work.
void populateWorkPatterns(const TypeConverter &converter,
                          const attn_gpu::KernelPlan &plan,
                          RewritePatternSet &patterns);
/// Reads and writes of global memory.
void populateCopyPatterns(const TypeConverter &converter,
                          const attn_gpu::KernelPlan &plan,
                          RewritePatternSet &patterns);
/// Writes that go through shared memory.
void populateStagedWritePatterns(const TypeConverter &converter,
                                 const attn_gpu::KernelPlan &plan,
                                 RewritePatternSet &patterns);
/// Rings of staged copies.
void populateRingPatterns(const TypeConverter &converter,
                          const attn_gpu::KernelPlan &plan,
                          RewritePatternSet &patterns);
/// Warpgroups, their roles and turns.
void populateRolePatterns(const TypeConverter &converter,
                          const attn_gpu::KernelPlan &plan,
                          RewritePatternSet &patterns);
/// Products and their operands.
void populateProductPatterns(const TypeConverter &converter,
                             const attn_gpu::KernelPlan &plan,
                             RewritePatternSet &patterns);
/// Elementwise operations, broadcasts, reductions, numbers of rows and columns.
void populateRegisterPatterns(const TypeConverter &converter,
                              const attn_gpu::KernelPlan &plan,
                              RewritePatternSet &patterns);

/// What stands at the start of a kernel: the barriers of rings and points are
/// made, all threads meet; the first consumer gets its turn.
void emitBarrierSetup(NVVMBuilder &b, const attn_gpu::KernelPlan &plan,
                      ValueRange tileMaps);
void emitTurnSetup(NVVMBuilder &b, const attn_gpu::KernelPlan &plan);

/// Waits until the phase of `parity` (i32) of an mbarrier is complete.
void emitBarrierWait(NVVMBuilder &b, Value barrier, Value parity);
/// All threads of a cluster meet.
void emitClusterBarrier(NVVMBuilder &b);
/// Arrives at an mbarrier where `predicate` (i1) holds.
void emitBarrierArrive(NVVMBuilder &b, Value barrier, Value predicate);

/// The parameter with the map that `op` copies through; null outside of a
/// lowered kernel.
Value getTileMapArgument(Operation *op, const attn_gpu::KernelPlan &plan);
/// For each box of `map` in the first `rows` rows of `tile`: bytes from the
/// start of the tile, and coordinates, the last dimension first. `offsets` are
/// i32.
void forEachBox(NVVMBuilder &b, const attn_gpu::TileMapPlan &map,
                attn_gpu::TileLayout tile, int64_t rows,
                ArrayRef<Value> offsets,
                llvm::function_ref<void(int64_t, ArrayRef<Value>)> emit);

/// Whether `op` is an elementwise operation that the lowering knows, or needs a
/// hardware instruction of its own.
bool isKnownElementwise(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
