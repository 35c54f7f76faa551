//===- Pipelines.h - From attention programs to CPUs ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass pipelines as functions over plain options, and their registration
// for pass drivers.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_PIPELINES_PIPELINES_H
#define ATTN_PIPELINES_PIPELINES_H

#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include <cstdint>
#include <string>

namespace mlir {
class OpPassManager;

namespace attn {

/// What can be chosen between the user level and the iteration level. 0 leaves
/// a choice to the cost model.
struct IterationOptions {
  int64_t queryTile = 0;
  int64_t keyTile = 0;
  int64_t keyParts = 0;
  /// Cores that splitting the keys may count on; 0: it does not split.
  int64_t threads = 0;
};

/// What can be chosen of the code for a CPU.
struct CPUOptions {
  /// A CPU as LLVM names it; `host` must have been resolved.
  std::string cpu = "x86-64-v3";
  std::string features;
  /// Width of a vector register in bits.
  int64_t vectorBits = 256;
  /// Hand query tiles to the runtime's thread pool.
  bool parallel = true;
};

/// What can be chosen of the code for a CUDA device.
struct CUDAOptions {
  /// A chip as LLVM names it.
  std::string chip = "sm_90a";
  std::string ptxVersion = "ptx87";
  /// Where ptxas is; empty: searched as Ptxas.h says.
  std::string ptxas;
  /// Make machine code, if ptxas is found.
  bool assemble = true;
  /// Stages of the rings that keys and values come through; 0: the table of
  /// schedules decides.
  int64_t stages = 0;
  /// How query tiles come to thread blocks: once, strided or dynamic; empty:
  /// the table decides.
  std::string schedule;
  /// Passes on `attn_gpu.kernel`, as text, in place of those that make it
  /// asynchronous; empty: these. The text must parse.
  std::string kernelPasses;
};

/// attn.attention on tensors to query tiles with classified key walks
/// (pipeline `attn-to-iteration`).
void buildAttnToIterationPipeline(OpPassManager &pm,
                                  const IterationOptions &options);

/// The same on to linalg in loops, one per segment (pipeline `attn-to-linalg`).
void buildAttnToLinalgPipeline(OpPassManager &pm,
                               const IterationOptions &options);

/// attention programs to C entries in the LLVM dialect (pipeline
/// `attn-to-cpu`).
void buildAttnToCPUPipeline(OpPassManager &pm, const IterationOptions &options,
                            const CPUOptions &cpu);

/// attention programs to C entries that take the same arguments and give one
/// tensor<3xi64>: key tiles visited as full ones, as partial ones, and key
/// tiles in all (pipeline `attn-tile-count-to-cpu`; see `attn-count-tiles`).
void buildTileCountToCPUPipeline(OpPassManager &pm,
                                 const IterationOptions &options,
                                 const CPUOptions &cpu);

/// attention programs by definition: the oracle and its yardstick (pipeline
/// `attn-reference-to-cpu`).
void buildReferenceToCPUPipeline(OpPassManager &pm,
                                 ReferencePrecision precision,
                                 const CPUOptions &cpu);

/// attention programs to kernels on tiles and their launches (pipeline
/// `attn-to-attn-gpu`).
void buildAttnToAttnGPUPipeline(OpPassManager &pm,
                                const IterationOptions &options,
                                const CUDAOptions &cuda);

/// attention programs to C entries in the LLVM dialect that launch kernels
/// (pipeline `attn-to-cuda`). `cpu` is that of the host program.
void buildAttnToCUDAPipeline(OpPassManager &pm, const IterationOptions &options,
                             const CUDAOptions &cuda, const CPUOptions &cpu);

/// Registers the pipelines above.
void registerAttnPipelines();

} // namespace attn
} // namespace mlir

#endif // ATTN_PIPELINES_PIPELINES_H
