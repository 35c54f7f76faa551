//===- Random.cpp - Numbers that depend on seed and name only ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitMix64 (Steele, Lea, Flood 2014), FNV-1a for the name, the polar method
// for normal numbers.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Random.h"
#include <cmath>

using namespace mlir::attn::run;

/// SplitMix64's finalizer: a bijection in which every input bit reaches every
/// output bit.
static uint64_t mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

RandomStream::RandomStream(uint64_t seed, llvm::StringRef name) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char byte : name.bytes())
    hash = (hash ^ byte) * 0x100000001b3ull;
  state = mix(mix(seed) ^ hash);
}

uint64_t RandomStream::next() { return mix(state += 0x9e3779b97f4a7c15ull); }

double RandomStream::nextUnit() {
  return std::ldexp(static_cast<double>(next() >> 11), -53);
}

int64_t RandomStream::nextInteger(int64_t low, int64_t high) {
  uint64_t count = static_cast<uint64_t>(high - low) + 1;
  // 0: all 2^64 values. The bias of the remainder is below count / 2^64.
  return low + static_cast<int64_t>(count ? next() % count : next());
}

double RandomStream::nextNormal() {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  double x, y, square;
  do {
    x = 2 * nextUnit() - 1;
    y = 2 * nextUnit() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  double factor = std::sqrt(-2 * std::log(square) / square);
  spare = y * factor;
  hasSpare = true;
  return x * factor;
}
