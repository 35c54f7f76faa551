//===- DenseTest.cpp - The reference on dense operands --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases small enough to be computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceProgram.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir::attn;
using namespace mlir::attn::test;

TEST(ReferenceDense, CausalByHand) {
  auto program = ReferenceProgram::compile(R"(
    !t = tensor<1x1x2x2xf32>
    func.func @f(%q: !t, %k: !t, %v: !t) -> (!t, tensor<1x1x2xf32>) {
      %o, %l = attn.attention %q, %k, %v mask (#attn.causal) scale 1.0
        : !t, !t, !t -> !t, tensor<1x1x2xf32>
      return %o, %l : !t, tensor<1x1x2xf32>
    })",
                                           ReferencePrecision::F64);
  ASSERT_TRUE(program);
  Array q(Kind::F32, {1, 1, 2, 2}), k(Kind::F32, {1, 1, 2, 2}),
      v(Kind::F32, {1, 1, 2, 2}), out(Kind::F64, {1, 1, 2, 2}),
      lse(Kind::F64, {1, 1, 2});
  q.fill({1, 0, 1, 1});
  k.fill({1, 2, 3, 4});
  v.fill({1, 10, 2, 20});
  program->run({&q, &k, &v}, {}, {&out, &lse});
  // Row 0 sees key 0 only; row 1 has scores 3 and 7.
  double w = 1 / (1 + std::exp(4.0));
  EXPECT_DOUBLE_EQ(out.get({0, 0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(out.get({0, 0, 0, 1}), 10);
  EXPECT_DOUBLE_EQ(out.get({0, 0, 1, 0}), w * 1 + (1 - w) * 2);
  EXPECT_DOUBLE_EQ(out.get({0, 0, 1, 1}), w * 10 + (1 - w) * 20);
  EXPECT_DOUBLE_EQ(lse.get({0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(lse.get({0, 0, 1}), std::log(std::exp(3.0) + std::exp(7.0)));
}
