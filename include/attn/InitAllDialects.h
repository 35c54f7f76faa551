//===- InitAllDialects.h - Registers our dialects ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools and embedders: the dialects of this project and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_INITALLDIALECTS_H
#define ATTN_INITALLDIALECTS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::attn {

/// Adds the dialects of this project to `registry`.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<AttnDialect, attn_gpu::AttnGPUDialect>();
}

} // namespace mlir::attn

#endif // ATTN_INITALLDIALECTS_H
