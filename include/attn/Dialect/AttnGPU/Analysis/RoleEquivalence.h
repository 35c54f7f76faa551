//===- RoleEquivalence.h - Values that two roles agree on -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether two regions that were one program compute the same value, by
// comparing how it comes about: operation by operation, and step by step of
// loops.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_ROLEEQUIVALENCE_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_ROLEEQUIVALENCE_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::attn_gpu {

/// Whether `a` and `b`, integers, are equal in every run: computed by the same
/// operations of the same values; carried by loops of the same bounds that
/// start and go on with equal values; given by conditions that are equal and
/// give equal values. A loop that was split (attn-gpu-split-loops) equals the
/// one that it was made of: where a loop goes on from the bound at which
/// another ends, with what it left, the two are taken as one. That the common
/// bound lies between the others is not looked at.
bool isSameInBothRoles(Value a, Value b);

/// Whether two work loops go through the same points.
bool isSameWorkInBothRoles(WorkLoopOp a, WorkLoopOp b);

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_ROLEEQUIVALENCE_H
