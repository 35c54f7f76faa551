//===- OptionRange.h - What a numeric option may be -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range of an option, known to the pass that has it and to the tools that
// check their command lines before anything runs.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_OPTIONRANGE_H
#define ATTN_SUPPORT_OPTIONRANGE_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <string>

namespace mlir::attn {

/// Whole numbers from `least` to `most`.
struct OptionRange {
  int64_t least, most;

  /// What is wrong with `value` as the option called `name`: names the range
  /// and the nearest value in it. Empty if nothing is.
  std::string check(llvm::StringRef name, int64_t value) const {
    if (value >= least && value <= most)
      return "";
    return "option '" + name.str() + "' expected " + std::to_string(least) +
           " to " + std::to_string(most) + ", got " + std::to_string(value) +
           "; the nearest is " + std::to_string(std::clamp(value, least, most));
  }
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_OPTIONRANGE_H
