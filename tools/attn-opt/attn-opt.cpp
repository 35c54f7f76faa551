//===- attn-opt.cpp - Runs passes on attention programs ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with the attn dialect and its passes.
//
//===----------------------------------------------------------------------===//

#include "attn/InitAllDialects.h"
#include "attn/InitAllPasses.h"
#include "attn/Tools/Common/CommandLine.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::attn::setAsideLibraryOptions(mlir::attn::LibraryOptions::Hide);
  llvm::cl::OptionCategory category("Attention options");
  mlir::attn::DebugFlag debug(category);

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::attn::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::attn::registerAllPasses();
  mlir::attn::registerAllPipelines();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "attention compiler driver\n", registry);
  debug.apply();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
