//===- RegisterPressure.h - Registers that vectors need ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where in a program most registers are needed for the vectors that live
// there, each thread's share of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_ANALYSIS_REGISTERPRESSURE_H
#define ATTN_DIALECT_ATTNGPU_ANALYSIS_REGISTERPRESSURE_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// An estimate from below. Registers of 32 bits of the values that an operation
/// leaves alive, or finds: vectors of floats and products in flight, whose
/// operands from registers live on until the product is waited for. Not
/// counted: scalars and addresses, what the assembler needs on the way, and
/// what it can make again where it is used: constants, broadcasts, integers and
/// conditions.
class RegisterPressure {
public:
  explicit RegisterPressure(Region &region);

  /// The greatest need, where it is, and the values that make it up.
  int64_t getMost() const { return most; }
  Operation *getPlace() const { return place; }
  ArrayRef<Value> getValues() const { return values; }

  /// What a thread needs for `type`; 0 if it is not counted.
  static int64_t getRegisters(Type type);

private:
  using Live = llvm::SetVector<Value>;

  Live walk(Block &block, Live live);
  Live walkRegions(Operation *op, Live live);
  /// Adds what must be alive so that `value` can be used.
  static void use(Value value, Live &live);
  void note(Operation *op, const Live &live);

  int64_t most = 0;
  Operation *place = nullptr;
  SmallVector<Value> values;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_ANALYSIS_REGISTERPRESSURE_H
