//===- Pipelines.h - CPU code generation pipeline ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From linalg on tensors inside loops, in functions on memrefs, to the LLVM
// dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_PIPELINES_H
#define ATTN_TARGET_CPU_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;

namespace attn {

/// Options of the pipeline `attn-cpu-to-llvm`.
struct CPUToLLVMOptions : public PassPipelineOptions<CPUToLLVMOptions> {
  PassOptions::Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of a vector register in bits: 128, 256 or 512"),
      llvm::cl::init(256)};
  PassOptions::Option<int64_t> maxStackBytes{
      *this, "max-stack-bytes",
      llvm::cl::desc("Bytes of tile buffers that a thread may keep on its "
                     "stack; the rest is allocated"),
      llvm::cl::init(1 << 20)};
  PassOptions::Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Hand parallel loops to the runtime's thread pool; false: "
                     "run them in order on the calling thread"),
      llvm::cl::init(true)};
};

/// Tensors inside functions to buffers.
void buildCPUBufferizePipeline(OpPassManager &pm);

/// Bufferized linalg in loops to the LLVM dialect.
void buildCPULowerPipeline(OpPassManager &pm, const CPUToLLVMOptions &options);

/// Both: takes a module whose functions have memrefs at their boundaries and
/// tensors inside; leaves only the LLVM dialect.
void buildCPUToLLVMPipeline(OpPassManager &pm, const CPUToLLVMOptions &options);

/// Registers `attn-cpu-to-llvm`, and its parts `attn-cpu-bufferize` (tensors to
/// tile buffers) and `attn-cpu-lower` (the rest), for pass drivers.
void registerCPUPipelines();

} // namespace attn
} // namespace mlir

#endif // ATTN_TARGET_CPU_PIPELINES_H
