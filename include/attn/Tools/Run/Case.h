//===- Case.h - One run of one function -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the inputs of a function, runs it, checks its results, times it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_CASE_H
#define ATTN_TOOLS_RUN_CASE_H

#include "attn/Tools/Run/Check.h"
#include "attn/Tools/Run/Inputs.h"
#include "attn/Tools/Run/Program.h"
#include "attn/Tools/Run/Signature.h"

namespace mlir::attn::run {

struct CaseOptions {
  std::string function;
  /// See Signature::resolve.
  std::vector<std::string> shapes;
  /// Layouts may name results here too.
  InputOptions inputs;
  /// Files to write results to, by result, or `#n` for that of that number.
  llvm::StringMap<std::string> outputs;
  bool check = false;
  bool time = false;
  /// Timing repeats the call until this many seconds have gone, and at least
  /// three times.
  double seconds = 1.0;

  /// Reads a case from `{"function": ..., "shapes": [...], ...}`: the keys are
  /// those of docs/Report.md. What is absent keeps the value it has here. Fails
  /// on unknown keys and wrong types, naming all of them.
  llvm::Error read(const nlohmann::json &json);

  /// Fails where a number is none that can be worked with, naming all of them.
  llvm::Error checkNumbers() const;
};

struct Timing {
  double median = 0, least = 0;
  int64_t repeats = 0;
  /// Query-key pairs that the masks let through, over all heads, and the
  /// floating-point operations on them: 2 (D + Dv) each.
  int64_t visiblePairs = 0;
  double operations = 0;
};

/// Key tiles over all query tiles: visited with everything visible, visited
/// otherwise, and all that there are.
struct TileCounts {
  int64_t full = 0, partial = 0, all = 0;
};

struct ResultReport {
  std::string name;
  ElementType type;
  Rule rule;
  SmallVector<int64_t> shape;
  std::optional<Comparison> comparison;
};

struct CaseResult {
  /// Everything that went wrong, one line each; empty if nothing did.
  std::vector<std::string> errors;
  std::vector<ResultReport> results;
  std::optional<Timing> timing;
  std::optional<TileCounts> tiles;
  /// The kernels that the call launched.
  nlohmann::json kernels = nlohmann::json::array();
  /// All of the above and what was run, see docs/Report.md.
  nlohmann::json report;

  bool passed() const { return errors.empty(); }
};

/// Runs one case. Every failure ends up in the result's errors.
CaseResult runCase(const CaseOptions &options, const Signature &signature,
                   ProgramProvider &programs);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_CASE_H
