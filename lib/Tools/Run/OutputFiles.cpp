//===- OutputFiles.cpp - Files that a run writes --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are known by their paths without links, whether they are there or not.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/OutputFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::attn::run;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The path of `name` without links; that of a file to be made is that of its
/// folder, and its name.
static std::string getRealPath(StringRef name) {
  if (name == "-")
    return "-"; // a standard stream
  SmallString<128> real;
  if (!fs::real_path(name, real))
    return real.str().str();
  StringRef folder = path::parent_path(name);
  if (fs::real_path(folder.empty() ? "." : folder, real))
    return name.str(); // cannot be opened either
  path::append(real, path::filename(name));
  return real.str().str();
}

static bool takesAnyNumber(StringRef name) {
  fs::file_status status;
  return !fs::status(name, status) && !fs::is_regular_file(status);
}

void OutputFiles::protect(const Twine &what, StringRef name) {
  if (name != "-" && !takesAnyNumber(name))
    uses.try_emplace(getRealPath(name), Use{what.str(), /*isRead=*/true});
}

llvm::Error OutputFiles::claim(const Twine &what, StringRef name) {
  if (takesAnyNumber(name))
    return llvm::Error::success();
  auto [it, isNew] =
      uses.try_emplace(getRealPath(name), Use{what.str(), /*isRead=*/false});
  if (isNew)
    return llvm::Error::success();
  const Use &other = it->second;
  return llvm::createStringError(
      what + " would overwrite " + other.what +
      (other.isRead ? "" : ", which is written there too") + ": '" + name +
      "'; expected a file of its own");
}
