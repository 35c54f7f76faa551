//===- Mutants.h - Kernels with one thing wrong -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes mutants of asynchronous kernels: each operation that synchronises is
// dropped, duplicated, swapped with the next, names another stage, or is not
// the same in all thread blocks of a cluster.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_MUTATIONS_MUTANTS_H
#define ATTN_TEST_MUTATIONS_MUTANTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::attn::sim {

enum class Change : uint8_t {
  Drop,
  Duplicate,
  /// With the next operation of its block that synchronises.
  Swap,
  /// The count of a fill, wait or release: another stage, or the same stage a
  /// phase away. `amount` says by how much.
  Count,
  /// How many products a wait leaves in flight.
  Pending,
  /// Whether a wait for copies to global memory is for their reading.
  Read,
  /// The ring of a fill, wait or release: the next one of its type.
  Ring,
  /// A fill or release, in the first thread block of a cluster alone.
  FirstBlock,
  /// The rows of a fill, other ones in each thread block of a cluster.
  Rows
};

struct Mutation {
  /// Of the operation, in the order of a walk over the kernel.
  int64_t index;
  Change change;
  int64_t amount = 0;
  /// "drop", "count - 2", ...
  std::string name;
  /// Name of the operation, and of the one it is swapped with.
  std::string op, other;
  /// Why it is equal to the kernel if nobody notices it; empty if it is not.
  std::string equivalence;
};

/// All mutations of `kernel`.
std::vector<Mutation> listMutations(attn_gpu::KernelOp kernel);

/// `kernel` in a copy of its module, mutated. Verified.
OwningOpRef<ModuleOp> applyMutation(attn_gpu::KernelOp kernel,
                                    const Mutation &mutation);

} // namespace mlir::attn::sim

#endif // ATTN_TEST_MUTATIONS_MUTANTS_H
