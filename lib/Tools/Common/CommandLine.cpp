//===- CommandLine.cpp - What our tools share ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The debug flag sets the debug types of libLLVM, which our debug lines ask.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::attn;

void mlir::attn::setAsideLibraryOptions(LibraryOptions what) {
  llvm::SmallVector<llvm::cl::Option *> options;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "version")
      options.push_back(option);
  for (llvm::cl::Option *option : options) {
    option->setHiddenFlag(llvm::cl::ReallyHidden);
    if (what == LibraryOptions::Remove)
      option->removeArgument();
  }
}

DebugFlag::DebugFlag(llvm::cl::OptionCategory &category)
    : types("attn-debug", llvm::cl::CommaSeparated, llvm::cl::ValueOptional,
            llvm::cl::value_desc("type,..."), llvm::cl::cat(category),
            llvm::cl::desc("Print debug output of our libraries, of all types "
                           "or of those named")) {}

void DebugFlag::apply() const {
  if (types.getNumOccurrences() == 0)
    return;
#ifdef NDEBUG
  llvm::errs() << "warning: --attn-debug has no effect: built without "
                  "ATTN_ENABLE_ASSERTIONS\n";
#else
  llvm::DebugFlag = true;
  std::vector<const char *> names;
  for (const std::string &type : types)
    if (!type.empty())
      names.push_back(type.c_str());
  if (!names.empty())
    llvm::setCurrentDebugTypes(names.data(), names.size());
#endif
}
