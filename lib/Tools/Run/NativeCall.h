//===- NativeCall.h - Calls of compiled code --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls functions of any C signature through one that takes an array of
// pointers, made beside them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_NATIVECALL_H
#define ATTN_LIB_TOOLS_RUN_NATIVECALL_H

#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"
#include "attn/Tools/Run/HostTensor.h"
#include "attn/Tools/Run/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace mlir::attn::run {

/// How a function is called.
struct NativeEntry {
  /// The symbol of `int32_t entry(void **arguments)`.
  std::string symbol;
  /// Per argument: whether its pointer is to the value of a scalar, and not to
  /// an AttnRtTensor.
  std::vector<bool> isScalar;
};

/// Adds to `module`, which is in the LLVM dialect, a function that calls the C
/// function `function` with what an array points at.
NativeEntry addNativeEntry(ModuleOp module, StringRef function);

/// `tensor` as the runtime takes it; good as long as `tensor` is.
AttnRtTensor describeTensor(const HostTensor &tensor);

/// What a call that returned `status` says of itself; success for ATTN_RT_OK.
llvm::Error makeCallError(AttnRtStatus status);

/// The program behind `entry`, at `address`, which `code` keeps alive.
std::unique_ptr<Program> makeEntryProgram(std::shared_ptr<void> code,
                                          void *address, NativeEntry entry);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_NATIVECALL_H
