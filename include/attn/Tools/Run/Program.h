//===- Program.h - Compiled functions, ready to be called -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between what runs cases and what compiles functions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_PROGRAM_H
#define ATTN_TOOLS_RUN_PROGRAM_H

#include "attn/Tools/Run/HostTensor.h"
#include "nlohmann/json.hpp"

namespace mlir::attn::run {

enum class ProgramKind : uint8_t {
  /// The function as users get it.
  Compiled,
  /// By definition, in f64; results are f64.
  Reference,
  /// By definition, in the arithmetic that the error bound allows for.
  Plain,
  /// Counts keys: q, k and v have one head dimension and the only result is the
  /// f64 log of how many keys each row sees.
  VisibleKeys,
  /// Counts the key tiles that Compiled visits: one i64 result of three
  /// numbers,
  /// tiles visited as full ones, as partial ones, and all that there are.
  TileCount,
  /// The f64 log-sum-exp of every row as its only result, by the reference,
  /// without score region and sinks.
  ScoreSizes
};

class Program {
public:
  virtual ~Program() = default;

  /// Calls the function. The shapes must be the function's; whether they fit
  /// each other is the function's to find out. Fails with the text that the
  /// function gives.
  virtual llvm::Error call(llvm::ArrayRef<HostTensor> arguments,
                           llvm::ArrayRef<HostTensor> results) = 0;

  /// The kernels that a call with these arguments launches, as docs/Report.md
  /// has them; none where the function launches none.
  virtual nlohmann::json
  describeLaunches(llvm::ArrayRef<HostTensor> arguments) {
    return nlohmann::json::array();
  }
};

class ProgramProvider {
public:
  virtual ~ProgramProvider() = default;

  /// The program of a function; compiled at the first call, kept for later
  /// ones. Diagnostics of the compiler go to the context's handlers.
  virtual llvm::Expected<Program *> get(llvm::StringRef function,
                                        ProgramKind kind) = 0;

  /// What the compiler decided for the function, see docs/Report.md; without
  /// choices if it was not compiled.
  virtual nlohmann::json getCompileReport(llvm::StringRef function) = 0;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_PROGRAM_H
