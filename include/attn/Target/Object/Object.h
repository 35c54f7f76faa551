//===- Object.h - object files from the LLVM dialect ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimises a module of the LLVM dialect for a named CPU and writes an object
// file.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_OBJECT_OBJECT_H
#define ATTN_TARGET_OBJECT_OBJECT_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace llvm {
// NOLINTBEGIN(readability-identifier-naming): LLVM's names.
class raw_pwrite_stream;
class raw_ostream;
// NOLINTEND(readability-identifier-naming)
} // namespace llvm

namespace mlir {
class ModuleOp;

namespace attn {

/// The machine that an object file is for.
struct ObjectOptions {
  /// A CPU as LLVM names it, or `host` for the machine that runs the compiler.
  std::string cpu = "x86-64-v3";
  /// Additional features as LLVM writes them, `+avx512f,-avx2`.
  std::string features;
  /// Target triple; empty: the compiler's own.
  std::string triple;
  /// Optimisation level 0 to 3.
  unsigned optLevel = 2;
};

/// The width in bits of the vector registers that `options` names: what the
/// `vector-bits` option of the CPU pipeline should be. Fails, with an error at
/// `module`, for an unknown CPU or triple.
FailureOr<int64_t> getVectorBits(ModuleOp module, const ObjectOptions &options);

/// What is wrong with `options`: a CPU or triple that LLVM does not know, with
/// the nearest that it does. Empty if nothing is.
std::string findObjectOptionsFault(const ObjectOptions &options);

/// Optimises `module`, which must hold only the LLVM dialect, and writes a
/// relocatable object file to `os`. Errors are reported at `module`.
LogicalResult emitObject(ModuleOp module, const ObjectOptions &options,
                         llvm::raw_pwrite_stream &os);

/// Like `emitObject`, but writes assembly text.
LogicalResult emitAssembly(ModuleOp module, const ObjectOptions &options,
                           llvm::raw_pwrite_stream &os);

} // namespace attn
} // namespace mlir

#endif // ATTN_TARGET_OBJECT_OBJECT_H
