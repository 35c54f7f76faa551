//===- CompileOptions.h - Checks of what a compiler is asked ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options that several tools have are checked before a program is read, and
// named as they stand on the command line.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_COMMON_COMPILEOPTIONS_H
#define ATTN_TOOLS_COMMON_COMPILEOPTIONS_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Object/Object.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// An error with a line for every option out of its range or unknown, or
/// success.
llvm::Error checkCompileOptions(const IterationOptions &iteration,
                                const ObjectOptions &object,
                                const CUDAOptions &cuda = {});

/// Registers the passes that `kernelPasses` of CUDAOptions may name.
void registerKernelPasses();

/// What is wrong with `passes` as a pipeline on `attn_gpu.kernel`, or an empty
/// string.
std::string findKernelPassesFault(StringRef passes);

} // namespace mlir::attn

#endif // ATTN_TOOLS_COMMON_COMPILEOPTIONS_H
