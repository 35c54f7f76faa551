//===- StageDump.h - A file after every pass --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what each stage of a compilation leaves into numbered files.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_STAGEDUMP_H
#define ATTN_TOOLS_RUN_STAGEDUMP_H

#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"
#include <string>

namespace mlir::attn::run {

/// Numbers the files of one compilation: `<folder>/000-input.mlir`,
/// `<folder>/001-attn-tile.mlir`, ... The context must not run passes in
/// parallel.
class StageDump {
public:
  /// Makes the folder. What is in it stays; files of the same name are
  /// replaced. A failure is kept and told by takeError.
  explicit StageDump(std::string folder);

  /// Writes the module around `op`, with locations.
  void writeIR(StringRef stage, Operation *op);
  /// Writes `bytes` to a file that ends in `suffix`.
  void writeBytes(StringRef stage, StringRef suffix, StringRef bytes);

  /// An instrumentation that writes the module after every pass, changed or
  /// not; the name of a pass that failed is followed by `-failed`.
  std::unique_ptr<PassInstrumentation> makeInstrumentation();

  /// The first failure to write, or success.
  llvm::Error takeError();

private:
  std::string folder;
  unsigned next = 0;
  std::string problem;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_STAGEDUMP_H
