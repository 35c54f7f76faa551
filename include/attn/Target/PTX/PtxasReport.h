//===- PtxasReport.h - What ptxas says of kernels ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output of `ptxas -v` as data. Nothing here needs ptxas.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_PTX_PTXASREPORT_H
#define ATTN_TARGET_PTX_PTXASREPORT_H

#include "attn/Target/PTX/LocalTraffic.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

/// One line of ptxas that is not about sizes.
struct PtxasMessage {
  enum class Severity { Info, Warning, Error };
  Severity severity = Severity::Info;
  std::string code;     // "C7513", or empty
  std::string function; // the one it is about, where it says so
  int64_t line = 0;     // of the PTX; 0: not about a line
  std::string text;     // without severity and code

  /// Whether ptxas names a loss of speed: C75.., such as wgmma serialised.
  bool isPerformanceLoss() const;
};

/// A kernel, or a function that was not inlined.
struct PtxasFunction {
  std::string name;
  std::string chip;      // of kernels
  bool isKernel = true;  // false: a function
  int64_t registers = 0; // per thread at launch
  int64_t barriers = 0;  // named barriers
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0; // in its code, however often it is executed
  int64_t spillLoadBytes = 0;
  int64_t sharedBytes = 0;   // static
  int64_t constantBytes = 0; // all banks, parameters included

  /// Local memory that the machine code touches inside loops and outside,
  /// spills and arrays alike. Known only when the cubin was looked at and
  /// understood.
  std::optional<LocalTraffic> local;

  bool spills() const { return spillStoreBytes || spillLoadBytes; }

  /// Whether registers are spilled in a loop; true when it is not known where
  /// the spills are, so a caller that needs speed is on the safe side.
  bool maySpillInLoop() const;

  /// The same of its main loops, see LocalTraffic: what a choice among
  /// schedules should go by.
  bool maySpillInMainLoop() const;
};

struct PtxasReport {
  std::vector<PtxasFunction> functions; // kernels and others, as listed
  std::vector<PtxasMessage> messages;   // in order, each text once

  const PtxasFunction *find(llvm::StringRef name) const;
  bool hasErrors() const;

  /// All errors, a line each; empty without any.
  std::string errorText() const;
};

/// Reads the output of `ptxas -v`. Lines that it does not know become messages
/// of their severity, so that nothing is lost.
PtxasReport parsePtxasOutput(llvm::StringRef output);

/// Fills `local` of the functions of `report` from their machine code.
void addLocalTraffic(PtxasReport &report, llvm::StringRef cubin);

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_PTXASREPORT_H
