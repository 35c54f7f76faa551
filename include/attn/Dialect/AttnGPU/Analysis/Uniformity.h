//===- Uniformity.h - Scalars that threads agree on -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which integers and conditions of a kernel are the same in all threads of a
// cluster, of a thread block, of a warpgroup, or in none but one.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "llvm/ADT/DenseMap.h"

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

class Uniformity {
public:
  explicit Uniformity(KernelOp kernel);

  /// Of a scalar; of tiles and products, who has the same.
  Sharing get(Value value) const;
  /// Who decides alike whether `op`, a condition or loop, goes into a region,
  /// and how often.
  Sharing getDecision(Operation *op) const;
  /// Who comes to `op` together: all decisions around it.
  Sharing getControl(Operation *op) const;

private:
  bool raise(Value value, Sharing sharing);
  bool visit(Operation *op);

  llvm::DenseMap<Value, Sharing> sharings;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_UNIFORMITY_H
