//===- CNames.h - Names that C takes ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which names a compiled function and its parameters may have, one rule for
// objects, headers and manifests, and the nearest name where one may not.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_CNAMES_H
#define ATTN_CONVERSION_HOSTABI_CNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::attn {

/// Whether `name` is an identifier, and no keyword, in both C99 and C++17.
bool isCIdentifier(llvm::StringRef name);

/// The identifier nearest to `name`: `q.1` gives `q_1`, `int` gives `int_`.
std::string makeCIdentifier(llvm::StringRef name);

/// Why no function that this compiler makes may be called `name`: "is not an
/// identifier in C", "is a function of the C library", ... Empty if it may.
///
/// Generated code calls the C library, the mathematical library, the compiler's
/// own library and our runtime by name. A definition of such a name would be
/// called in their place, by this object and by the whole program.
std::string explainBadFunctionName(llvm::StringRef name);

/// The name nearest to `name` that a function may have: `exp` gives `attn_exp`.
std::string makeFunctionName(llvm::StringRef name);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_CNAMES_H
