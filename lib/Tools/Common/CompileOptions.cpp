//===- CompileOptions.cpp - Checks of what a compiler is asked ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks those who know: the passes for ranges, code generator and runtime for
// CPUs.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/CompileOptions.h"
#include "attn/Conversion/HostABI/CpuFeatures.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;

llvm::Error mlir::attn::checkCompileOptions(const IterationOptions &iteration,
                                            const ObjectOptions &object,
                                            const CUDAOptions &cuda) {
  SmallVector<std::string> faults = {
      kQueryTileRange.check("query-tile", iteration.queryTile),
      kKeyTileRange.check("key-tile", iteration.keyTile),
      kKeyPartsRange.check("key-parts", iteration.keyParts),
      kStagesRange.check("stages", cuda.stages),
      checkWorkSchedule(cuda.schedule)};
  std::string problem = findObjectOptionsFault(object);
  if (problem.empty() && object.cpu != "host" &&
      succeeded(getRequiredCpuFeatures(object.cpu, object.features, problem)))
    problem.clear();
  if (!problem.empty())
    faults.push_back("option 'cpu' or 'features': " + problem);
  llvm::erase_if(faults, [](const std::string &text) { return text.empty(); });
  if (faults.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::join(faults, "\n"));
}

void mlir::attn::registerKernelPasses() {
  attn_gpu::registerAttnGPUPasses();
  registerTransformsPasses();
}

std::string mlir::attn::findKernelPassesFault(StringRef passes) {
  OpPassManager kernel(attn_gpu::KernelOp::getOperationName(),
                       OpPassManager::Nesting::Explicit);
  std::string text;
  llvm::raw_string_ostream out(text);
  if (passes.empty() || succeeded(parsePassPipeline(passes, kernel, out)))
    return {};
  return "option 'kernel-passes': " + StringRef(text).rtrim().str();
}
