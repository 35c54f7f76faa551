//===- Translations.cpp - From attention programs to files ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipeline and hands its result to the emitters.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Translate/Translations.h"
#include "attn/Conversion/AttnGPUToNVVM/AttnGPUToNVVM.h"
#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/InitAllDialects.h"
#include "attn/Target/Manifest/Manifest.h"
#include "attn/Target/PTX/Ptxas.h"
#include "attn/Tools/Common/CompileOptions.h"
#include "attn/Tools/Common/ParseModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace mlir::attn;

/// `host` replaced by the name and the features of this machine's CPU.
static CPUOptions resolveCPU(const ObjectOptions &object, int64_t vectorBits) {
  CPUOptions cpu;
  cpu.cpu = object.cpu;
  cpu.features = object.features;
  cpu.vectorBits = vectorBits;
  if (object.cpu == "host") {
    cpu.cpu = llvm::sys::getHostCPUName().str();
    llvm::SubtargetFeatures features(object.features);
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    cpu.features = features.getString();
  }
  return cpu;
}

LogicalResult mlir::attn::lowerToCPU(ModuleOp module,
                                     const TranslationOptions &options) {
  FailureOr<int64_t> vectorBits = getVectorBits(module, options.object);
  if (failed(vectorBits))
    return failure();
  PassManager pm(module.getContext());
  buildAttnToCPUPipeline(pm, options.iteration,
                         resolveCPU(options.object, *vectorBits));
  return pm.run(module);
}

static CUDAOptions getCUDAOptions(const TranslationOptions &options) {
  CUDAOptions cuda;
  cuda.chip = options.ptx.chip;
  cuda.ptxVersion = options.ptx.ptxVersion;
  cuda.ptxas = options.ptxas;
  cuda.stages = options.stages;
  cuda.schedule = options.schedule;
  cuda.kernelPasses = options.kernelPasses;
  return cuda;
}

LogicalResult mlir::attn::lowerToCUDA(ModuleOp module,
                                      const TranslationOptions &options) {
  FailureOr<int64_t> vectorBits = getVectorBits(module, options.object);
  if (failed(vectorBits))
    return failure();
  PassManager pm(module.getContext());
  buildAttnToCUDAPipeline(pm, options.iteration, getCUDAOptions(options),
                          resolveCPU(options.object, *vectorBits));
  return pm.run(module);
}

static LogicalResult lower(ModuleOp module, const TranslationOptions &options) {
  return options.device == TranslationDevice::CUDA
             ? lowerToCUDA(module, options)
             : lowerToCPU(module, options);
}

/// Lets the signatures of `module` say where tensors are.
static LogicalResult setDevice(ModuleOp module, TranslationDevice device) {
  if (device == TranslationDevice::CPU)
    return success();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(HostSignature::kAttrName))
      continue;
    FailureOr<HostSignature> signature = HostSignature::get(function);
    if (failed(signature))
      return failure();
    signature->device = HostSignature::Device::CUDA;
    function->setAttr(HostSignature::kAttrName,
                      signature->toAttr(module.getContext()));
  }
  return success();
}

/// The kernels of an attention program, without the host program.
static LogicalResult emitKernels(ModuleOp module,
                                 const TranslationOptions &options,
                                 raw_ostream &os) {
  PassManager toKernels(module.getContext());
  buildAttnToAttnGPUPipeline(toKernels, options.iteration,
                             getCUDAOptions(options));
  if (failed(toKernels.run(module)))
    return failure();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    function.erase();
  PassManager toLLVM(module.getContext());
  buildAttnGPUToLLVMPipeline(toLLVM);
  if (failed(toLLVM.run(module)))
    return failure();
  FailureOr<std::string> ptx = emitPTX(module, options.ptx);
  if (failed(ptx))
    return failure();
  os << *ptx;
  return success();
}

/// Kernels in the LLVM dialect to a cubin. What ptxas warns of becomes warnings
/// at the module, and spills in loops do too.
static LogicalResult
emitCubin(ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
  FailureOr<std::string> ptx = emitPTX(module, options.ptx);
  if (failed(ptx))
    return failure();
  llvm::Expected<Ptxas> ptxas = Ptxas::find(options.ptxas);
  if (!ptxas)
    return module.emitError(llvm::toString(ptxas.takeError()));
  llvm::Expected<PtxasResult> result = ptxas->assemble(*ptx, options.ptx.chip);
  if (!result)
    return module.emitError(llvm::toString(result.takeError()));
  for (const PtxasMessage &message : result->report.messages)
    if (message.isPerformanceLoss() ||
        message.severity == PtxasMessage::Severity::Warning)
      module.emitWarning("ptxas: ")
          << message.code << (message.code.empty() ? "" : ": ") << message.text;
  for (const PtxasFunction &function : result->report.functions) {
    if (!function.maySpillInLoop())
      continue;
    InFlightDiagnostic diagnostic =
        module.emitWarning("ptxas: '")
        << function.name << "' spills registers: " << function.spillStoreBytes
        << " bytes of stores, " << function.spillLoadBytes << " of loads";
    if (const auto &local = function.local)
      diagnostic << "; in loops " << local->loopStoreBytes << " and "
                 << local->loopLoadBytes << ", in the main loop "
                 << local->mainLoopStoreBytes << " and "
                 << local->mainLoopLoadBytes;
    else
      diagnostic << "; whether in loops is not known";
  }
  os << result->cubin;
  return success();
}

void mlir::attn::registerAttnTranslations(
    std::function<TranslationOptions()> getOptions) {
  using Emit = std::function<LogicalResult(ModuleOp, const TranslationOptions &,
                                           raw_ostream &)>;
  auto add = [&](StringRef name, StringRef description, Emit emit) {
    TranslateRegistration(
        name, description,
        [=](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
            MLIRContext *context) -> LogicalResult {
          TranslationOptions options = getOptions();
          std::string faults;
          if (llvm::Error error = checkCompileOptions(
                  options.iteration, options.object, getCUDAOptions(options)))
            faults = llvm::toString(std::move(error)) + "\n";
          if (std::string fault = findKernelPassesFault(options.kernelPasses);
              !fault.empty())
            faults += fault + "\n";
          if (!faults.empty()) {
            llvm::WithColor::error(llvm::errs(), "attn-translate") << faults;
            return failure();
          }
          DialectRegistry registry;
          mlir::registerAllDialects(registry);
          registerAllExtensions(registry);
          attn::registerAllDialects(registry);
          context->appendDialectRegistry(registry);
          context->printOpOnDiagnostic(false);
          OwningOpRef<ModuleOp> module = parseModule(*sources, context);
          return module ? emit(*module, options, os) : failure();
        });
  };
  // Object files are written with gaps filled later, so not to a stream.
  using EmitCode = LogicalResult (*)(ModuleOp, const ObjectOptions &,
                                     llvm::raw_pwrite_stream &);
  auto code = [](EmitCode emit) {
    return [=](ModuleOp module, const TranslationOptions &options,
               raw_ostream &os) -> LogicalResult {
      SmallVector<char, 0> bytes;
      llvm::raw_svector_ostream buffer(bytes);
      if (failed(lower(module, options)) ||
          failed(emit(module, options.object, buffer)))
        return failure();
      os << buffer.str();
      return success();
    };
  };
  add("attn-to-object", "attention program to an object file with C entries",
      code(emitObject));
  add("attn-to-assembly", "the same as assembly", code(emitAssembly));
  add("attn-to-manifest", "attention program to a JSON manifest of its object",
      [](ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
        return success(succeeded(lower(module, options)) &&
                       succeeded(emitManifest(module, os)));
      });
  add("attn-to-header", "attention program to a C header of its object",
      [](ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
        PassManager pm(module.getContext());
        buildHostPreparationPipeline(pm);
        if (options.device == TranslationDevice::CUDA)
          pm.addPass(createCheckKernelSupportPass());
        return success(succeeded(pm.run(module)) &&
                       succeeded(setDevice(module, options.device)) &&
                       succeeded(emitHeader(module, os)));
      });
  add("attn-to-ptx", "the kernels of an attention program as PTX", emitKernels);
  add("attn-llvm-to-ptx",
      "kernels in the LLVM and NVVM dialects to PTX (the last step alone)",
      [](ModuleOp module, const TranslationOptions &options,
         raw_ostream &os) -> LogicalResult {
        FailureOr<std::string> ptx = emitPTX(module, options.ptx);
        if (failed(ptx))
          return failure();
        os << *ptx;
        return success();
      });
  add("attn-llvm-to-cubin", "the same, assembled by ptxas", emitCubin);
}
