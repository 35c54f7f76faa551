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
    one around the innermost products; products that wait for each other) is kept
    in the image and, with `warn`, a warning at the kernel.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Device that the code is for">,
    Option<"ptxVersion", "ptx-version", "std::string", /*default=*/"\"ptx87\"",
           "Version of PTX, as LLVM names the feature">,
    Option<"assemble", "assemble", "bool", /*default=*/"true",
           "Make machine code, if ptxas is found">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"\"\"",
           "ptxas, or the folder it is in; must be there if given">,
    Option<"warn", "warn", "bool", /*default=*/"true",
           "Warn of losses of speed">
  ];
  let dependentDialects = ["::mlir::attn_gpu::AttnGPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def AttnGPUFitSchedulesPass
    : Pass<"attn-gpu-fit-schedules", "::mlir::ModuleOp"> {
  let summary = "Compiles attention until ptxas finds nothing that costs speed";
  let description = [{
    Whether a schedule's registers suffice only ptxas knows, long after the
    schedule was chosen. So this pass keeps the program as it is, runs `pipeline`,
    which ends in `attn-gpu-compile-kernels`, on a copy, and looks at the images.
    Where one has `losses`, its schedule is noted in `attn.rejected` of the
    `attn.attention` that its `attn_gpu.origin` names, and the pipeline runs again,
    on a new copy: `attn-select-schedule` then takes the next of its row. When
    every one that it offers has been rejected, the one that lost least is taken,
    with a warning for each loss. A schedule that was given by option or by hand is
    kept, with the same warnings. So is, with a remark, one that spills no more than
    64 bytes: tiles that spill nothing are slower.

    A program of which nothing is rejected is compiled once. What was rejected,
    and why, is a remark (`attn-gpu-fit-schedules`) and stands as `rejected` in the
    origin of the images that took its place. Without ptxas there are no verdicts.

    Constraints:
    * C1: `pipeline` is one on modules.

    ```
    func.func @f { attn.attention ... }
    // becomes, after `pipeline` with 192x128, which spills, and with 128x128,
    attn_gpu.image @f_kernel ... {attn_gpu.origin = {query_tile = 128, ...,
        rejected = [{schedule = "192x128", why = "ptxas: ..."} ]} }
    func.func @f { attn_gpu.launch @f_kernel ... }
    ```
  }];
  let options = [
    Option<"pipeline", "pipeline", "std::string", /*default=*/"\"\"",
           "What compiles attention to images, as builtin.module(...)">
  ];
  let dependentDialects = ["::mlir::attn_gpu::AttnGPUDialect"];
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
    device has multiprocessors. The image becomes a constant of the module, and an
    entry of the module's `attn.kernels`, an array of dictionaries, says which
    function launches it and what it was made for. `kernel-passes` says which
    passes stood in place of those that carry a kernel's schedule out: the entry then
    names them (`passes`), and of the schedule what held before them. A
    function that launches gets one more argument, the call that it is part of
    (`AttnRtCudaCall *`), which remembers the first failure.

    Constraints:
    * C1: a function that launches does nothing else to memory: that is the
      device's.
    * C2: images launched are in the module.
  }];
  let options = [
    Option<"kernelPasses", "kernel-passes", "std::string", /*default=*/"\"\"",
           "The passes on kernels, where others than those of the pipeline ran">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // ATTN_TARGET_CUDA_PASSES
