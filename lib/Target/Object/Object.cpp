//===- Object.cpp - object files from the LLVM dialect --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation to LLVM IR, LLVM's optimisation pipeline, code generation.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Object/Object.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace mlir;
using namespace mlir::attn;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// The name among those of `info` that is nearest to `cpu`.
static StringRef findNearestCPU(const llvm::MCSubtargetInfo &info,
                                StringRef cpu) {
  // Far from every name: what runs on most machines.
  StringRef nearest = "x86-64-v3";
  unsigned best = std::max<size_t>(1, cpu.size() / 3) + 1;
  for (const llvm::SubtargetSubTypeKV &known :
       info.getAllProcessorDescriptions()) {
    unsigned distance = cpu.edit_distance(known.Key, true, best);
    if (distance < best) {
      best = distance;
      nearest = known.Key;
    }
  }
  return nearest;
}

/// Makes the target machine, or says in `problem` why it cannot be made.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const ObjectOptions &options, std::string &problem) {
  initializeTargets();
  llvm::Triple triple(options.triple.empty() ? llvm::sys::getProcessTriple()
                                             : options.triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) {
    problem = "no code generator for triple '" + triple.str() + "': " + message;
    return nullptr;
  }
  llvm::SubtargetFeatures features(options.features);
  std::string cpu = options.cpu;
  if (cpu == "host") {
    cpu = llvm::sys::getHostCPUName().str();
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  }
  // Asked of an empty subtarget: LLVM itself only warns about a bad name.
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!info->isCPUStringValid(cpu)) {
    problem = ("unknown CPU '" + cpu + "' for " + triple.getArchName() +
               ", expected host or a name that `llc -mcpu=help` lists; the "
               "nearest is " +
               findNearestCPU(*info, cpu))
                  .str();
    return nullptr;
  }
  SmallVector<StringRef> names;
  StringRef(options.features).split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    name = name.ltrim("+-");
    if (llvm::none_of(info->getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &known) {
                        return name == known.Key;
                      })) {
      problem = ("unknown feature '" + name + "' for " + triple.getArchName() +
                 ", expected names that `llc -mattr=help` lists")
                    .str();
      return nullptr;
    }
  }
  auto level = llvm::CodeGenOpt::getLevel(options.optLevel);
  if (!level) {
    problem = "optimisation level is " + std::to_string(options.optLevel) +
              ", expected 0 to 3";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, *level));
}

/// The same, reported at `module`.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(ModuleOp module, const ObjectOptions &options) {
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(options, problem);
  if (!machine)
    module.emitError(problem);
  return machine;
}

std::string mlir::attn::findObjectOptionsFault(const ObjectOptions &options) {
  std::string problem;
  createTargetMachine(options, problem);
  return problem;
}

static int64_t vectorBitsOf(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo *info = machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86())
    return 128;
  if (info->checkFeatures("+avx512f"))
    return 512;
  return info->checkFeatures("+avx2") ? 256 : 128;
}

FailureOr<int64_t> mlir::attn::getVectorBits(ModuleOp module,
                                             const ObjectOptions &options) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(module, options);
  if (!machine)
    return failure();
  return vectorBitsOf(*machine);
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level) {
  // The kernels arrive as vector code, unrolled as far as it pays: measured,
  // unrolling more gains nothing and doubles the time to compile.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.LoopUnrolling = false;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
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

static LogicalResult emit(ModuleOp module, const ObjectOptions &options,
                          llvm::raw_pwrite_stream &os,
                          llvm::CodeGenFileType kind) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(module, options);
  if (!machine)
    return failure();

  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "attn");
  if (!translated)
    return module.emitError("translation to LLVM IR failed: the module must "
                            "hold only the LLVM dialect");
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  translated->setPICLevel(llvm::PICLevel::BigPIC);
  std::string width = std::to_string(vectorBitsOf(*machine));
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine->getTargetCPU());
    function.addFnAttr("target-features", machine->getTargetFeatureString());
    // Without it some CPUs split 512-bit vectors in two.
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  optimize(*translated, *machine, options.optLevel);

  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, os, nullptr, kind))
    return module.emitError("the target cannot write this kind of file");
  codegen.run(*translated);
  return success();
}

LogicalResult mlir::attn::emitObject(ModuleOp module,
                                     const ObjectOptions &options,
                                     llvm::raw_pwrite_stream &os) {
  return emit(module, options, os, llvm::CodeGenFileType::ObjectFile);
}

LogicalResult mlir::attn::emitAssembly(ModuleOp module,
                                       const ObjectOptions &options,
                                       llvm::raw_pwrite_stream &os) {
  return emit(module, options, os, llvm::CodeGenFileType::AssemblyFile);
}
