//===- Faults.h - Errors that give all reasons at once ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the faults of one operation, so that a verifier reports all of them
// in one diagnostic instead of the first it meets.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_FAULTS_H
#define ATTN_SUPPORT_FAULTS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeRange.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace mlir::attn {

/// The faults found in one operation. Each is a phrase without a full stop that
/// names the operand, what was expected and what was got.
class Faults {
public:
  explicit Faults(Operation *op) : op(op) {}

  /// Adds a fault made of the printed arguments.
  template <typename... Args>
  void add(const Args &...args) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (print(stream, args), ...);
    texts.push_back(std::move(text));
  }

  /// Adds a fault unless `condition` holds; returns the condition.
  template <typename... Args>
  bool require(bool condition, const Args &...args) {
    if (!condition)
      add(args...);
    return condition;
  }

  bool empty() const { return texts.empty(); }

  /// One error at the operation with every fault, or success without any.
  LogicalResult emit() const {
    if (texts.empty())
      return success();
    InFlightDiagnostic diag = op->emitOpError();
    if (texts.size() == 1)
      return diag << texts.front();
    diag << "has " << texts.size() << " faults: ";
    for (auto [n, text] : llvm::enumerate(texts))
      diag << (n ? "; " : "") << "(" << n + 1 << ") " << text;
    return diag;
  }

private:
  template <typename T>
  static void print(llvm::raw_ostream &os, const T &value) {
    if constexpr (std::is_convertible_v<const T &, TypeRange>)
      llvm::interleaveComma(TypeRange(value), os);
    else
      os << value;
  }

  Operation *op;
  llvm::SmallVector<std::string> texts;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_FAULTS_H
