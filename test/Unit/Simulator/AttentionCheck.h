//===- AttentionCheck.h - Programs that must agree on attention -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs of one shape, on which one program after the other is run.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_SIMULATOR_ATTENTIONCHECK_H
#define ATTN_TEST_UNIT_SIMULATOR_ATTENTIONCHECK_H

#include "Programs.h"
#include "gtest/gtest.h"
#include <cmath>

namespace mlir::attn::sim {

/// Random inputs, and what attention is of them.
class AttentionCheck {
public:
  AttentionCheck(const AttentionShape &shape, Mask mask, Element element,
                 std::mt19937 &random)
      : q(make(element, shape.batches, shape.queryHeads, shape.queries,
               shape.extent, random)),
        k(make(element, shape.batches, shape.keyHeads, shape.keys, shape.extent,
               random)),
        v(make(element, shape.batches, shape.keyHeads, shape.keys, shape.extent,
               random)),
        expected(computeAttention(shape, mask, element, q.getValues(),
                                  k.getValues(), v.getValues())) {}

  /// Calls the function of `program`. The first call must give attention, later
  /// ones the same bits; otherwise the test fails.
  void run(Program &program, const Options &options) {
    SmallVector<HostResult> results;
    std::vector<Fault> faults = simulate(
        program.getFunction(), {q.getTensor(), k.getTensor(), v.getTensor()},
        options, results);
    ASSERT_EQ(format(faults), "");
    ASSERT_EQ(results.size(), 2u);
    std::vector<double> out = getValues(results[0]);
    std::vector<double> lse = getValues(results[1]);
    if (!isFirst) {
      ASSERT_EQ(getBits(out), outBits);
      ASSERT_EQ(getBits(lse), lseBits);
      return;
    }
    expectNear(out, expected.out, [&](size_t i) { return expected.slack[i]; });
    expectNear(lse, expected.lse, [](size_t) { return 1e-4; });
    isFirst = false;
    outBits = getBits(out);
    lseBits = getBits(lse);
  }

private:
  static HostTensor make(Element element, int64_t batches, int64_t heads,
                         int64_t rows, int64_t extent, std::mt19937 &random) {
    return HostTensor(element, {batches, heads, rows, extent},
                      makeNormal(random, batches * heads * rows * extent));
  }

  /// All bits, so that NaN is equal to NaN.
  static std::vector<uint64_t> getBits(ArrayRef<double> values) {
    std::vector<uint64_t> bits;
    for (double value : values)
      bits.push_back(llvm::bit_cast<uint64_t>(value));
    return bits;
  }

  static void expectNear(ArrayRef<double> values, ArrayRef<double> expected,
                         llvm::function_ref<double(size_t)> slack) {
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::isinf(expected[i]))
        ASSERT_EQ(values[i], expected[i]) << "element " << i;
      else
        ASSERT_NEAR(values[i], expected[i], slack(i)) << "element " << i;
    }
  }

  HostTensor q, k, v;
  AttentionResult expected;
  bool isFirst = true;
  std::vector<uint64_t> outBits, lseBits;
};

} // namespace mlir::attn::sim

#endif // ATTN_TEST_UNIT_SIMULATOR_ATTENTIONCHECK_H
