//===- Report.h - What a run says of itself ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case as JSON (schema in docs/Report.md), as a short table, as one line.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_REPORT_H
#define ATTN_TOOLS_RUN_REPORT_H

#include "attn/Tools/Run/Case.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::attn::run {

/// The JSON of a case. `symbols` and `inputs` may be empty if the case failed
/// before they were known. `compile` is the compiler's own report.
nlohmann::json makeReport(const CaseOptions &options,
                          const Signature &signature, ArrayRef<int64_t> symbols,
                          ArrayRef<HostTensor> inputs, const CaseResult &result,
                          const nlohmann::json &compile);

/// The case as a table of a few lines, from its JSON.
void printTable(llvm::raw_ostream &os, const nlohmann::json &report);

/// The case as one line, from its JSON.
void printLine(llvm::raw_ostream &os, const nlohmann::json &report);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_REPORT_H
