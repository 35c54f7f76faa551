//===- Attn.h - The attn dialect ------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the dialect, its attributes and its operations.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTN_H
#define ATTN_DIALECT_ATTN_IR_ATTN_H

#include "attn/Interfaces/ShapeFacts.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "attn/Dialect/Attn/IR/AttnDialect.h.inc"

#include "attn/Dialect/Attn/IR/AttnEnums.h.inc"

namespace mlir::attn {
/// Whether `attr` is one of the dialect's mask attributes.
bool isMaskAttr(Attribute attr);

/// What stands in the parentheses of an operation's `mask`.
ParseResult parseMask(OpAsmParser &parser, Attribute &mask);
void printMask(OpAsmPrinter &printer, Operation *op, Attribute mask);

/// What a mask needs beside itself.
struct MaskNeeds {
  bool documents = false;
  bool prefixOperand = false;
  bool region = false;
};

/// Collects what `mask` (may be null) needs.
MaskNeeds getMaskNeeds(Attribute mask);

/// On an operation of attention, and on what is made of it: a `ScheduleAttr`,
/// and, as a dictionary, what it was chosen for and why (see
/// attn-select-schedule).
inline constexpr llvm::StringLiteral kScheduleAttrName = "attn.schedule";
inline constexpr llvm::StringLiteral kChoiceAttrName = "attn.choice";
/// On `attn.attention`: names of schedules that are not to be chosen.
inline constexpr llvm::StringLiteral kRejectedAttrName = "attn.rejected";

/// Gives `to` what `from` has of both.
void copySchedule(Operation *from, Operation *to);
} // namespace mlir::attn

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.h.inc"

#endif // ATTN_DIALECT_ATTN_IR_ATTN_H
