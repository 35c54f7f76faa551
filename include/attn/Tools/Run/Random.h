//===- Random.h - Numbers that depend on seed and name only -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream of numbers for each name, the same on every machine and with every
// C++ library, and independent of what other streams give.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_RANDOM_H
#define ATTN_TOOLS_RUN_RANDOM_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::attn::run {

class RandomStream {
public:
  RandomStream(uint64_t seed, llvm::StringRef name);

  uint64_t next();
  /// In [0, 1).
  double nextUnit();
  /// In [low, high], both included; `low <= high`.
  int64_t nextInteger(int64_t low, int64_t high);
  /// Of mean 0 and variance 1.
  double nextNormal();

private:
  uint64_t state;
  double spare = 0;
  bool hasSpare = false;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_RANDOM_H
