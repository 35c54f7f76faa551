//===- CommandLine.h - What our tools share ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the command lines of our tools.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_COMMON_COMMANDLINE_H
#define ATTN_TOOLS_COMMON_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace mlir::attn {

/// What becomes of the options, some hundred, that libraries register when they
/// are loaded, those of LLVM's code generators above all.
enum class LibraryOptions {
  Hide,  ///< They work, but `--help` does not show them.
  Remove ///< They are unknown, and their names are free.
};

/// Hides or removes the options that have been registered so far, except those
/// for help. Call it first in main.
void setAsideLibraryOptions(LibraryOptions what);

/// The flag `--attn-debug[=type,...]`: distributed LLVM libraries are built
/// without assertions, so `-debug` and `-debug-only` do not exist. It makes the
/// LDBG() and LLVM_DEBUG lines of our own libraries print; those of upstream
/// are compiled out.
///
/// Make one before parsing the command line
/// and apply it after; it lives as long as it can be on the command line.
class DebugFlag {
public:
  explicit DebugFlag(llvm::cl::OptionCategory &category);

  /// Turns debug output on if the flag was given.
  void apply() const;

private:
  llvm::cl::list<std::string> types;
};

} // namespace mlir::attn

#endif // ATTN_TOOLS_COMMON_COMMANDLINE_H
