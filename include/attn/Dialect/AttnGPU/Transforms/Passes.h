//===- Passes.h - Passes on attn_gpu ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/SM90.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES_H
