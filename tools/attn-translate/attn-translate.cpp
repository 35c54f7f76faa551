//===- attn-translate.cpp - From attention programs to files -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of attn-translate: one translation from one file to one.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/CommandLine.h"
#include "attn/Tools/Common/CompileOptions.h"
#include "attn/Tools/Translate/Translations.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

static LogicalResult reportError(const Twine &text) {
  llvm::WithColor::error(llvm::errs(), "attn-translate") << text << "\n";
  return failure();
}

/// Runs `translation` on the file `input`; nothing is left of `output` unless
/// it succeeds.
static LogicalResult translate(const Translation &translation, StringRef input,
                               StringRef output) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &message);
  if (!buffer)
    return reportError(message);
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
  if (!file)
    return reportError(message);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  MLIRContext context;
  SourceMgrDiagnosticHandler handler(*sources, &context);
  if (failed(translation(sources, file->os(), &context)))
    return failure();
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setAsideLibraryOptions(LibraryOptions::Remove);
  cl::OptionCategory category("Attention options");
  DebugFlag debug(category);
  cl::opt<std::string> cpu(
      "cpu", cl::desc("CPU to compile for, as LLVM names it, or host"),
      cl::init("x86-64-v3"), cl::cat(category));
  cl::opt<std::string> features(
      "features", cl::desc("Features added to or taken from the CPU's"),
      cl::value_desc("+avx512f,-fma,..."), cl::cat(category));
  NumberOption<int64_t> queryTile(
      "query-tile", cl::desc("Rows of a query tile; 0: cost model"),
      cl::init(0), cl::cat(category));
  NumberOption<int64_t> keyTile("key-tile",
                                cl::desc("Keys of a key tile; 0: cost model"),
                                cl::init(0), cl::cat(category));
  NumberOption<int64_t> keyParts(
      "key-parts", cl::desc("Parts the keys are split into; 0: cost model"),
      cl::init(0), cl::cat(category));
  NumberOption<int64_t> stages(
      "stages",
      cl::desc("Stages of a kernel's rings; 0: the table of schedules"),
      cl::init(0), cl::cat(category));
  cl::opt<std::string> schedule(
      "schedule",
      cl::desc("How tiles come to thread blocks: once, strided, dynamic; "
               "empty: the table of schedules"),
      cl::cat(category));
  cl::opt<std::string> chip("chip",
                            cl::desc("GPU to compile for, as LLVM names it"),
                            cl::init("sm_90a"), cl::cat(category));
  cl::opt<std::string> ptxVersion(
      "ptx-version", cl::desc("Version of PTX, as LLVM names the feature"),
      cl::init("ptx87"), cl::cat(category));
  cl::opt<std::string> ptxas(
      "ptxas",
      cl::desc("ptxas, or the folder it is in; otherwise $ATTN_PTXAS, "
               "$CUDA_HOME/bin, PATH, /usr/local/cuda/bin"),
      cl::value_desc("path"), cl::cat(category));
  NameOption<TranslationDevice> device(
      "device", cl::desc("Where tensors are and attention is computed"),
      cl::values(clEnumValN(TranslationDevice::CPU, "cpu", "in host memory"),
                 clEnumValN(TranslationDevice::CUDA, "cuda",
                            "on a CUDA device, on the caller's stream")),
      cl::init(TranslationDevice::CPU), cl::cat(category));
  cl::opt<std::string> kernelPasses(
      "kernel-passes",
      cl::desc("Passes on attn_gpu.kernel, in place of all that make it "
               "asynchronous"),
      cl::value_desc("pass,..."), cl::cat(category));
  registerKernelPasses();
  cl::opt<std::string> input(cl::Positional, cl::desc("<file.mlir>"),
                             cl::init("-"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("File to write"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category));
  TimingScope timing;
  const cl::Option *const compilation[] = {
      &cpu,      &features, &queryTile,  &keyTile, &keyParts, &stages,
      &schedule, &chip,     &ptxVersion, &ptxas,   &device,   &kernelPasses};
  registerAttnTranslations([&] {
    TranslationOptions options;
    for (const cl::Option *option : compilation)
      if (option->getNumOccurrences() > 0)
        options.given.push_back(option->ArgStr.str());
    options.iteration = {queryTile, keyTile, keyParts, /*threads=*/0};
    options.object.cpu = cpu;
    options.object.features = features;
    options.ptx.chip = chip;
    options.ptx.ptxVersion = ptxVersion;
    options.ptxas = ptxas;
    options.stages = stages;
    options.schedule = schedule;
    options.kernelPasses = kernelPasses;
    options.device = device;
    options.timing = &timing;
    return options;
  });
  cl::list<const Translation *, bool, TranslationParser> translations(
      "", cl::desc("Translations"));
  registerMLIRContextCLOptions();
  registerDefaultTimingManagerCLOptions();
  cl::ParseCommandLineOptions(argc, argv,
                              "compile attention programs to files\n");
  debug.apply();

  if (translations.size() != 1) {
    SmallVector<std::string> names;
    const auto &parser = translations.getParser();
    for (unsigned n = 0; n < parser.getNumOptions(); ++n)
      names.push_back("--" + parser.getOption(n).str());
    llvm::sort(names);
    (void)reportError("expected one translation, got " +
                      Twine(translations.size()) + "; there are " +
                      llvm::join(names, ", "));
    return 1;
  }
  DefaultTimingManager timings;
  applyDefaultTimingManagerCLOptions(timings);
  timing = timings.getRootScope();
  LogicalResult result = translate(*translations.front(), input, output);
  timing.stop();
  return failed(result);
}
