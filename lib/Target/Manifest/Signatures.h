//===- Signatures.h - The signatures of a module ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the header and the manifest share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_MANIFEST_SIGNATURES_H
#define ATTN_LIB_TARGET_MANIFEST_SIGNATURES_H

#include "attn/Conversion/HostABI/HostSignature.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace mlir::attn {

struct FunctionSignature {
  Operation *op;
  HostSignature signature;
};

/// The signatures in `module`, in order; reports malformed ones.
FailureOr<std::vector<FunctionSignature>> collectSignatures(ModuleOp module);

/// The name of an element or scalar type: "bf16", "i32", "u8", "bool".
std::string getTypeName(Type type);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_MANIFEST_SIGNATURES_H
