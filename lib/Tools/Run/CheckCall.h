//===- CheckCall.h - Whether arguments fit a function -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled entries ask the runtime first, for programs without one.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TOOLS_RUN_CHECKCALL_H
#define ATTN_LIB_TOOLS_RUN_CHECKCALL_H

#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Tools/Run/HostTensor.h"

namespace mlir::attn::run {

/// Fails as a function with `signature` does where extents, types or memory are
/// not what it describes. The tensors are those of its arguments and results.
llvm::Error checkCall(const HostSignature &signature,
                      llvm::ArrayRef<HostTensor> arguments,
                      llvm::ArrayRef<HostTensor> results);

} // namespace mlir::attn::run

#endif // ATTN_LIB_TOOLS_RUN_CHECKCALL_H
