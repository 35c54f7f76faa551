//===- Uniformity.h - Scalars that threads agree on -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which scalars are the same in all threads of a cluster, of a thread block, of
// a warpgroup, or in none but one, and at which points of work.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::attn_gpu {

/// Who has the same value.
enum class Sharing : uint8_t {
  /// All threads of all blocks of the cluster: arguments, constants, points of
  /// work.
  Cluster,
  /// Those of a block: what comes from attn_gpu.cluster_rank.
  Block,
  /// Those of a warpgroup: what comes from attn_gpu.warpgroup_index.
  Warpgroup,
  /// Perhaps nobody else: a scalar taken from a vector, whose elements are
  /// spread over threads, or from memory.
  None
};

/// For each scalar, which sources it depends on, by what it is computed from
/// and by the conditions and loops that make it: places in cluster, block and
/// warpgroup, and the dimensions of points of work.
class Uniformity {
public:
  explicit Uniformity(KernelOp kernel);

  /// Of a scalar; of tiles and products, who has the same.
  Sharing get(Value value) const { return getSharing(getSources(value)); }
  /// Who decides alike whether `op`, a condition or loop, goes into a region,
  /// and how often.
  Sharing getDecision(Operation *op) const {
    return getSharing(getDecisionSources(op));
  }
  /// Who comes to `op` together: all decisions around it.
  Sharing getControl(Operation *op) const;

  /// A bit for each dimension of the points of `work`, a work loop of the
  /// kernel: whether a scalar may differ between points that differ there only.
  llvm::BitVector getPointDimensions(WorkLoopOp work, Value value) const;

private:
  /// A bit for Sharing::Block, Warpgroup and None each, then for each dimension
  /// of each work loop.
  using Sources = llvm::SmallBitVector;

  static unsigned getBit(Sharing sharing) {
    return static_cast<unsigned>(sharing) - 1;
  }
  static Sharing getSharing(const Sources &sources);
  Sources getNothing() const { return Sources(numSources); }
  Sources getSources(Value value) const {
    return sourcesOf.lookup_or(value, getNothing());
  }
  Sources getDecisionSources(Operation *op) const;
  bool raise(Value value, const Sources &sources);
  bool raise(Value value, Sharing sharing);
  bool visit(Operation *op);
  bool visitTerminator(Operation *op, Operation *parent);
  bool visitLoop(LoopLikeOpInterface loop);

  unsigned numSources;
  llvm::DenseMap<Operation *, unsigned> firstDimension; // by work loop
  llvm::DenseMap<Value, Sources> sourcesOf;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H
