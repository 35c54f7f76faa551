//===- Preparation.cpp - What comes before any lowering -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes at the user level, which the compiled program, its reference and
// its header share.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

void attn::addCallInlining(OpPassManager &pm) {
  // Nothing is simplified on the way: errors are to speak of what users wrote.
  pm.addPass(createInlinerPass(llvm::StringMap<OpPassManager>(),
                               [](OpPassManager &) {}));
}

void attn::buildHostPreparationPipeline(OpPassManager &pm) {
  addCallInlining(pm);
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCheckHostProgramPass());
  pm.addPass(createInferHostSignaturePass());
  pm.addPass(createConvertElementwiseToLinalgPass());
}
