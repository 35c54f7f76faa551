//===- InitAllPasses.h - Registers our passes -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that name passes on their command line: the passes and pipelines of
// this project and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_INITALLPASSES_H
#define ATTN_INITALLPASSES_H

#include "attn/Conversion/AttnGPUToNVVM/AttnGPUToNVVM.h"
#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/CPU/Passes.h"
#include "attn/Target/CPU/Pipelines.h"
#include "attn/Target/CUDA/Passes.h"

namespace mlir::attn {

/// Registers the passes of this project. Once per process.
inline void registerAllPasses() {
  registerAttnPasses();
  registerAttnToAttnGPUPasses();
  attn_gpu::registerAttnGPUPasses();
  registerAttnGPUToNVVMPasses();
  registerAttnToLinalgPasses();
  registerAttnToReferencePasses();
  registerAttnHostABIPasses();
  registerAttnTargetCPUPasses();
  registerAttnTargetCUDAPasses();
}

/// Registers the pipelines of this project. Once per process.
inline void registerAllPipelines() {
  registerCPUPipelines();
  registerAttnGPUPipelines();
  registerAttnPipelines();
}

} // namespace mlir::attn

#endif // ATTN_INITALLPASSES_H
