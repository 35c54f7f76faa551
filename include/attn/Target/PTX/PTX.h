//===- PTX.h - PTX from the LLVM and NVVM dialects --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimises a module of kernels for a named chip and writes PTX, in process and
// without anything of CUDA. Assembling PTX is Ptxas.h's.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_PTX_PTX_H
#define ATTN_TARGET_PTX_PTX_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class Operation;

namespace attn {

/// The machine that PTX is for.
struct PTXOptions {
  /// A chip as LLVM names it. PTX for a chip that ends in `a` runs on that chip
  /// only.
  std::string chip = "sm_90a";
  /// Version of the PTX language, as LLVM names the feature. The driver must
  /// know it: 8.7 needs CUDA 12.8.
  std::string ptxVersion = "ptx87";
  /// Optimisation level 0 to 3.
  unsigned optLevel = 3;
};

/// What is known of a kernel once its PTX is made.
struct PTXKernel {
  std::string name;
  /// Threads of a block when the kernel demands a number, else 0.
  int64_t threads = 0;
  /// Bytes per thread of arrays in local memory that LLVM could not keep in
  /// registers, before anything that the assembler spills. 0 in a good kernel.
  int64_t localBytes = 0;
};

struct PTXReport {
  std::vector<PTXKernel> kernels; // in the order of the module
  double optimizeSeconds = 0;
  double codegenSeconds = 0;
};

/// Optimises `module` and returns it as PTX text. `module` is a
/// `builtin.module` or `gpu.module` that holds only the LLVM and NVVM dialects,
/// the latter after `convert-nvvm-to-llvm`; each function that is a kernel has
/// `nvvm.kernel`, and there is at least one. `module` stays as it is.
///
/// Inline assembly is made convergent: no pass may move it across divergent
/// control flow. Kernels flush f32 denormals to zero. The same module and
/// options give the same text.
///
/// Fails, with errors at `module`, for an unknown chip or version (the known
/// ones are listed), for a version that the chip is not in, for a function that
/// nothing defines, and for mathematics that the chip has no instruction for.
FailureOr<std::string> emitPTX(Operation *module, const PTXOptions &options,
                               PTXReport *report = nullptr);

} // namespace attn
} // namespace mlir

#endif // ATTN_TARGET_PTX_PTX_H
