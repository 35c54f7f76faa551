//===- NativeCall.h - Calls of compiled code --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls functions whose arguments are all pointers to tensors, however many
// there are.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_NATIVECALL_H
#define ATTN_LIB_TOOLS_RUN_NATIVECALL_H

#include "attn/Tools/Run/HostTensor.h"
#include "attn/Tools/Run/Program.h"
#include <memory>

namespace mlir::attn::run {

/// The most tensors that a function run here may have.
constexpr unsigned kMaxNativeArguments = 64;

/// The function `int32_t f(const AttnRtTensor *...)` at `address`, which `code`
/// keeps alive.
std::unique_ptr<Program> makeEntryProgram(std::shared_ptr<void> code,
                                          void *address);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_NATIVECALL_H
