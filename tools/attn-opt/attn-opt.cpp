//===- attn-opt.cpp - Runs passes on attention programs -------------------===//
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

#include "attn/Conversion/AttnToLinalg/AttnToLinalg.h"
#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/CPU/Passes.h"
#include "attn/Target/CPU/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::attn::AttnDialect>();
  mlir::registerAllPasses();
  mlir::attn::registerAttnPasses();
  mlir::attn::registerAttnToLinalgPasses();
  mlir::attn::registerAttnTargetCPUPasses();
  mlir::attn::registerCPUPipelines();
  mlir::attn::registerAttnPipelines();
  mlir::attn::registerAttnHostABIPasses();
  mlir::attn::registerAttnToReferencePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "attention compiler driver\n", registry));
}
