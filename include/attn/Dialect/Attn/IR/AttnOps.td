//===- AttnOps.td - All of the attn dialect ----------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One root that TableGen reads.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNOPS_TD

include "attn/Dialect/Attn/IR/AttnAttentionOps.td"
include "attn/Dialect/Attn/IR/AttnStateOps.td"
include "attn/Dialect/Attn/IR/AttnWalkOps.td"

#endif // ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
