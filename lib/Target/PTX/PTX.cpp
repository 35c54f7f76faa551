//===- PTX.cpp - PTX from the LLVM and NVVM dialects ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation to LLVM IR, LLVM's optimisation pipeline, code generation for
// NVPTX. The code generator ends the process on some input, a version too old
// for the chip or an operation without selection; such input is found here
// first and refused.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/PTX.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>
#include <mutex>

using namespace mlir;
using namespace mlir::attn;

static constexpr const char *kTriple = "nvptx64-nvidia-cuda";

static const llvm::Target *lookupTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string message;
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), message);
}

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

//===----------------------------------------------------------------------===//
// The target machine
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const llvm::Target &target, StringRef chip,
                    StringRef features, llvm::CodeGenOptLevel level) {
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
      llvm::Triple(kTriple), chip, features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, level));
}

static std::string generate(llvm::Module &module, llvm::TargetMachine &machine,
                            bool &possible) {
  SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager codegen;
  possible = !machine.addPassesToEmitFile(codegen, os, nullptr,
                                          llvm::CodeGenFileType::AssemblyFile);
  if (possible)
    codegen.run(module);
  return text.str().str();
}

/// The lowest version of PTX that has `chip`, times ten. LLVM keeps it to
/// itself but chooses it when no version is asked for, so an empty module
/// tells.
static unsigned lowestVersion(const llvm::Target &target, StringRef chip) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(target, chip, "", llvm::CodeGenOptLevel::None);
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  empty.setTargetTriple(machine->getTargetTriple());
  empty.setDataLayout(machine->createDataLayout());
  bool possible;
  std::string text = generate(empty, *machine, possible);
  StringRef version = StringRef(text).split(".version ").second;
  unsigned major = 0, minor = 0;
  if (version.consumeInteger(10, major) || !version.consume_front(".") ||
      version.consumeInteger(10, minor))
    return 0;
  return major * 10 + minor;
}

/// The names of `table` that start with `prefix`, in the order of their
/// numbers.
template <typename Entry>
static std::string listNames(ArrayRef<Entry> table, StringRef prefix) {
  SmallVector<StringRef> names;
  for (const Entry &entry : table)
    if (StringRef(entry.Key).starts_with(prefix))
      names.push_back(entry.Key);
  llvm::sort(names,
             [](StringRef a, StringRef b) { return a.compare_numeric(b) < 0; });
  return llvm::join(names, ", ");
}

/// Makes the machine, or reports at `module` why it cannot be made.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(Operation *module, const PTXOptions &options) {
  const llvm::Target *target = lookupTarget();
  if (!target) {
    module->emitError("this LLVM was built without the NVPTX target");
    return nullptr;
  }
  // Asked of an empty subtarget: LLVM itself only warns about a bad name.
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(llvm::Triple(kTriple), "", ""));
  if (!info->isCPUStringValid(options.chip)) {
    module->emitError("unknown chip '")
        << options.chip << "', expected one of "
        << listNames(info->getAllProcessorDescriptions(), "sm_");
    return nullptr;
  }
  bool knownVersion =
      StringRef(options.ptxVersion).starts_with("ptx") &&
      llvm::any_of(info->getAllProcessorFeatures(), [&](const auto &feature) {
        return options.ptxVersion == feature.Key;
      });
  if (!knownVersion) {
    module->emitError("unknown version of PTX '")
        << options.ptxVersion << "', expected one of "
        << listNames(info->getAllProcessorFeatures(), "ptx");
    return nullptr;
  }
  unsigned version = 0;
  StringRef(options.ptxVersion).drop_front(3).getAsInteger(10, version);
  unsigned lowest = lowestVersion(*target, options.chip);
  if (version < lowest) {
    module->emitError("chip '")
        << options.chip << "' is not in " << options.ptxVersion
        << ", expected ptx" << lowest << " or newer";
    return nullptr;
  }
  auto level = llvm::CodeGenOpt::getLevel(options.optLevel);
  if (!level) {
    module->emitError("optimisation level is ")
        << options.optLevel << ", expected 0 to 3";
    return nullptr;
  }
  return createTargetMachine(*target, options.chip, "+" + options.ptxVersion,
                             *level);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// Marks what is the same for every kernel of ours.
static void addAttributes(llvm::Module &module,
                          const llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr(llvm::Attribute::NoUnwind);
    // Selects ex2.approx.ftz and the like; the others scale around denormals.
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    // LLVM takes it off functions that do nothing convergent.
    function.addFnAttr(llvm::Attribute::Convergent);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallBase>(&instruction))
        if (call->isInlineAsm() || (call->getCalledFunction() &&
                                    !call->getCalledFunction()->isIntrinsic()))
          call->addFnAttr(llvm::Attribute::Convergent);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(levels[0])
                 : builder.buildPerModuleDefaultPipeline(levels[level]);
  passes.run(module, modules);
}

/// Whether NVPTX has no instruction for this call; it then ends the process.
/// The list is that of LLVM 22 for sm_90a, tried one by one in every type.
static bool hasNoSelection(const llvm::IntrinsicInst &call) {
  llvm::Type *scalar = call.getType()->getScalarType();
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::acos:
  case llvm::Intrinsic::asin:
  case llvm::Intrinsic::atan:
  case llvm::Intrinsic::atan2:
  case llvm::Intrinsic::cosh:
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp10:
  case llvm::Intrinsic::llrint:
  case llvm::Intrinsic::llround:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::lrint:
  case llvm::Intrinsic::lround:
  case llvm::Intrinsic::modf:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::sincos:
  case llvm::Intrinsic::sinh:
  case llvm::Intrinsic::tan:
    return true;
  case llvm::Intrinsic::powi: // a product when the power is a constant
    return !isa<llvm::ConstantInt>(call.getArgOperand(1));
  case llvm::Intrinsic::exp2:
    return scalar->isDoubleTy();
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::tanh:
    return scalar->isDoubleTy() || !call.hasApproxFunc();
  case llvm::Intrinsic::canonicalize:
    return scalar->isBFloatTy();
  default:
    return false;
  }
}

/// The driver defines these for every kernel.
static bool isSystemCall(StringRef name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" ||
         name == "free";
}

/// Refuses what would end the process or only show when the kernel is loaded.
static LogicalResult checkSupported(Operation *module, llvm::Module &llvmModule,
                                    StringRef chip) {
  SmallVector<std::string> faults;
  for (llvm::Function &function : llvmModule) {
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !isSystemCall(function.getName()))
      faults.push_back("function '" + function.getName().str() +
                       "' is called and nothing defines it");
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (hasNoSelection(*call))
          faults.push_back(
              "'" + call->getCalledFunction()->getName().str() +
              "' has no instruction on " + chip.str() +
              ", expected an intrinsic of NVVM such as llvm.nvvm.lg2.approx.f, "
              "or the fast-math flag afn at sin, cos and tanh");
  }
  if (faults.empty())
    return success();
  llvm::sort(faults);
  faults.erase(llvm::unique(faults), faults.end());
  return module->emitError(llvm::join(faults, "; "));
}

/// Turns LLVM's errors into errors at `module`, and counts them.
namespace {
struct ForwardErrors : llvm::DiagnosticHandler {
  ForwardErrors(Operation *module, unsigned &count)
      : module(module), count(count) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Remark ||
        info.getSeverity() == llvm::DS_Note)
      return true;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      ++count;
      module->emitError("code generation for the GPU: ") << text;
    } else {
      module->emitWarning("code generation for the GPU: ") << text;
    }
    return true;
  }
  Operation *module;
  unsigned &count;
};
} // namespace

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// Bytes of the function's array in local memory, from its PTX: LLVM declares
/// one `.local .align A .b8 __local_depotN[BYTES];` for what it keeps there.
static int64_t findLocalBytes(StringRef ptx, StringRef kernel) {
  size_t start = ptx.find((".entry " + kernel + "(").str());
  if (start == StringRef::npos)
    return 0;
  StringRef body = ptx.substr(start);
  body = body.take_front(body.find("\n}"));
  StringRef depot = body.split("__local_depot").second.split('[').second;
  int64_t bytes = 0;
  depot.consumeInteger(10, bytes);
  return bytes;
}

static int64_t findThreads(const llvm::Function &kernel) {
  llvm::Attribute attribute = kernel.getFnAttribute("nvvm.reqntid");
  if (!attribute.isValid())
    return 0;
  int64_t threads = 1;
  SmallVector<StringRef> extents;
  attribute.getValueAsString().split(extents, ',');
  for (StringRef extent : extents) {
    int64_t value = 0;
    if (!extent.trim().getAsInteger(10, value))
      threads *= value;
  }
  return threads;
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

FailureOr<std::string> mlir::attn::emitPTX(Operation *module,
                                           const PTXOptions &options,
                                           PTXReport *report) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(module, options);
  if (!machine)
    return failure();

  registerBuiltinDialectTranslation(*module->getContext());
  registerGPUDialectTranslation(*module->getContext());
  registerLLVMDialectTranslation(*module->getContext());
  registerNVVMDialectTranslation(*module->getContext());
  unsigned errors = 0;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ForwardErrors>(module, errors));
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "attn");
  if (!translated)
    return module->emitError("translation to LLVM IR failed: the module must "
                             "hold only the LLVM and NVVM dialects, the latter "
                             "after convert-nvvm-to-llvm");
  if (llvm::none_of(*translated, isKernel))
    return module->emitError("has no kernel, expected at least one llvm.func "
                             "with the attribute nvvm.kernel");
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  addAttributes(*translated, *machine);

  auto start = std::chrono::steady_clock::now();
  optimize(*translated, *machine, options.optLevel);
  double optimizeSeconds = secondsSince(start);
  if (failed(checkSupported(module, *translated, options.chip)))
    return failure();

  std::vector<PTXKernel> kernels;
  for (const llvm::Function &function : *translated)
    if (isKernel(function))
      kernels.push_back({function.getName().str(), findThreads(function), 0});
  start = std::chrono::steady_clock::now();
  bool possible;
  std::string ptx = generate(*translated, *machine, possible);
  if (!possible)
    return module->emitError("the target cannot write assembly");
  if (errors)
    return failure();
  if (report) {
    report->optimizeSeconds = optimizeSeconds;
    report->codegenSeconds = secondsSince(start);
    for (PTXKernel &kernel : kernels)
      kernel.localBytes = findLocalBytes(ptx, kernel.name);
    report->kernels = std::move(kernels);
  }
  return ptx;
}
