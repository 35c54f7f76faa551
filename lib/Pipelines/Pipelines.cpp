//===- Pipelines.cpp - From attention programs to machines ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the passes in order.
//
//===----------------------------------------------------------------------===//

#include "attn/Pipelines/Pipelines.h"
#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Target/CPU/Pipelines.h"
#include "attn/Target/CUDA/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

static void simplify(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void addIterationPasses(OpPassManager &pm,
                               const IterationOptions &options,
                               StringRef target) {
  pm.addPass(createAttnDecomposeAttentionPass());
  simplify(pm);
  if (target != "cpu") {
    pm.addPass(createAttnSliceKeysPass());
    simplify(pm);
  }
  pm.addPass(createAttnSplitKeysPass({options.keyParts, options.threads}));
  pm.addPass(
      createAttnTilePass({options.queryTile, options.keyTile, target.str()}));
  pm.addPass(createAttnFuseOnlineSoftmaxPass());
  pm.addPass(createAttnClassifyBlocksPass());
  simplify(pm);
}

void attn::buildAttnToIterationPipeline(OpPassManager &pm,
                                        const IterationOptions &options) {
  buildHostPreparationPipeline(pm);
  addIterationPasses(pm, options, "cpu");
}

static void lowerIteration(OpPassManager &pm) {
  pm.addPass(createAttnLowerWalkPass());
  simplify(pm);
  pm.addPass(createConvertAttnToLinalgPass());
  simplify(pm);
}

void attn::buildAttnToLinalgPipeline(OpPassManager &pm,
                                     const IterationOptions &options) {
  buildAttnToIterationPipeline(pm, options);
  lowerIteration(pm);
}

/// From linalg or loops in functions on host memory to the LLVM dialect.
static void buildHostProgram(OpPassManager &pm, const CPUOptions &cpu) {
  buildCPUBufferizePipeline(pm);
  pm.addPass(createEmitHostEntryPass({cpu.cpu, cpu.features}));
  CPUToLLVMOptions lowering;
  lowering.vectorBits = cpu.vectorBits;
  lowering.parallel = cpu.parallel;
  buildCPULowerPipeline(pm, lowering);
}

void attn::buildAttnToCPUPipeline(OpPassManager &pm,
                                  const IterationOptions &options,
                                  const CPUOptions &cpu) {
  buildAttnToLinalgPipeline(pm, options);
  pm.addPass(createBindHostMemoryPass());
  buildHostProgram(pm, cpu);
}

void attn::buildTileCountToCPUPipeline(OpPassManager &pm,
                                       const IterationOptions &options,
                                       const CPUOptions &cpu) {
  buildAttnToIterationPipeline(pm, options);
  pm.addPass(createAttnCountTilesPass());
  simplify(pm);
  // Bounds may come from attention, too.
  lowerIteration(pm);
  pm.addPass(createBindHostMemoryPass());
  buildHostProgram(pm, cpu);
}

void attn::buildReferenceToCPUPipeline(OpPassManager &pm,
                                       ReferencePrecision precision,
                                       const CPUOptions &cpu) {
  buildHostPreparationPipeline(pm);
  AttnToReferencePassOptions reference;
  reference.precision = precision;
  pm.addPass(createAttnToReferencePass(reference));
  pm.addPass(createBindHostMemoryPass());
  buildHostProgram(pm, cpu);
}

/// `passes`, and what verifies the kernel after them, but before loops are
/// split: of static ones some are steps that stand alone, which only a loop
/// explains.
static void addGivenKernelPasses(OpPassManager &kernel, StringRef passes) {
  auto add = [](OpPassManager &pm, StringRef text) {
    if (failed(parsePassPipeline(text, pm)))
      llvm::report_fatal_error("the passes on kernels do not parse");
  };
  OpPassManager given(attn_gpu::KernelOp::getOperationName());
  add(given, passes);
  bool isVerified = false;
  auto verify = [&] {
    if (!isVerified)
      kernel.addPass(attn_gpu::createAttnGPUVerifyPass());
    isVerified = true;
  };
  for (Pass &pass : given.getPasses()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    pass.printAsTextualPipeline(os);
    StringRef name = pass.getArgument();
    if (name == "attn-gpu-split-loops")
      verify();
    else if (name != "canonicalize" && name != "cse")
      isVerified = false; // whatever it makes of split loops
    add(kernel, text);
  }
  verify();
}

/// From attention that kernels cover to kernels and their launches.
static void addKernelPasses(OpPassManager &pm, const IterationOptions &options,
                            const CUDAOptions &cuda) {
  // What is given takes the choice away, so that there is one kernel.
  AttnSelectSchedulePassOptions selection;
  selection.chip = cuda.chip;
  selection.queryTile = options.queryTile;
  selection.keyTile = options.keyTile;
  selection.stages = cuda.stages;
  selection.schedule = cuda.schedule;
  pm.addPass(createAttnSelectSchedulePass(selection));
  IterationOptions scheduled = options;
  scheduled.queryTile = scheduled.keyTile = 0;
  addIterationPasses(pm, scheduled, "sm_90a");
  pm.addPass(createConvertAttnToAttnGPUPass());
  pm.addPass(createLowerAffinePass());
  simplify(pm);
  OpPassManager &kernel = pm.nest<attn_gpu::KernelOp>();
  if (!cuda.kernelPasses.empty()) {
    addGivenKernelPasses(kernel, cuda.kernelPasses);
    return;
  }
  kernel.addPass(attn_gpu::createAttnGPUScheduleWorkPass());
  kernel.addPass(attn_gpu::createAttnGPUFormClustersPass());
  kernel.addPass(attn_gpu::createAttnGPUAsyncCopyPass());
  kernel.addPass(attn_gpu::createAttnGPUPipelinePass());
  simplify(kernel);
  kernel.addPass(attn_gpu::createAttnGPUStageWritesPass());
  kernel.addPass(attn_gpu::createAttnGPUWarpSpecializePass());
  simplify(kernel);
  // Split loops are many, and of static ones some are steps that stand alone.
  kernel.addPass(attn_gpu::createAttnGPUVerifyPass());
  kernel.addPass(attn_gpu::createAttnGPUSplitLoopsPass());
  simplify(kernel);
}

void attn::buildAttnToAttnGPUPipeline(OpPassManager &pm,
                                      const IterationOptions &options,
                                      const CUDAOptions &cuda) {
  buildHostPreparationPipeline(pm);
  pm.addPass(createCheckKernelSupportPass());
  addKernelPasses(pm, options, cuda);
}

void attn::buildAttnToCUDAPipeline(OpPassManager &pm,
                                   const IterationOptions &options,
                                   const CUDAOptions &cuda,
                                   const CPUOptions &cpu) {
  buildHostPreparationPipeline(pm);
  pm.addPass(createCheckKernelSupportPass());
  pm.addPass(createFitSchedulesPass([=](OpPassManager &trial) {
    addKernelPasses(trial, options, cuda);
    trial.addPass(createAttnGPUCompileKernelsPass({cuda.chip, cuda.ptxVersion,
                                                   cuda.assemble, cuda.ptxas,
                                                   /*warn=*/false}));
  }));
  pm.addPass(createBindHostMemoryPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  simplify(pm);
  pm.addPass(createAttnGPULaunchToRuntimePass({cuda.kernelPasses}));
  pm.addPass(createEmitHostEntryPass({cpu.cpu, cpu.features}));
  CPUToLLVMOptions lowering;
  lowering.vectorBits = cpu.vectorBits;
  lowering.parallel = false;
  buildCPULowerPipeline(pm, lowering);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
struct IterationPipelineOptions
    : PassPipelineOptions<IterationPipelineOptions> {
  Option<int64_t> queryTile{
      *this, "query-tile",
      llvm::cl::desc("Rows of a query tile; 0: cost model"), llvm::cl::init(0)};
  Option<int64_t> keyTile{*this, "key-tile",
                          llvm::cl::desc("Keys of a key tile; 0: cost model"),
                          llvm::cl::init(0)};
  Option<int64_t> keyParts{
      *this, "key-parts",
      llvm::cl::desc("Parts the keys are split into; 0: cost model"),
      llvm::cl::init(0)};
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Cores that splitting the keys may count on"),
      llvm::cl::init(0)};

  IterationOptions get() const {
    return {queryTile, keyTile, keyParts, threads};
  }
};

// Upstream's options are a parser and the list of its values at once.
// NOLINTBEGIN(misc-multiple-inheritance)
struct CPUPipelineOptions : IterationPipelineOptions {
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("CPU that the code is for"),
                          llvm::cl::init("x86-64-v3")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features added to or taken from the CPU's"),
      llvm::cl::init("")};
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of a vector register in bits"),
      llvm::cl::init(256)};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("Use the runtime's thread pool"),
                        llvm::cl::init(true)};

  CPUOptions getCPU() const { return {cpu, features, vectorBits, parallel}; }
};

struct CUDAPipelineOptions : CPUPipelineOptions {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("GPU that the code is for"),
                           llvm::cl::init("sm_90a")};
  Option<std::string> ptxVersion{*this, "ptx-version",
                                 llvm::cl::desc("Version of PTX"),
                                 llvm::cl::init("ptx87")};
  Option<std::string> ptxas{*this, "ptxas",
                            llvm::cl::desc("ptxas, or the folder it is in"),
                            llvm::cl::init("")};
  Option<bool> assemble{*this, "assemble",
                        llvm::cl::desc("Make machine code, if ptxas is found"),
                        llvm::cl::init(true)};
  Option<int64_t> stages{*this, "stages",
                         llvm::cl::desc("Stages of rings in loops; 0: the "
                                        "table of schedules decides"),
                         llvm::cl::init(0)};

  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("How tiles come to thread blocks: once, strided, dynamic; "
                     "empty: the table of schedules decides"),
      llvm::cl::init("")};

  CUDAOptions getCUDA() const {
    CUDAOptions cuda;
    cuda.chip = chip;
    cuda.ptxVersion = ptxVersion;
    cuda.ptxas = ptxas;
    cuda.assemble = assemble;
    cuda.stages = stages;
    cuda.schedule = schedule;
    return cuda;
  }
};

struct ReferencePipelineOptions : CPUPipelineOptions {
  Option<ReferencePrecision> precision{
      *this, "precision", llvm::cl::desc("What is computed"),
      llvm::cl::init(ReferencePrecision::F64),
      llvm::cl::values(clEnumValN(ReferencePrecision::F64, "f64",
                                  "everything in f64: the oracle"),
                       clEnumValN(ReferencePrecision::Plain, "plain",
                                  "f32 with rounded weights: the yardstick"))};
};
// NOLINTEND(misc-multiple-inheritance)
} // namespace

void attn::registerAttnPipelines() {
  PassPipelineRegistration<IterationPipelineOptions>(
      "attn-to-iteration",
      "attention programs to query tiles with classified key walks",
      [](OpPassManager &pm, const IterationPipelineOptions &options) {
        buildAttnToIterationPipeline(pm, options.get());
      });
  PassPipelineRegistration<IterationPipelineOptions>(
      "attn-to-linalg", "attention programs to linalg on tiles in loops",
      [](OpPassManager &pm, const IterationPipelineOptions &options) {
        buildAttnToLinalgPipeline(pm, options.get());
      });
  PassPipelineRegistration<CPUPipelineOptions>(
      "attn-to-cpu", "attention programs to C entries in the LLVM dialect",
      [](OpPassManager &pm, const CPUPipelineOptions &options) {
        buildAttnToCPUPipeline(pm, options.get(), options.getCPU());
      });
  PassPipelineRegistration<CPUPipelineOptions>(
      "attn-tile-count-to-cpu",
      "attention programs to C entries that count the key tiles visited",
      [](OpPassManager &pm, const CPUPipelineOptions &options) {
        buildTileCountToCPUPipeline(pm, options.get(), options.getCPU());
      });
  PassPipelineRegistration<CUDAPipelineOptions>(
      "attn-to-attn-gpu",
      "attention programs to kernels on tiles and their launches",
      [](OpPassManager &pm, const CUDAPipelineOptions &options) {
        buildAttnToAttnGPUPipeline(pm, options.get(), options.getCUDA());
      });
  PassPipelineRegistration<CUDAPipelineOptions>(
      "attn-to-cuda",
      "attention programs to C entries in the LLVM dialect that launch kernels",
      [](OpPassManager &pm, const CUDAPipelineOptions &options) {
        buildAttnToCUDAPipeline(pm, options.get(), options.getCUDA(),
                                options.getCPU());
      });
  PassPipelineRegistration<ReferencePipelineOptions>(
      "attn-reference-to-cpu",
      "attention by definition to C entries in the LLVM dialect",
      [](OpPassManager &pm, const ReferencePipelineOptions &options) {
        buildReferenceToCPUPipeline(pm, options.precision, options.getCPU());
      });
}
