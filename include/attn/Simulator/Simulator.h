//===- Simulator.h - Runs kernels on the CPU --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs an `attn_gpu.kernel`, synchronous or asynchronous, on the CPU: computes
// what it computes and reports what is wrong in how its warpgroups, copies and
// products work together. docs/Debugging.md says how to read the reports,
// docs/Rationale/AttnGPU.md what is modelled.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SIMULATOR_SIMULATOR_H
#define ATTN_SIMULATOR_SIMULATOR_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/IR/Diagnostics.h"
#include <string>
#include <variant>
#include <vector>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn::sim {

/// What can be wrong.
enum class FaultKind : uint8_t {
  /// An operation, type or argument that the simulator does not know.
  Unsupported,
  /// A tile is read before its copy has landed.
  NotFull,
  /// A stage or buffer is overwritten that somebody may still read.
  InUse,
  /// A tile is read after its stage was given back or overwritten.
  Stale,
  /// A product in flight is used, waited for twice or never.
  InFlight,
  /// A fill, wait or release that does not match the others of its ring.
  Signal,
  /// Turns that do not match.
  Turn,
  /// Everybody waits.
  Deadlock,
  /// Warpgroups meet at different operations, or with different operands, or
  /// thread blocks share different tiles.
  Divergence,
  /// Two agents write an element, or one reads what another writes.
  Race,
  /// Rows outside of a tile, a dimension that a tensor has not got, division by
  /// zero.
  Bounds,
  /// More steps than allowed.
  TooLong
};

/// As reports name it, for example "deadlock".
llvm::StringRef getName(FaultKind kind);

/// One thing that is wrong.
struct Fault {
  FaultKind kind;
  /// Where: the operation that notices it.
  Operation *op;
  /// Who: "block 3, consumer 1".
  std::string agent;
  /// What, with ring, stage and fill where there is one.
  std::string text;
  /// Others that have to do with it.
  std::vector<std::pair<Operation *, std::string>> notes;

  /// The whole report in one string, the operation included.
  std::string str() const;
};

/// Emits `fault` as an error at its operation's location, with its notes.
void emitFault(const Fault &fault);

/// A tensor in memory. Elements are those of the kernel's argument (f32, bf16,
/// f16), strides in elements.
struct Tensor {
  void *data = nullptr;
  SmallVector<int64_t> shape, strides;
};

/// An argument: an integer or index, an f32, a tensor.
using Argument = std::variant<int64_t, float, Tensor>;

struct Options {
  /// Chooses the order of everything that has none. Seed 0 is the plainest:
  /// copies land and products run as late as they can, agents take turns.
  uint64_t seed = 0;
  /// Thread blocks of the launch: whole clusters.
  int64_t blocks = 1;
  /// Of the launches of a function: thread blocks of a persistent kernel, at
  /// most; clusters, where it has some.
  int64_t persistentBlocks = 2;
  /// Thread blocks that run at the same time; clusters, where the kernel has
  /// some.
  int64_t blocksAtOnce = 1;
  /// Steps of a launch before it counts as endless.
  int64_t maxSteps = 100'000'000;
};

/// Runs `kernel` once. Returns what is wrong, in the order in which it was
/// noticed; nothing else runs after the first fault, so that the outputs are
/// what they are at that moment. Empty: all ran to its end.
std::vector<Fault> simulate(attn_gpu::KernelOp kernel,
                            ArrayRef<Argument> arguments,
                            const Options &options);

/// A function's result: the tensor and the memory that it stands in.
struct HostResult {
  Type elementType;
  Tensor tensor;
  std::shared_ptr<void> memory;
};

/// Runs `function`, the host side of kernels in the same module, with tensors
/// for arguments, and the kernels that it launches. `options.blocks` is not
/// used: launches say how many there are. On faults `results` is unspecified.
std::vector<Fault> simulate(func::FuncOp function, ArrayRef<Argument> arguments,
                            const Options &options,
                            SmallVectorImpl<HostResult> &results);

} // namespace mlir::attn::sim

#endif // ATTN_SIMULATOR_SIMULATOR_H
