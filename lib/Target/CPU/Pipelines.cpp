//===- Pipelines.cpp - CPU code generation pipeline -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of passes from tensors to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Pipelines.h"
#include "attn/Target/CPU/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

void mlir::attn::buildCPUBufferizePipeline(OpPassManager &pm) {
  pm.addPass(createHoistTileInvariantsPass());
  // Loops over keys one after the other hoist the same query tile.
  pm.addPass(createCSEPass());
  pm.addPass(createRematerializeFillsPass());
  pm.addPass(createCollapseLoopStatePass());
  pm.addPass(createAnchorLoopStatePass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  // Equal views become one first: then copies onto themselves fold away.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createOwnEscapingBuffersPass());
}

void mlir::attn::buildCPULowerPipeline(OpPassManager &pm,
                                       const CPUToLLVMOptions &options) {
  pm.addPass(
      createCPUVectorizePass(CPUVectorizePassOptions{options.vectorBits}));
  pm.addPass(createCollapseParallelPass());
  pm.addNestedPass<func::FuncOp>(createPromoteTileBuffersPass(
      PromoteTileBuffersPassOptions{options.maxStackBytes}));
  if (options.parallel)
    pm.addPass(createOutlineParallelPass());
  else
    pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addPass(createExpandViewsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(arith::createArithExpandOpsPass(
      arith::ArithExpandOpsPassOptions{/*includeBf16=*/true}));
  // Functions of f16 and bf16 are those of f32, rounded.
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(createExpandMathPass());
  // Integer powers become functions.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSinkScalarsPass());
  pm.addPass(createSCFToControlFlowPass());
  // Intrinsics of LLVM first; the C library has the rest, element by element.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createIntegerMemoryPass());
}

void mlir::attn::buildCPUToLLVMPipeline(OpPassManager &pm,
                                        const CPUToLLVMOptions &options) {
  buildCPUBufferizePipeline(pm);
  buildCPULowerPipeline(pm, options);
}

void mlir::attn::registerCPUPipelines() {
  PassPipelineRegistration<>(
      "attn-cpu-bufferize",
      "Tensors to tile buffers: one buffer per loop state, none copied",
      buildCPUBufferizePipeline);
  PassPipelineRegistration<CPUToLLVMOptions>(
      "attn-cpu-lower", "Bufferized linalg in loops to the LLVM dialect",
      buildCPULowerPipeline);
  PassPipelineRegistration<CPUToLLVMOptions>(
      "attn-cpu-to-llvm",
      "linalg on tensors in loops to the LLVM dialect, for CPUs",
      buildCPUToLLVMPipeline);
}
