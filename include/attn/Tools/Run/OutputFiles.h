//===- OutputFiles.h - Files that a run writes ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps what a run writes apart: of two things written to one file the first
// would be lost, and nothing would say so.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_OUTPUTFILES_H
#define ATTN_TOOLS_RUN_OUTPUTFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::attn::run {

class OutputFiles {
public:
  /// States that `what`, as in "the program", is read from `path`.
  void protect(const Twine &what, StringRef path);

  /// States that `what`, as in "the report", will be written to `path`. Fails
  /// if something else is written there or is protected. Two paths are one file
  /// whatever links lead to it; devices and pipes take any number of outputs.
  llvm::Error claim(const Twine &what, StringRef path);

private:
  struct Use {
    std::string what;
    bool isRead;
  };
  /// By the path without links.
  llvm::StringMap<Use> uses;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_OUTPUTFILES_H
