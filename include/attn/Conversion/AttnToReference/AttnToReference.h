//===- AttnToReference.h - The reference lowering ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers attn.attention by its definition to loops over buffers: the
// oracle of every numeric test. Shares no code with the optimised path.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOREFERENCE_ATTNTOREFERENCE_H
#define ATTN_CONVERSION_ATTNTOREFERENCE_ATTNTOREFERENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::attn {

/// What the reference computes, see docs/Numerics.md.
enum class ReferencePrecision {
  F64,  ///< All in f64 on the stored inputs; results are f64, not rounded.
  Plain ///< f32 sums and softmax, rounded probabilities, results rounded once.
};

/// Lowers every attn.attention in the functions of `module`, in place, and with
/// F64 makes their float results f64. Fails with an error at each operation
/// that it cannot lower, before any change.
LogicalResult lowerToReference(ModuleOp module, ReferencePrecision precision);

#define GEN_PASS_DECL
#include "attn/Conversion/AttnToReference/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnToReference/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOREFERENCE_ATTNTOREFERENCE_H
