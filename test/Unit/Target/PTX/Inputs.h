//===- Inputs.h - Files that the PTX tests read -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recorded outputs of ptxas 13.0 and machine code that it made, from
// test/Target/PTX/Inputs.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_TARGET_PTX_INPUTS_H
#define ATTN_TEST_UNIT_TARGET_PTX_INPUTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <string>

namespace mlir::attn::test {

/// The contents of a file, which stay for the life of the program.
inline llvm::StringRef readInput(llvm::StringRef name) {
  static llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
  auto &file = files[name];
  if (!file) {
    auto buffer = llvm::MemoryBuffer::getFile(ATTN_TEST_PTX_INPUTS "/" + name);
    if (!buffer) {
      ADD_FAILURE() << name.str() << ": " << buffer.getError().message();
      return "";
    }
    file = std::move(*buffer);
  }
  return file->getBuffer();
}

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_TARGET_PTX_INPUTS_H
