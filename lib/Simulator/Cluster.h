//===- Cluster.h - Thread blocks that run at the same time ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thread blocks of a cluster: one, if the kernel has no clusters. Each
// lives until all have ended, as the barrier at the end of a kernel with
// clusters has it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_CLUSTER_H
#define ATTN_LIB_SIMULATOR_CLUSTER_H

#include "ThreadBlock.h"

namespace mlir::attn::sim {

class Cluster {
public:
  /// Number `number` of its launch.
  Cluster(Launch &launch, int64_t number);

  /// Lets one thing happen in one of its blocks, chosen by the launch's seed.
  Outcome step();
  bool isFinished() const { return finished; }

  int64_t getNumber() const { return number; }
  int64_t getSize() const { return blocks.size(); }
  /// That of `attn_gpu.cluster_rank`.
  ThreadBlock &getBlock(int64_t rank) { return *blocks[rank]; }

private:
  Outcome finish();
  Outcome reportDeadlock();

  Launch &launch;
  int64_t number;
  bool finished = false;
  SmallVector<std::unique_ptr<ThreadBlock>> blocks;
  /// How likely each block is to be chosen.
  SmallVector<uint64_t> weights;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_CLUSTER_H
