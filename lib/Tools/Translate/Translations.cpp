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

static LogicalResult run(PassManager &passes, ModuleOp module,
                         const TranslationOptions &options) {
  if (options.timing)
    passes.enableTiming(*options.timing);
  return passes.run(module);
}

/// Calls `emit`, whose time is reported under `name`.
template <typename Emit>
static auto runTimed(const TranslationOptions &options, StringRef name,
                     Emit emit) {
  TimingScope scope =
      options.timing ? options.timing->nest(name) : TimingScope();
  return emit();
}

LogicalResult mlir::attn::lowerToCPU(ModuleOp module,
                                     const TranslationOptions &options) {
  FailureOr<int64_t> vectorBits = getVectorBits(module, options.object);
  if (failed(vectorBits))
    return failure();
  PassManager pm(module.getContext());
  buildAttnToCPUPipeline(pm, options.iteration,
                         resolveCPU(options.object, *vectorBits));
  return run(pm, module, options);
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
  return run(pm, module, options);
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
  if (failed(run(toKernels, module, options)))
    return failure();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    function.erase();
  PassManager toLLVM(module.getContext());
  buildAttnGPUToLLVMPipeline(toLLVM);
  if (failed(run(toLLVM, module, options)))
    return failure();
  FailureOr<std::string> ptx =
      runTimed(options, "PTX", [&] { return emitPTX(module, options.ptx); });
  if (failed(ptx))
    return failure();
  os << *ptx;
  return success();
}

/// Kernels in the LLVM dialect to a cubin. What ptxas warns of becomes warnings
/// at the module, and spills in loops do too.
static LogicalResult
emitCubin(ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
  FailureOr<std::string> ptx =
      runTimed(options, "PTX", [&] { return emitPTX(module, options.ptx); });
  if (failed(ptx))
    return failure();
  llvm::Expected<Ptxas> ptxas = Ptxas::find(options.ptxas);
  if (!ptxas)
    return module.emitError(llvm::toString(ptxas.takeError()));
  llvm::Expected<PtxasResult> result = runTimed(options, "ptxas", [&] {
    return ptxas->assemble(*ptx, options.ptx.chip);
  });
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

static LogicalResult reportError(const Twine &text) {
  llvm::WithColor::error(llvm::errs(), "attn-translate") << text << "\n";
  return failure();
}

/// Fails at `module` if it has no function that C can call.
static LogicalResult checkHasEntry(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (llvm::any_of(functions, isHostFunction))
    return success();
  InFlightDiagnostic diag =
      module.emitError("has no function that can be called from C; expected a "
                       "public func.func with a body, and a tensor among its "
                       "arguments or results");
  for (func::FuncOp function : functions)
    diag.attachNote(function.getLoc())
        << "'" << function.getSymName() << "' "
        << (function.isExternal()  ? "has no body"
            : function.isPrivate() ? "is private"
                                   : "has no tensor");
  return diag;
}

namespace {
enum class Input { Program, Kernels };
enum class Output { Text, Binary };
} // namespace

/// One line for each option that was given and says nothing to the translation
/// called `name`.
static std::string findUnusedOptions(StringRef name, Input input,
                                     const TranslationOptions &options) {
  std::string faults;
  auto refuse = [&](ArrayRef<StringRef> unused, const Twine &why) {
    for (StringRef option : unused)
      if (llvm::is_contained(options.given, option))
        faults += (faults.empty() ? "option '" : "\noption '") + option.str() +
                  "' " + why.str();
  };
  bool isPTX = name == "attn-to-ptx";
  if (input == Input::Kernels) {
    refuse({"cpu", "features", "query-tile", "key-tile", "key-parts", "stages",
            "schedule", "device", "kernel-passes"},
           "is for attention programs; '" + name +
               "' takes kernels in the LLVM dialect, for which chip and "
               "ptx-version are known");
  } else if (options.device == TranslationDevice::CPU && !isPTX) {
    refuse(
        {"stages", "schedule", "kernel-passes", "chip", "ptx-version", "ptxas"},
        "is for kernels of a GPU, which device cpu has none of; expected it "
        "with device cuda");
  } else if (options.device == TranslationDevice::CPU) {
    refuse({"device"},
           "expected cuda, got cpu: '" + name + "' gives kernels of a GPU");
  }
  if (name.ends_with("to-ptx"))
    refuse({"ptxas"}, "is for machine code; '" + name + "' gives PTX");
  return faults;
}

void mlir::attn::registerAttnTranslations(
    std::function<TranslationOptions()> getOptions) {
  using Emit = std::function<LogicalResult(ModuleOp, const TranslationOptions &,
                                           raw_ostream &)>;
  auto add = [&](StringRef name, StringRef description, Input input,
                 Output output, Emit emit) {
    TranslateRegistration(
        name, description,
        [=](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
            MLIRContext *context) -> LogicalResult {
          TranslationOptions options = getOptions();
          std::string faults;
          if (llvm::Error error = checkCompileOptions(
                  options.iteration, options.object, getCUDAOptions(options)))
            faults = llvm::toString(std::move(error));
          if (std::string fault = findKernelPassesFault(options.kernelPasses);
              !fault.empty())
            faults += (faults.empty() ? "" : "\n") + fault;
          if (std::string unused = findUnusedOptions(name, input, options);
              !unused.empty())
            faults += (faults.empty() ? "" : "\n") + unused;
          if (!faults.empty())
            return reportError(faults);
          if (output == Output::Binary && os.is_displayed())
            return reportError("'" + name +
                               "' writes bytes that no terminal can show; "
                               "expected -o FILE, or a pipe");
          DialectRegistry registry;
          mlir::registerAllDialects(registry);
          registerAllExtensions(registry);
          attn::registerAllDialects(registry);
          context->appendDialectRegistry(registry);
          context->printOpOnDiagnostic(false);
          OwningOpRef<ModuleOp> module = runTimed(options, "Parser", [&] {
            return parseModule(*sources, context);
          });
          if (!module)
            return failure();
          if (input == Input::Program && failed(checkHasEntry(*module)))
            return failure();
          return emit(*module, options, os);
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
      if (failed(lower(module, options)))
        return failure();
      if (failed(runTimed(options, "LLVM", [&] {
            return emit(module, options.object, buffer);
          })))
        return failure();
      os << buffer.str();
      return success();
    };
  };
  add("attn-to-object", "attention program to an object file with C entries",
      Input::Program, Output::Binary, code(emitObject));
  add("attn-to-assembly", "the same as assembly", Input::Program, Output::Text,
      code(emitAssembly));
  add("attn-to-manifest", "attention program to a JSON manifest of its object",
      Input::Program, Output::Text,
      [](ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
        return success(succeeded(lower(module, options)) &&
                       succeeded(emitManifest(module, os)));
      });
  add("attn-to-header", "attention program to a C header of its object",
      Input::Program, Output::Text,
      [](ModuleOp module, const TranslationOptions &options, raw_ostream &os) {
        PassManager pm(module.getContext());
        buildHostPreparationPipeline(pm);
        if (options.device == TranslationDevice::CUDA)
          pm.addPass(createCheckKernelSupportPass());
        return success(succeeded(run(pm, module, options)) &&
                       succeeded(setDevice(module, options.device)) &&
                       succeeded(emitHeader(module, os)));
      });
  add("attn-to-ptx", "the kernels of an attention program as PTX",
      Input::Program, Output::Text, emitKernels);
  add("attn-llvm-to-ptx",
      "kernels in the LLVM and NVVM dialects to PTX (the last step alone)",
      Input::Kernels, Output::Text,
      [](ModuleOp module, const TranslationOptions &options,
         raw_ostream &os) -> LogicalResult {
        FailureOr<std::string> ptx = runTimed(
            options, "PTX", [&] { return emitPTX(module, options.ptx); });
        if (failed(ptx))
          return failure();
        os << *ptx;
        return success();
      });
  add("attn-llvm-to-cubin", "the same, assembled by ptxas", Input::Kernels,
      Output::Binary, emitCubin);
}
