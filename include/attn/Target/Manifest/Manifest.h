//===- Manifest.h - What a module's C functions are -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C header and the JSON manifest of a compiled module, both made from the
// signatures that its functions carry.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_MANIFEST_MANIFEST_H
#define ATTN_TARGET_MANIFEST_MANIFEST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::attn {

/// On a module of a host program: an array with a dictionary for each kernel
/// that a function launches. `function` (its C symbol), `name`, `threads`,
/// `shared_bytes`; `origin`, `schedule` and `assembly` as its image had them.
inline constexpr llvm::StringLiteral kKernelsAttrName = "attn.kernels";

/// Writes a C header that declares the function of every operation in `module`
/// with the attribute `attn.signature`: tensors as `const AttnRtTensor *`,
/// outputs last, scalars by value, the status returned. C99 and C++. The module
/// may be at any level after attn-infer-host-signature.
///
/// Fails, with an error at the function and nothing written, when a signature
/// is malformed or the symbol is not a C identifier.
LogicalResult emitHeader(ModuleOp module, raw_ostream &os);

/// Writes the JSON manifest of the same functions; its schema is in
/// docs/Manifest.md. CPU features are there after attn-emit-host-entry.
LogicalResult emitManifest(ModuleOp module, raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_TARGET_MANIFEST_MANIFEST_H
