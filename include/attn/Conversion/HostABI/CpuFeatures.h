//===- CpuFeatures.h - CPU features that code needs -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From LLVM's name of a CPU to the features that the runtime checks.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_CPUFEATURES_H
#define ATTN_CONVERSION_HOSTABI_CPUFEATURES_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::attn {

/// The features, as bits of attn-rt/Cpu.h, that code compiled for `cpu` with
/// `features` ("+name,-name,...") may use. `cpu` and `features` are LLVM's
/// names, or `cpu` is "host": the machine that runs the compiler. An empty
/// `cpu` requires nothing, as is right for targets that are not x86-64.
/// Features that change how code is generated but not which instructions occur
/// need nothing.
///
/// Fails with a text in `problem` when the CPU is not an x86-64 one that LLVM
/// knows, or when a feature cannot be checked at run time.
FailureOr<uint64_t> getRequiredCpuFeatures(StringRef cpu, StringRef features,
                                           std::string &problem);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_CPUFEATURES_H
