//===- ProductsTest.cpp - Products after each pass ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One product and two in a chain are exact on small integers after each pass.
//
//===----------------------------------------------------------------------===//

#include "ProductKernels.h"
#include "Programs.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::attn::sim;

using Values = std::vector<double>;

/// Row-major a[m, k] b[k, n].
static Values multiply(const Values &a, const Values &b, int64_t m, int64_t k,
                       int64_t n) {
  Values c(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

static std::string getPipeline(Stage stage) {
  return "builtin.module(attn_gpu.kernel(" + getKernelPasses(stage) + "))";
}

static void expectExact(StringRef text, ArrayRef<Argument> arguments,
                        HostTensor &out, int64_t blocks,
                        const Values &expected) {
  for (Stage stage : kStages) {
    Program program(text, getPipeline(stage));
    for (uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << "stage " << int(stage) << ", seed " << seed);
      out.poison();
      Options options;
      options.seed = seed;
      options.blocks = blocks;
      options.blocksAtOnce = 1 + seed % 3;
      ASSERT_EQ(format(simulate(program.getKernel(), arguments, options)), "");
      ASSERT_EQ(out.getValues(), expected);
    }
  }
}

TEST(Products, OneIsExactAfterEachPass) {
  std::mt19937 random(1);
  for (auto [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>(128, 64, 128),
                         {200, 300, 150},
                         {70, 8, 260},
                         {1, 1, 1}}) {
    HostTensor a(Element::BF16, {m, k}, makeIntegers(random, m * k, 4));
    HostTensor b(Element::BF16, {k, n}, makeIntegers(random, k * n, 4));
    HostTensor c(Element::F32, {m, n});
    // A block more than there is work.
    int64_t blocks = ((m + 127) / 128) * ((n + 127) / 128) + 1;
    expectExact(kProduct, {a.getTensor(), b.getTensor(), c.getTensor()}, c,
                blocks, multiply(a.getValues(), b.getValues(), m, k, n));
  }
}

TEST(Products, TwoInAChainAreExactAfterEachPass) {
  std::mt19937 random(2);
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>(128, 64), {200, 300}, {33, 64}, {128, 1}}) {
    HostTensor a(Element::BF16, {m, 64}, makeIntegers(random, m * 64, 1));
    // The first product transposes B.
    Values bT = makeIntegers(random, 64 * n, 1), b(n * 64);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < 64; ++j)
        b[i * 64 + j] = bT[j * n + i];
    HostTensor bTensor(Element::BF16, {n, 64}, b);
    HostTensor c(Element::BF16, {n, 64}, makeIntegers(random, n * 64, 4));
    HostTensor d(Element::F32, {m, 64});
    Values expected = multiply(multiply(a.getValues(), bT, m, 64, n),
                               c.getValues(), m, n, 64);
    expectExact(
        kChain,
        {a.getTensor(), bTensor.getTensor(), c.getTensor(), d.getTensor()}, d,
        (m + 127) / 128, expected);
  }
}
