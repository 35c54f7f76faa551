//===- AttnGPUOps.td - The attn_gpu dialect's operations ---*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that TableGen generates the dialect from.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAsyncOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUKernelOps.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTileOps.td"

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUOPS_TD
