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

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include <limits>
#include <type_traits>

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

/// A number on a command line. Other than for plain ones, errors say what was
/// expected: a whole number in the range of T, or any number for a floating
/// type.
template <typename T>
struct Number {
  T value;

  Number(T value = 0) : value(value) {}
  operator T() const { return value; }
};

template <typename T>
using NumberOption = llvm::cl::opt<Number<T>>;

/// Values with names, as clEnumValN gives them. Other than for plain ones, the
/// error for an unknown name lists those that there are.
template <typename T>
class NameParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             T &value) {
    std::string names;
    for (const auto &known : this->Values) {
      if (known.Name == text) {
        value = known.V.getValue();
        return false;
      }
      names += (names.empty() ? "" : ", ") + known.Name.str();
    }
    return option.error("expected one of " + names + "; got '" + text + "'");
  }
};

template <typename T>
using NameOption = llvm::cl::opt<T, /*ExternalStorage=*/false, NameParser<T>>;

} // namespace mlir::attn

namespace llvm::cl {

template <typename T>
class parser<mlir::attn::Number<T>>
    : public basic_parser<mlir::attn::Number<T>> {
public:
  using basic_parser<mlir::attn::Number<T>>::basic_parser;

  bool parse(Option &option, StringRef, StringRef text,
             mlir::attn::Number<T> &number) {
    if constexpr (std::is_floating_point_v<T>) {
      if (to_float(text, number.value))
        return false;
      return option.error("expected a number, got '" + text + "'");
    } else {
      if (!text.getAsInteger(0, number.value))
        return false;
      return option.error("expected a whole number from " +
                          Twine(std::numeric_limits<T>::min()) + " to " +
                          Twine(std::numeric_limits<T>::max()) + ", got '" +
                          text + "'");
    }
  }

  StringRef getValueName() const override { return "number"; }

  /// For --print-options: values of classes are not shown.
  void printOptionDiff(const Option &option, const mlir::attn::Number<T> &,
                       const OptionValue<mlir::attn::Number<T>> &,
                       size_t width) const {
    this->printOptionNoValue(option, width);
  }
};

} // namespace llvm::cl

#endif // ATTN_TOOLS_COMMON_COMMANDLINE_H
