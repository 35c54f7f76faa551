//===- CompileKernels.cpp - Kernels to images -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles each kernel in a module of its own.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnGPUToNVVM/AttnGPUToNVVM.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Target/CUDA/Passes.h"
#include "attn/Target/PTX/PTX.h"
#include "attn/Target/PTX/Ptxas.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNGPUCOMPILEKERNELSPASS
#include "attn/Target/CUDA/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// What ptxas said, as an attribute.
static DictionaryAttr describeAssembly(attn_gpu::KernelOp kernel,
                                       const PtxasReport &report) {
  Builder b(kernel.getContext());
  SmallVector<Attribute> losses;
  auto addLoss = [&](const Twine &text) {
    losses.push_back(b.getStringAttr("ptxas: " + text));
  };
  for (const PtxasMessage &message : report.messages)
    if (message.isPerformanceLoss())
      addLoss(message.code + ": " + message.text);
  NamedAttrList facts;
  for (const PtxasFunction &function : report.functions) {
    if (function.name != kernel.getSymName())
      continue;
    // A persistent kernel is a loop as a whole: what it spills once a query
    // tile is no loss worth a word.
    if (function.maySpillInMainLoop())
      addLoss("registers are spilled in the main loop: " +
              Twine(function.spillStoreBytes) + " bytes stored, " +
              Twine(function.spillLoadBytes) + " bytes loaded in all");
    facts.set("registers", b.getI64IntegerAttr(function.registers));
    facts.set("spill_store_bytes",
              b.getI64IntegerAttr(function.spillStoreBytes));
    facts.set("spill_load_bytes", b.getI64IntegerAttr(function.spillLoadBytes));
  }
  if (!losses.empty())
    facts.set("losses", b.getArrayAttr(losses));
  return facts.getDictionary(kernel.getContext());
}

namespace {
struct CompileKernels
    : attn::impl::AttnGPUCompileKernelsPassBase<CompileKernels> {
  using AttnGPUCompileKernelsPassBase::AttnGPUCompileKernelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    AttnGPUCompileKernelsPassBase::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    buildAttnGPUToLLVMPipeline(pm);
    pm.getDependentDialects(registry);
    // What comes next in a pipeline bufferizes the launches.
    registerLaunchBufferization(registry);
  }

  void runOnOperation() override {
    std::optional<Ptxas> assembler;
    SmallVector<attn_gpu::KernelOp> kernels(
        getOperation().getOps<attn_gpu::KernelOp>());
    if (assemble && !kernels.empty()) {
      llvm::Expected<Ptxas> found = Ptxas::find(ptxas);
      std::string problem;
      if (found)
        assembler = *found;
      else
        problem = llvm::toString(found.takeError());
      if (!assembler && !ptxas.empty()) {
        getOperation().emitError(problem);
        return signalPassFailure();
      }
    }
    for (attn_gpu::KernelOp kernel : kernels)
      if (failed(compile(kernel, assembler)))
        return signalPassFailure();
  }

private:
  LogicalResult compile(attn_gpu::KernelOp kernel,
                        const std::optional<Ptxas> &assembler) {
    OpBuilder b(kernel);
    // In a module of its own, for a while.
    auto alone = ModuleOp::create(b, kernel.getLoc());
    alone.push_back(kernel->clone());
    OpPassManager pm(ModuleOp::getOperationName());
    buildAttnGPUToLLVMPipeline(pm);
    LogicalResult compiled = runPipeline(pm, alone);
    if (succeeded(compiled))
      compiled = makeImage(kernel, alone, assembler);
    alone.erase();
    return compiled;
  }

  LogicalResult makeImage(attn_gpu::KernelOp kernel, ModuleOp alone,
                          const std::optional<Ptxas> &assembler) {
    PTXOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    FailureOr<std::string> ptx = emitPTX(alone, options);
    if (failed(ptx))
      return failure();
    OpBuilder b(kernel);
    StringAttr cubin;
    DictionaryAttr assembly;
    if (assembler) {
      llvm::Expected<PtxasResult> result = assembler->assemble(*ptx, chip);
      if (!result)
        return kernel.emitOpError(llvm::toString(result.takeError()));
      cubin = b.getStringAttr(result->cubin);
      assembly = describeAssembly(kernel, result->report);
    }
    auto function = alone.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getSymName());
    auto threads = function->getAttrOfType<DenseI32ArrayAttr>(
        NVVM::NVVMDialect::getReqntidAttrName());
    auto image = attn_gpu::ImageOp::create(
        b, kernel.getLoc(), kernel.getSymNameAttr(), b.getStringAttr(chip),
        b.getI64IntegerAttr(threads[0]),
        function->getAttrOfType<IntegerAttr>("attn_gpu.dynamic_shared_bytes"),
        function->getAttrOfType<ArrayAttr>("attn_gpu.parameters"),
        b.getStringAttr(*ptx), cubin, assembly,
        function->getAttrOfType<UnitAttr>("attn_gpu.persistent"),
        b.getI64IntegerAttr(kernel.getCluster()));
    for (StringRef name : {attn_gpu::KernelOp::kScheduleAttrName,
                           attn_gpu::KernelOp::kOriginAttrName})
      if (Attribute attr = kernel->getDiscardableAttr(name))
        image->setDiscardableAttr(name, attr);
    if (warn)
      for (StringRef loss : image.getLosses())
        emitWarning(image.getLoc(), loss);
    kernel.erase();
    return success();
  }
};
} // namespace
