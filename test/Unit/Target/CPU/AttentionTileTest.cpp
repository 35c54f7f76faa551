//===- AttentionTileTest.cpp - a hand-written attention, end to end -------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form that the CPU code generator is made for, from tensors to machine
// code, against double precision.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {
struct Shape {
  int64_t batch, heads, kvHeads, queries, keys;
};
} // namespace

static constexpr int64_t kDim = 64;

/// Causal attention, bottom-right aligned, and its plain counterpart: f32
/// softmax, P rounded to the operand type if `round`.
static void reference(const Shape &shape, const std::vector<float> &q,
                      const std::vector<float> &k, const std::vector<float> &v,
                      bool round, std::vector<double> &exact,
                      std::vector<double> &plain, std::vector<double> &lse) {
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t h = 0; h < shape.heads; ++h) {
      int64_t hk = h / (shape.heads / shape.kvHeads);
      const float *kb = k.data() + (b * shape.kvHeads + hk) * shape.keys * kDim;
      const float *vb = v.data() + (b * shape.kvHeads + hk) * shape.keys * kDim;
      for (int64_t i = 0; i < shape.queries; ++i) {
        int64_t row = (b * shape.heads + h) * shape.queries + i;
        int64_t n = std::clamp<int64_t>(i + shape.keys - shape.queries + 1, 0,
                                        shape.keys);
        std::vector<double> s(n);
        std::vector<float> f(n);
        double maximum = -std::numeric_limits<double>::infinity();
        for (int64_t j = 0; j < n; ++j) {
          float dot = 0.0f;
          for (int64_t d = 0; d < kDim; ++d) {
            s[j] += double(q[row * kDim + d]) * kb[j * kDim + d];
            dot += q[row * kDim + d] * kb[j * kDim + d];
          }
          s[j] /= std::sqrt(double(kDim));
          f[j] = dot / std::sqrt(float(kDim));
          maximum = std::max(maximum, s[j]);
        }
        double sum = 0.0;
        float sumPlain = 0.0f;
        std::vector<double> out(kDim);
        std::vector<float> outPlain(kDim);
        for (int64_t j = 0; j < n; ++j) {
          double p = std::exp(s[j] - maximum);
          float pf = std::exp(f[j] - float(maximum));
          sum += p;
          sumPlain += pf;
          if (round)
            pf = fromBF16(toBF16(pf));
          for (int64_t e = 0; e < kDim; ++e) {
            out[e] += p * vb[j * kDim + e];
            outPlain[e] += pf * vb[j * kDim + e];
          }
        }
        for (int64_t e = 0; e < kDim; ++e) {
          exact.push_back(n ? out[e] / sum : 0.0);
          float value = n ? outPlain[e] / sumPlain : 0.0f;
          plain.push_back(round ? fromBF16(toBF16(value)) : value);
        }
        lse.push_back(n ? maximum + std::log(sum)
                        : -std::numeric_limits<double>::infinity());
      }
    }
}

class AttentionTile
    : public testing::TestWithParam<std::tuple<bool, int64_t, bool>> {};

TEST_P(AttentionTile, MatchesReference) {
  const bool isBF16 = std::get<0>(GetParam());
  const int64_t vectorBits = std::get<1>(GetParam());
  const bool parallel = std::get<2>(GetParam());
  std::string text =
      readInput(isBF16 ? "attention_bf16.mlir" : "attention_f32.mlir");
  auto program = compile(text, cpuPipeline(vectorBits, parallel));
  ASSERT_TRUE(program);

  const Shape shapes[] = {
      {1, 2, 2, 128, 128}, {2, 4, 2, 77, 203}, {1, 3, 1, 203, 77},
      {1, 1, 1, 1, 1},     {1, 2, 1, 65, 64},  {1, 1, 1, 1, 300},
      {1, 1, 1, 0, 5},     {1, 1, 1, 5, 0},    {0, 2, 1, 5, 5},
  };
  for (const Shape &shape : shapes) {
    SCOPED_TRACE(testing::Message()
                 << shape.batch << " " << shape.heads << " " << shape.kvHeads
                 << " " << shape.queries << " " << shape.keys);
    Random random{11};
    int64_t bytes = isBF16 ? 2 : 4;
    // Heads inside the sequence: strides differ from the row-major ones, and
    // there is room between rows that must not be touched or read.
    auto makeOperand = [&](int64_t heads, int64_t length,
                           std::vector<float> &values, Buffer &storage) {
      int64_t pitch = kDim + 3;
      values.resize(shape.batch * heads * length * kDim);
      for (int64_t b = 0; b < shape.batch; ++b)
        for (int64_t h = 0; h < heads; ++h)
          for (int64_t i = 0; i < length; ++i)
            for (int64_t d = 0; d < pitch; ++d) {
              int64_t at = ((b * length + i) * heads + h) * pitch + d;
              float value = std::numeric_limits<float>::quiet_NaN();
              if (d < kDim) {
                value = random.next(2.0f);
                if (isBF16)
                  value = fromBF16(toBF16(value));
                values[((b * heads + h) * length + i) * kDim + d] = value;
              }
              if (isBF16)
                storage.data<uint16_t>()[at] = toBF16(value);
              else
                storage.data<float>()[at] = value;
            }
      return Buffer(storage.data<char>(), {shape.batch, heads, length, kDim},
                    {length * heads * pitch, pitch, heads * pitch, 1});
    };
    std::vector<float> qv, kv, vv;
    int64_t pitch = kDim + 3;
    Buffer qs({shape.batch, shape.queries, shape.heads, pitch}, bytes);
    Buffer ks({shape.batch, shape.keys, shape.kvHeads, pitch}, bytes);
    Buffer vs({shape.batch, shape.keys, shape.kvHeads, pitch}, bytes);
    Buffer q = makeOperand(shape.heads, shape.queries, qv, qs);
    Buffer k = makeOperand(shape.kvHeads, shape.keys, kv, ks);
    Buffer v = makeOperand(shape.kvHeads, shape.keys, vv, vs);
    Buffer out({shape.batch, shape.heads, shape.queries, kDim}, bytes);
    Buffer lse({shape.batch, shape.heads, shape.queries}, 4);
    call(*program, "attention",
         {q.get(), k.get(), v.get(), out.get(), lse.get()});

    std::vector<double> exact, plain, exactLse;
    reference(shape, qv, kv, vv, isBF16, exact, plain, exactLse);
    double worst = 0.0, worstPlain = 0.0, largest = 0.0;
    for (size_t i = 0; i < exact.size(); ++i) {
      float got =
          isBF16 ? fromBF16(out.data<uint16_t>()[i]) : out.data<float>()[i];
      ASSERT_TRUE(std::isfinite(got)) << i;
      worst = std::max(worst, std::fabs(got - exact[i]));
      worstPlain = std::max(worstPlain, std::fabs(plain[i] - exact[i]));
      largest = std::max(largest, std::fabs(exact[i]));
    }
    double ulp = largest * (isBF16 ? 0x1p-8 : 0x1p-23);
    EXPECT_LE(worst, 2.0 * worstPlain + 2.0 * ulp);
    for (size_t i = 0; i < exactLse.size(); ++i) {
      float got = lse.data<float>()[i];
      if (std::isinf(exactLse[i]))
        EXPECT_EQ(got, exactLse[i]);
      else
        EXPECT_LE(std::fabs(got - exactLse[i]),
                  0x1p-16 * std::max(1.0, std::fabs(exactLse[i])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, AttentionTile,
                         testing::Combine(testing::Bool(),
                                          testing::Values(256, 512),
                                          testing::Bool()));
