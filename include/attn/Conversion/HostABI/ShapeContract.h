//===- ShapeContract.h - Classes of equal extents ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which extents of a function's tensors are equal, which are constant, and what
// they are called. Knows nothing of IR.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_SHAPECONTRACT_H
#define ATTN_CONVERSION_HOSTABI_SHAPECONTRACT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::attn {

/// Classes of equal extents, by union and find. Extents are numbered in the
/// order in which they are added.
class ShapeContract {
public:
  using Extent = unsigned;

  /// Adds an extent; without a size it is known at run time only.
  Extent add(std::optional<int64_t> size = std::nullopt);

  /// States that two extents are equal. False, and nothing is changed, when
  /// they are different constants.
  bool merge(Extent a, Extent b);

  bool areEqual(Extent a, Extent b) const { return find(a) == find(b); }

  /// The size of an extent, if any extent equal to it is constant.
  std::optional<int64_t> getConstant(Extent extent) const {
    return extents[find(extent)].size;
  }

  /// Suggests what to call an extent and those equal to it. The first
  /// suggestion for a class counts; classes merged later keep the name of the
  /// extent that was added first.
  void suggestName(Extent extent, llvm::StringRef name);

  /// The symbol of a class that is not constant: a number, in the order of the
  /// first question. Ask after all calls to merge().
  unsigned getSymbol(Extent extent, llvm::StringRef defaultName);

  /// Names of the symbols asked for so far, all different.
  llvm::ArrayRef<std::string> getSymbolNames() const { return symbolNames; }

private:
  struct Entry {
    Extent parent;
    std::optional<int64_t> size; // of a root
    std::string name;            // of a root
  };

  Extent find(Extent extent) const;

  // Paths are halved while looking up, which changes no answer.
  mutable llvm::SmallVector<Entry> extents;
  llvm::DenseMap<Extent, unsigned> symbols; // by root
  llvm::SmallVector<std::string> symbolNames;
  llvm::StringMap<unsigned> usedNames;
};

} // namespace mlir::attn

#endif // ATTN_CONVERSION_HOSTABI_SHAPECONTRACT_H
