//===- ParseModule.h - Modules with the user's names ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a file for a tool that compiles it. MLIR forgets the names of values;
// those of function arguments are kept here, since error texts, manifests and
// reports speak of arguments by name.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_COMMON_PARSEMODULE_H
#define ATTN_TOOLS_COMMON_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::attn {

/// Parses and verifies the main buffer of `sourceMgr`, text or byte code. Every
/// argument of a function that has no `attn.name` attribute gets its name in
/// the text as one, unless that is a number. Null after an error, which has
/// been reported.
OwningOpRef<ModuleOp> parseModule(llvm::SourceMgr &sourceMgr,
                                  MLIRContext *context);

} // namespace mlir::attn

#endif // ATTN_TOOLS_COMMON_PARSEMODULE_H
