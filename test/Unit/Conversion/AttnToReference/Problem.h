//===- Problem.h - Attention by brute force ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random attention problem with dynamic extents, evaluated by the reference
// and by a second, direct evaluation in long double whose mask and score are
// C++ functions that each test writes down by hand.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_PROBLEM_H
#define ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_PROBLEM_H

#include "ReferenceProgram.h"
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace mlir::attn::test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One query and one key, as a test's own mask and score see them.
struct At {
  int64_t b, h, p, r; ///< Batch or segment, query head, positions.
  int64_t i, j;       ///< Places where query and key are stored.
};

struct Problem {
  int64_t batch = 2, headsQ = 6, headsKv = 2, lengthQ = 5, lengthKv = 7;
  int64_t dim = 8, valueDim = 4;
  Kind kind = Kind::F32;
  double amplitude = 2;
  std::string mask;    ///< The mask attribute's text, or empty.
  std::string clauses; ///< What follows mask and alignment.
  /// Further arguments of the function: text, and what they hold. Buffers
  /// come before scalars.
  std::string arguments;
  std::vector<Array *> arrays;
  std::vector<float> scalars;

  std::function<bool(At)> visible = [](At) { return true; };
  std::function<long double(long double, At)> score = [](long double s, At) {
    return s;
  };
  double scale = 0; ///< 0: 1/sqrt(dim).
  bool topLeft = false;
  std::vector<double> sinks;                  ///< Per query head, or empty.
  std::vector<int64_t> usedQ, usedKv;         ///< Per batch, or empty.
  std::vector<int64_t> segmentsQ, segmentsKv; ///< cu_seqlens; makes it packed.
  /// Called on the inputs before the run, to poison or to change them.
  std::function<void(Array &q, Array &k, Array &v)> edit;

  /// Runs and compares every element of out and lse. `bits` is the precision
  /// that each must have, relative to the largest value in its row (at least 1
  /// for lse). A NaN or an infinity must be met exactly.
  void check(ReferencePrecision precision = ReferencePrecision::F64,
             double bits = 44);
};

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_PROBLEM_H
