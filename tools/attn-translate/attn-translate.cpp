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
  registerAttnTranslations([&] {
    debug.apply();
    TranslationOptions options;
    options.iteration = {queryTile, keyTile, keyParts, /*threads=*/0};
    options.object.cpu = cpu;
    options.object.features = features;
    return options;
  });
  return mlir::failed(mlir::mlirTranslateMain(
      argc, argv, "compile attention programs to files\n"));
}
