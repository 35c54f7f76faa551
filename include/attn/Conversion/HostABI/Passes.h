//===- Passes.h - Passes of the host program --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes that turn public functions into C functions on DLPack
// tensors.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_PASSES_H
#define ATTN_CONVERSION_HOSTABI_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Conversion/HostABI/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Conversion/HostABI/Passes.h.inc"

/// Whether `func` becomes a C function: public, with a body, with a tensor
/// among its arguments and results.
bool isHostFunction(func::FuncOp func);

/// Reports every module, or other table of symbols, inside `module`, and
/// functions whose code needs a name that another symbol has.
LogicalResult checkModuleSymbols(ModuleOp module);

/// Inlines calls, and changes nothing else.
void addCallInlining(OpPassManager &pm);

/// Where every way to compile a program begins: calls are inlined, private
/// functions without users go, what cannot be compiled is refused
/// (attn-check-host-program), signatures are recorded
/// (attn-infer-host-signature), elementwise operations on tensors become
/// linalg.
void buildHostPreparationPipeline(OpPassManager &pm);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_PASSES_H
