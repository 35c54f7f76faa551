//===- Passes.td - Programs for CUDA devices ---------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From kernels and launches to images and calls of the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CUDA_PASSES
#define ATTN_TARGET_CUDA_PASSES

include "mlir/Pass/PassBase.td"

def AttnGPUCompileKernelsPass
    : Pass<"attn-gpu-compile-kernels", "::mlir::ModuleOp"> {
  let summary = "Compiles kernels to PTX, and to machine code by ptxas";
  let description = [{
    Each `attn_gpu.kernel` is taken out of the module, lowered by
    `attn-gpu-to-llvm`, compiled to PTX and, with `assemble`, by ptxas to machine
    code; an `attn_gpu.image` of its name takes its place. Without ptxas the PTX
    alone is kept, and the driver compiles it when the kernel is first launched.

    What ptxas says of a loss of speed (registers spilled in the main loop, the
    one around the innermost products; products that wait for each other) is a
    warning at the kernel.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Device that the code is for">,
    Option<"ptxVersion", "ptx-version", "std::string", /*default=*/"\"ptx87\"",
           "Version of PTX, as LLVM names the feature">,
    Option<"assemble", "assemble", "bool", /*default=*/"true",
           "Make machine code, if ptxas is found">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"\"\"",
           "ptxas, or the folder it is in; must be there if given">
  ];
  let dependentDialects = ["::mlir::attn_gpu::AttnGPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def AttnGPULaunchToRuntimePass
    : Pass<"attn-gpu-launch-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turns launches into calls of the runtime";
  let description = [{
    In functions on memrefs, an `attn_gpu.launch` of an image becomes the
    parameters of the launch in memory, tile maps among them, and calls of
    `attn_rt_cuda_encode_tile_map` and `attn_rt_cuda_launch`
    (`include/attn-rt/Cuda.h`); a counter is what `attn_rt_cuda_counter` gives.
    Kernels whose thread blocks are persistent get no more of these than the
    device has multiprocessors. The image becomes a constant of the module. A
    function that launches gets one more argument, the call that it is part of
    (`AttnRtCudaCall *`), which remembers the first failure.

    Constraints:
    * C1: a function that launches does nothing else to memory: that is the
      device's.
    * C2: images launched are in the module.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // ATTN_TARGET_CUDA_PASSES
