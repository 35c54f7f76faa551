//===- AttnPlugin.cpp - attn for a stock mlir-opt -------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two entry points by which mlir-opt loads dialects and passes from a
// module. Either option of mlir-opt registers everything, since passes without
// their dialect are of no use, nor the other way.
//
// Not for attn-opt, which has the dialect built in: two dialects of one name
// abort.
//
//===----------------------------------------------------------------------===//

#include "attn/InitAllDialects.h"
#include "attn/InitAllPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

static void registerPassesOnce() {
  static const bool once = [] {
    mlir::attn::registerAllPasses();
    mlir::attn::registerAllPipelines();
    return true;
  }();
  (void)once;
}

static void registerDialects(mlir::DialectRegistry *registry) {
  mlir::attn::registerAllDialects(*registry);
  registerPassesOnce();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Attn", LLVM_VERSION_STRING,
          registerDialects};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Attn", LLVM_VERSION_STRING,
          registerPassesOnce};
}
