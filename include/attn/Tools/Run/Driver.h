//===- Driver.h - attn-run as a function ------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attn-run does once its command line is read.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_DRIVER_H
#define ATTN_TOOLS_RUN_DRIVER_H

#include "attn/Tools/Run/Case.h"
#include "attn/Tools/Run/CompiledPrograms.h"

namespace mlir::attn::run {

struct RunOptions {
  /// The program; `-` is standard input.
  std::string file;
  /// The case, or what cases start from. Without a function the program must
  /// have only one that is public.
  CaseOptions defaults;
  CompileOptions compile;
  /// A file of cases; empty: one case.
  std::string casesFile;
  /// Where to write the report; empty: nowhere.
  std::string reportFile;
};

/// Runs the case or cases. A table, or a line for each case and a summary, goes
/// to `out`; diagnostics and errors to standard error. Success only if every
/// case passed and all files were written.
LogicalResult runAll(const RunOptions &options, DialectRegistry &registry,
                     raw_ostream &out);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_DRIVER_H
