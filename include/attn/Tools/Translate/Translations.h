//===- Translations.h - From attention programs to files --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The translations of attn-translate, as functions and by registration. Each
// takes a program at the user level all the way down, but for those named
// attn-llvm-...: they are the last step alone.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_TRANSLATE_TRANSLATIONS_H
#define ATTN_TOOLS_TRANSLATE_TRANSLATIONS_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Object/Object.h"
#include "attn/Target/PTX/PTX.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/Timing.h"
#include <functional>

namespace mlir::attn {

enum class TranslationDevice { CPU, CUDA };

struct TranslationOptions {
  /// Where tensors are and attention is computed.
  TranslationDevice device = TranslationDevice::CPU;
  IterationOptions iteration;
  ObjectOptions object;
  PTXOptions ptx;
  /// Where ptxas is; empty: searched as Ptxas.h says.
  std::string ptxas;
  /// As in CUDAOptions.
  int64_t stages = 0;
  std::string schedule;
  std::string kernelPasses;
  /// Names of the options that were given, so that a translation can refuse
  /// those that it would not look at; those not listed are not looked for.
  std::vector<std::string> given;
  /// Where passes and code generation report their times; null: nowhere.
  TimingScope *timing = nullptr;
};

/// Lowers `module` in place to C entries in the LLVM dialect for the CPU of
/// `options`. Errors have been reported when it fails.
LogicalResult lowerToCPU(ModuleOp module, const TranslationOptions &options);

/// The same for a program whose attention kernels compute on a CUDA device.
LogicalResult lowerToCUDA(ModuleOp module, const TranslationOptions &options);

/// Registers, for a tool that runs MLIR's translations:
///   attn-to-object    a relocatable object file
///   attn-to-assembly  the same as text
///   attn-to-manifest  JSON that describes its functions
///   attn-to-header    C declarations of them
///   attn-to-ptx       the kernels of an attention program as PTX
///   attn-llvm-to-ptx    kernels in the LLVM and NVVM dialects as PTX
///   attn-llvm-to-cubin  the same, assembled by ptxas
/// `getOptions` is called when a translation runs. The first five refuse, at
/// the module, a program without a function that C can call; objects and
/// cubins are not written to a terminal. Options that were given for a GPU are
/// refused where there are no kernels, those for programs where there are
/// kernels only. Outputs of one program take the same options: a header takes
/// those that its object needs.
void registerAttnTranslations(std::function<TranslationOptions()> getOptions);

} // namespace mlir::attn

#endif // ATTN_TOOLS_TRANSLATE_TRANSLATIONS_H
