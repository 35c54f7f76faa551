//===- ShapeFacts.h - What operations say about extents ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about extents that an operation needs to hold when it runs, collected
// over a function so that they can be checked once, where the function is
// entered.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_INTERFACES_SHAPEFACTS_H
#define ATTN_INTERFACES_SHAPEFACTS_H

#include "mlir/IR/OpDefinition.h"
#include <string>

namespace mlir::attn {

/// Extent `dim` of the ranked tensor `value`.
struct ExtentRef {
  Value value;
  int64_t dim;
};

/// Facts about extents, and names that make good error texts.
struct ShapeFacts {
  /// lhs == rhs + offset.
  struct Equality {
    ExtentRef lhs, rhs;
    int64_t offset;
  };
  /// lhs is a multiple of rhs; only 0 is a multiple of 0.
  struct Multiple {
    ExtentRef lhs, rhs;
  };
  struct ExtentName {
    ExtentRef extent;
    std::string name;
  };
  struct ValueName {
    Value value;
    std::string name;
  };

  llvm::SmallVector<Equality> equalities;
  llvm::SmallVector<Multiple> multiples;
  llvm::SmallVector<ExtentName> extentNames;
  llvm::SmallVector<ValueName> valueNames;

  void equal(ExtentRef lhs, ExtentRef rhs, int64_t offset = 0) {
    equalities.push_back({lhs, rhs, offset});
  }
  void multiple(ExtentRef lhs, ExtentRef rhs) {
    multiples.push_back({lhs, rhs});
  }
  /// Suggests a name for an extent. The first suggestion counts.
  void name(ExtentRef extent, llvm::StringRef name) {
    extentNames.push_back({extent, name.str()});
  }
  /// Suggests a name for a value. The first suggestion counts.
  void name(Value value, llvm::StringRef name) {
    valueNames.push_back({value, name.str()});
  }
};

} // namespace mlir::attn

#include "attn/Interfaces/ShapeFactsInterface.h.inc"

#endif // ATTN_INTERFACES_SHAPEFACTS_H
