//===- Transforms.h - Transformations of kernels ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes of the dialect do, for other drivers.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_TRANSFORMS_H
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_TRANSFORMS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/SM90.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn_gpu {

/// Gives the work loops of `kernel` a schedule and, where a point's length
/// depends on its place in the last dimension, groups: as many as have
/// `groupBytes` of tensors to walk, none if that is 0.
void scheduleWork(RewriterBase &rewriter, KernelOp kernel,
                  WorkSchedule schedule, int64_t groupBytes);

/// Whether `value` is known to be a multiple of `divisor`: a constant, or made
/// of such by products and sums.
bool isMultipleOf(Value value, int64_t divisor);

/// Whether the copy engine reaches columns that begin at `offset` in rows of
/// `bits` wide elements: C6 of `attn_gpu.ring_fill`, known from the program.
bool isCopiedColumn(Value offset, int64_t bits);

/// Gives `kernel` clusters of `size` thread blocks, whose points are neighbours
/// in the last dimension of its work loop, and `attn_gpu.cluster_rank` in place
/// of one point's index. Returns why not, changing nothing, where they would
/// share no copies; else an empty text.
std::string formClusters(RewriterBase &rewriter, KernelOp kernel, int64_t size);

/// Turns the reads of `kernel` into rings; those in loops have `stages` stages,
/// others `outerStages` if the thread block runs them more than once.
LogicalResult makeCopiesAsync(RewriterBase &rewriter, KernelOp kernel,
                              int64_t stages, int64_t outerStages);

/// The stages of a persistent kernel's reads outside of loops that its shared
/// memory allows, 2 or 1, with `stages` in loops and a tile for each write.
int64_t chooseOuterStages(KernelOp kernel, int64_t stages);

/// Lets the writes of `kernel` go through shared memory, of which the kernel
/// may use `sharedBytes` in all.
void stageWrites(RewriterBase &rewriter, KernelOp kernel, int64_t sharedBytes);

/// The wait for `product`, if that is all that uses it and stands in its block;
/// else null.
MmaWaitOp findWait(MmaOp product);

/// Delays the last product of each step of `loop` by a step. Fails, changing
/// nothing, where no product of a step depends on another.
LogicalResult rotateLoop(RewriterBase &rewriter, scf::ForOp loop);

/// Delays what stands behind the loop of each point of `work`, its last product
/// and what becomes of the result, to the next point, beside whose first
/// product it runs. Fails, changing nothing, where that is not possible.
LogicalResult flattenWork(RewriterBase &rewriter, WorkLoopOp work);

/// Slices `kernel` into roles.
LogicalResult specializeWarps(RewriterBase &rewriter, KernelOp kernel,
                              attn::sm90::RoleRegisters registers, bool turns);

/// Keeps, of the operations in `region`, those that `isRoot` says and what they
/// need: operands, enclosing operations, and of what loops and conditions carry
/// only that. Keeps the region's terminator.
void sliceRegion(RewriterBase &rewriter, Region &region,
                 llvm::function_ref<bool(Operation *)> isRoot);

/// Splits `loop` at the first bound that its body compares the induction
/// variable with. Fails, changing nothing, where there is none.
LogicalResult splitLoop(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_TRANSFORMS_H
