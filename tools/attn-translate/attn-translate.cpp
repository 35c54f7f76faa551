//===- attn-translate.cpp - From attention programs to files -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-translate with our translations and the options that they need.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/CommandLine.h"
#include "attn/Tools/Common/CompileOptions.h"
#include "attn/Tools/Translate/Translations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir::attn;
namespace cl = llvm::cl;

int main(int argc, char **argv) {
  setAsideLibraryOptions(LibraryOptions::Remove);
  cl::OptionCategory category("Attention options");
  DebugFlag debug(category);
  cl::opt<std::string> cpu(
      "cpu", cl::desc("CPU to compile for, as LLVM names it, or host"),
      cl::init("x86-64-v3"), cl::cat(category));
  cl::opt<std::string> features(
      "features", cl::desc("Features added to or taken from the CPU's"),
      cl::value_desc("+avx512f,-fma,..."), cl::cat(category));
  cl::opt<int64_t> queryTile("query-tile",
                             cl::desc("Rows of a query tile; 0: cost model"),
                             cl::init(0), cl::cat(category));
  cl::opt<int64_t> keyTile("key-tile",
                           cl::desc("Keys of a key tile; 0: cost model"),
                           cl::init(0), cl::cat(category));
  cl::opt<int64_t> keyParts(
      "key-parts", cl::desc("Parts the keys are split into; 0: cost model"),
      cl::init(0), cl::cat(category));
  cl::opt<int64_t> stages(
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
  cl::opt<TranslationDevice> device(
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
  registerAttnTranslations([&] {
    debug.apply();
    TranslationOptions options;
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
    return options;
  });
  return mlir::failed(mlir::mlirTranslateMain(
      argc, argv, "compile attention programs to files\n"));
}
