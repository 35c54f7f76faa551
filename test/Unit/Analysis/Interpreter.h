//===- Interpreter.h - Evaluates a block of integer arithmetic --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test support: runs the scalar `arith` operations of one block on numbers,
// with the widths of their types, so that emitted bounds and mask regions can
// be held against brute force.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_ANALYSIS_INTERPRETER_H
#define ATTN_TEST_UNIT_ANALYSIS_INTERPRETER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::attn::test {

class Interpreter {
public:
  /// Evaluates all operations of `block` but a terminator; a number per block
  /// argument. An operation it does not know ends the program.
  Interpreter(Block &block, ArrayRef<int64_t> arguments);

  /// Sign-extended from the width of its type; i1 is 0 or 1.
  int64_t get(OpFoldResult value) const;

private:
  int64_t evaluate(Operation &op) const;
  llvm::DenseMap<Value, int64_t> numbers;
};

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_ANALYSIS_INTERPRETER_H
