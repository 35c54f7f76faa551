//===- Ptxas.h - The PTX assembler ------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds NVIDIA's `ptxas` and runs it. It is never needed: PTX is a product of
// its own, which the driver assembles. But only ptxas tells what became of a
// kernel, and a cubin saves the driver's work.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_PTX_PTXAS_H
#define ATTN_TARGET_PTX_PTXAS_H

#include "attn/Target/PTX/PtxasReport.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::attn {

/// What assembling gave.
struct PtxasResult {
  std::string cubin; // bytes
  PtxasReport report;
  double seconds = 0;
};

class Ptxas {
public:
  /// Finds ptxas. The first of these that is set or there decides:
  ///
  ///   1. `path`, when not empty: a program, or a folder that holds it
  ///   2. environment variable ATTN_PTXAS, likewise
  ///   3. $CUDA_HOME/bin/ptxas
  ///   4. ptxas on PATH
  ///   5. /usr/local/cuda/bin/ptxas
  ///
  /// 1 and 2 were said by the user: if no program is there, that is an error
  /// and the search does not go on. The error names all places looked at.
  static llvm::Expected<Ptxas> find(llvm::StringRef path = "");

  /// The program.
  const std::string &path() const { return program; }

  /// Its release, "13.0"; an error if it does not run.
  llvm::Expected<std::string> version() const;

  /// Assembles `ptx` for `chip` by `ptxas -arch=CHIP -v -O3`. Fails if ptxas
  /// cannot be run or refuses the text; the error then holds all that it said.
  llvm::Expected<PtxasResult> assemble(llvm::StringRef ptx,
                                       llvm::StringRef chip) const;

private:
  explicit Ptxas(std::string program) : program(std::move(program)) {}
  std::string program;
};

} // namespace mlir::attn

#endif // ATTN_TARGET_PTX_PTXAS_H
