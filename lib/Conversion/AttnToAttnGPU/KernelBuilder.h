//===- KernelBuilder.h - A loop over query tiles as a kernel ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the kernel of one loop.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOATTNGPU_KERNELBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOATTNGPU_KERNELBUILDER_H

#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Utils/OnlineSoftmax.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn::detail {

/// Part of a tensor in global memory: an argument of the kernel, and where in
/// it the part begins.
struct GlobalView {
  Value memref;
  SmallVector<Value> offsets;
};

/// Builds what the body of a loop over query tiles does, at the insertion
/// point, for one warpgroup. Tensors of the body are either views of global
/// memory or stand in registers: states, and results of `attn.finalize`.
class TileProgram {
public:
  /// `mapping` takes values defined outside the loop, and its induction
  /// variables, to their place in the kernel.
  TileProgram(OpBuilder &b, IRMapping &mapping, const KernelOptions &options)
      : b(b), mapping(mapping), options(options) {}

  /// Converts the body; its results are written to `outputs`, memrefs of the
  /// kernel in the order of the loop's outputs. A row result has a trailing
  /// dimension of 1 there.
  LogicalResult convert(scf::ForallOp loop, ValueRange outputs);

private:
  LogicalResult convertScalar(Operation *op);
  void convertNeutral(NeutralOp op);
  LogicalResult convertWalk(WalkOp op);
  LogicalResult convertPartial(PartialOp op);
  LogicalResult convertFinalize(FinalizeOp op);
  LogicalResult convertInsert(tensor::ParallelInsertSliceOp op,
                              ValueRange outputs);

  /// Where `tensor` stands, or nothing if that is not a place in memory.
  FailureOr<GlobalView> trace(Value tensor);
  /// The tile of `rows` rows along `rowDim` at `view`.
  Value readTile(Location loc, const GlobalView &view, int64_t rowDim,
                 int64_t rows, int64_t columns);
  /// This warpgroup's query rows, in shared memory.
  FailureOr<Value> readQueries(PartialOp op);
  /// The scores that a mask leaves.
  Value hide(PartialOp op, Value scores);
  /// First row of this warpgroup in the query tile.
  Value getWarpgroupRow(Location loc);
  Value index(Location loc, int64_t n);
  Value broadcast(Location loc, Value value, ArrayRef<int64_t> shape);

  OpBuilder &b;
  IRMapping &mapping;
  const KernelOptions &options;
  ScheduleAttr schedule; ///< The walk's; may be null.
  Value queries;
};

/// Adds to `reasons` what in `op` no kernel can do yet.
void findUnsupported(PartialOp op, SmallVectorImpl<std::string> &reasons);

} // namespace mlir::attn::detail

#endif // ATTN_LIB_CONVERSION_ATTNTOATTNGPU_KERNELBUILDER_H
