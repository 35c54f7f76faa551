//===- CompiledPrograms.cpp - Functions compiled in memory ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extracts a function from its module, runs the passes of the kind of program,
// loads the object file.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/CompiledPrograms.h"
#include "NativeCall.h"
#include "SimulatedProgram.h"
#include "VisibleKeys.h"
#include "attn-rt/Arguments.h"
#include "attn-rt/Parallel.h"
#include "attn-rt/Status.h"
#include "attn/Target/Object/JITProgram.h"
#include "attn/Target/Object/Object.h"
#include "attn/Tools/Run/StageDump.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;
using nlohmann::json;

static constexpr StringRef kKindNames[] = {"compiled",   "reference",
                                           "plain",      "visible-keys",
                                           "tile-count", "score-sizes"};

namespace {
/// Takes remarks as entries of a JSON array.
class ChoiceCollector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ChoiceCollector(std::shared_ptr<json> choices)
      : choices(std::move(choices)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string text;
    json values = json::object();
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      text += arg.val;
      if (arg.key != "Remark")
        values[arg.key] = arg.val;
    }
    // By convention `choice: reason`.
    auto [value, why] = StringRef(text).split(": ");
    json choice = {{"name", remark.getRemarkName().str()},
                   {"pass", remark.getCombinedCategoryName().str()},
                   {"value", value.str()},
                   {"why", why.str()}};
    if (!values.empty())
      choice["values"] = std::move(values);
    choices->push_back(std::move(choice));
  }

private:
  std::shared_ptr<json> choices;
};

/// Measures wall time in seconds.
class Stopwatch {
public:
  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};
} // namespace

CompiledPrograms::CompiledPrograms(ModuleOp module, CompileOptions options)
    : module(module), options(std::move(options)),
      choices(std::make_shared<json>(json::array())) {
  MLIRContext *context = module.getContext();
  // Stage files need one pass at a time, and one function gains nothing.
  context->disableMultithreading();
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = ".*";
  if (failed(remark::enableOptimizationRemarks(
          *context, std::make_unique<ChoiceCollector>(choices),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    llvm::report_fatal_error("the context already has a remark engine");
}

CompiledPrograms::~CompiledPrograms() = default;

json CompiledPrograms::getCompileReport(StringRef function) {
  auto it = reports.find(function);
  if (it != reports.end())
    return it->second;
  json nothing = json::object();
  if (options.device == Device::Simulator)
    nothing["device"] = "sim";
  return nothing;
}

llvm::Expected<Program *> CompiledPrograms::get(StringRef function,
                                                ProgramKind kind) {
  std::pair<std::string, ProgramKind> key(function.str(), kind);
  if (auto it = programs.find(key); it != programs.end())
    return it->second.get();
  if (auto it = failures.find(key); it != failures.end())
    return llvm::createStringError(it->second);
  bool isKernel =
      kind == ProgramKind::Compiled && options.device == Device::Simulator;
  llvm::Expected<std::unique_ptr<Program>> program =
      isKernel ? compileKernels(function) : compile(function, kind);
  if (!program) {
    std::string text = llvm::toString(program.takeError());
    failures[key] = text;
    return llvm::createStringError(text);
  }
  return (programs[key] = std::move(*program)).get();
}

OwningOpRef<ModuleOp> mlir::attn::run::extractFunction(ModuleOp module,
                                                       StringRef name) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto function : copy->getOps<func::FuncOp>())
    function.setVisibility(function.getName() == name
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  PassManager pm(copy->getContext());
  pm.addPass(createSymbolDCEPass());
  if (failed(pm.run(*copy)))
    return nullptr;
  return copy;
}

llvm::Expected<std::unique_ptr<Program>>
CompiledPrograms::compileKernels(StringRef function) {
  auto fail = [&](const Twine &text) {
    return llvm::createStringError("function '" + function +
                                   "' (kernels): " + text);
  };
  Stopwatch passes;
  choices->clear();
  OwningOpRef<ModuleOp> part = extractFunction(module, function);
  if (!part)
    return fail("cannot be taken out of its module");
  std::unique_ptr<StageDump> dump;
  PassManager pm(part->getContext());
  if (!options.dumpFolder.empty()) {
    SmallString<128> folder(options.dumpFolder);
    llvm::sys::path::append(folder, function, "kernels");
    dump = std::make_unique<StageDump>(folder.str().str());
    dump->writeIR("input", *part);
    pm.addInstrumentation(dump->makeInstrumentation());
  }
  IterationOptions iteration = options.iteration;
  iteration.threads = 0;
  buildAttnToAttnGPUPipeline(pm, iteration, options.cuda);
  LogicalResult lowered = pm.run(*part);
  if (dump)
    if (llvm::Error error = dump->takeError())
      return error;
  if (failed(lowered))
    return fail("cannot be compiled, see the errors above");
  reports[function.str()] = {{"device", "sim"},
                             {"choices", *choices},
                             {"schedules", options.schedules},
                             {"pass_s", passes.getSeconds()}};
  return makeSimulatedProgram(std::move(part), function, options.schedules);
}

llvm::Expected<std::unique_ptr<Program>>
CompiledPrograms::compile(StringRef function, ProgramKind kind) {
  StringRef kindName = kKindNames[static_cast<unsigned>(kind)];
  auto fail = [&](const Twine &text) {
    return llvm::createStringError("function '" + function + "' (" + kindName +
                                   "): " + text);
  };
  Stopwatch passes;
  choices->clear();
  OwningOpRef<ModuleOp> part = extractFunction(module, function);
  if (!part)
    return fail("cannot be taken out of its module");
  ObjectOptions objectOptions;
  objectOptions.cpu = options.cpu;
  FailureOr<int64_t> vectorBits = getVectorBits(*part, objectOptions);
  if (failed(vectorBits))
    return fail("cannot be compiled for CPU '" + options.cpu + "'");

  std::unique_ptr<StageDump> dump;
  if (!options.dumpFolder.empty()) {
    SmallString<128> folder(options.dumpFolder);
    llvm::sys::path::append(folder, function, kindName);
    dump = std::make_unique<StageDump>(folder.str().str());
    dump->writeIR("input", *part);
  }
  if (kind == ProgramKind::VisibleKeys || kind == ProgramKind::ScoreSizes) {
    auto original = part->lookupSymbol<func::FuncOp>(function);
    if (failed(kind == ProgramKind::VisibleKeys
                   ? replaceByVisibleKeys(original)
                   : replaceByScoreSizes(original)))
      return fail("cannot be made to give the log-sum-exp alone");
    if (dump)
      dump->writeIR(kindName, *part);
  }
  PassManager pm(part->getContext());
  if (dump)
    pm.addInstrumentation(dump->makeInstrumentation());
  CPUOptions cpu;
  // Code for this very machine has nothing to ask of it.
  cpu.cpu = options.cpu == "host" ? "" : options.cpu;
  cpu.vectorBits = *vectorBits;
  switch (kind) {
  case ProgramKind::Compiled:
    buildAttnToCPUPipeline(pm, options.iteration, cpu);
    break;
  case ProgramKind::TileCount:
    buildTileCountToCPUPipeline(pm, options.iteration, cpu);
    break;
  case ProgramKind::Plain:
    buildReferenceToCPUPipeline(pm, ReferencePrecision::Plain, cpu);
    break;
  case ProgramKind::Reference:
  case ProgramKind::VisibleKeys:
  case ProgramKind::ScoreSizes:
    buildReferenceToCPUPipeline(pm, ReferencePrecision::F64, cpu);
    break;
  }
  LogicalResult lowered = pm.run(*part);
  double passSeconds = passes.getSeconds();

  Stopwatch codegen;
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  NativeEntry entry;
  if (succeeded(lowered)) {
    entry = addNativeEntry(*part, function);
    lowered = emitObject(*part, objectOptions, os);
  }
  if (dump) {
    if (succeeded(lowered))
      dump->writeBytes("object", ".o", os.str());
    if (llvm::Error error = dump->takeError())
      return error;
  }
  if (failed(lowered))
    return fail("cannot be compiled, see the errors above");
  if (kind == ProgramKind::Compiled)
    reports[function.str()] = {
        {"cpu", options.cpu},    {"vector_bits", *vectorBits},
        {"choices", *choices},   {"object_bytes", bytes.size()},
        {"pass_s", passSeconds}, {"codegen_s", codegen.getSeconds()}};

  JITProgram::Symbols symbols;
  symbols["attn_rt_bind_arguments"] =
      reinterpret_cast<void *>(&attn_rt_bind_arguments);
  symbols["attn_rt_parallel_for"] =
      reinterpret_cast<void *>(&attn_rt_parallel_for);
  symbols["attn_rt_fail"] = reinterpret_cast<void *>(&attn_rt_fail);
  auto code = JITProgram::load(
      std::make_unique<llvm::SmallVectorMemoryBuffer>(
          std::move(bytes), function, /*RequiresNullTerminator=*/false),
      symbols);
  if (!code)
    return code.takeError();
  llvm::Expected<void *> address = (*code)->lookup(entry.symbol);
  if (!address)
    return address.takeError();
  return makeEntryProgram(std::move(*code), *address, std::move(entry));
}
