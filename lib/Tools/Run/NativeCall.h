//===- NativeCall.h - Calls of compiled code --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls functions whose arguments are all pointers, however many there are, and
// describes host tensors in the two ways that compiled code knows.
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

/// A function `int32_t f(const AttnRtTensor *...)` at `address`.
std::unique_ptr<Program> makeEntryProgram(std::shared_ptr<void> code,
                                          void *address);

/// A function `void f(descriptor *...)` at `address`, where a descriptor is a
/// memref's, as `llvm.emit_c_interface` makes it.
std::unique_ptr<Program> makeMemRefProgram(std::shared_ptr<void> code,
                                           void *address);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_NATIVECALL_H
