//===- UnseenKeysTest.cpp - Keys that no query sees -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What K and V hold before and behind the keys that queries see reaches no
// result: a NaN there reached the rows of partial tiles.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::sim;

namespace {
/// Queries of `p` see keys `r` of `mask`.
struct MaskCase {
  const char *name, *mask;
  bool topLeft;
  bool (*isSeen)(int64_t p, int64_t r);
};

std::ostream &operator<<(std::ostream &out, const MaskCase &mask) {
  return out << mask.name;
}

struct Lengths {
  int64_t queries, keys;
};

class UnseenKeysTest : public testing::TestWithParam<MaskCase> {};
} // namespace

static constexpr int64_t kExtent = 64;

static std::string getProgram(const MaskCase &mask, Lengths lengths,
                              bool isStatic) {
  auto type = [&](int64_t heads, int64_t length) -> std::string {
    if (!isStatic)
      return llvm::formatv("tensor<1x{0}x?x{1}xbf16>", heads, kExtent);
    return llvm::formatv("tensor<1x{0}x{1}x{2}xbf16>", heads, length, kExtent);
  };
  std::string rows =
      isStatic ? llvm::formatv("tensor<1x2x{0}xf32>", lengths.queries).str()
               : "tensor<1x2x?xf32>";
  return llvm::formatv(
      "func.func @f(%q: {0}, %k: {1}, %v: {1}) -> ({0}, {2}) {{\n"
      "  %out, %lse = attn.attention %q, %k, %v mask({3}) alignment {4}"
      " : {0}, {1}, {1} -> {0}, {2}\n"
      "  return %out, %lse : {0}, {2}\n}",
      type(2, lengths.queries), type(1, lengths.keys), rows, mask.mask,
      mask.topLeft ? "top_left" : "bottom_right");
}

/// All bits, so that NaN is equal to NaN.
static std::vector<uint64_t> getBits(ArrayRef<double> values) {
  std::vector<uint64_t> bits;
  for (double value : values)
    bits.push_back(llvm::bit_cast<uint64_t>(value));
  return bits;
}

static void run(Program &program, const MaskCase &mask, Lengths lengths) {
  int64_t queries = lengths.queries, keys = lengths.keys;
  int64_t shift = mask.topLeft ? 0 : keys - queries;
  auto isSeen = [&](int64_t row, int64_t key) {
    return mask.isSeen(row % queries + shift, key);
  };
  std::mt19937 random(1);
  SmallVector<int64_t> queryShape = {1, 2, queries, kExtent};
  SmallVector<int64_t> keyShape = {1, 1, keys, kExtent};
  HostTensor q(Element::BF16, queryShape,
               makeNormal(random, 2 * queries * kExtent));
  std::vector<double> k = makeNormal(random, keys * kExtent);
  std::vector<double> v = makeNormal(random, keys * kExtent);

  std::vector<uint64_t> outBits, lseBits;
  const double infinity = std::numeric_limits<double>::infinity();
  for (double unseen : {0.0, std::nan(""), infinity, -infinity}) {
    SCOPED_TRACE(testing::Message() << unseen << " at unseen keys");
    for (int64_t key = 0; key < keys; ++key) {
      bool any = false;
      for (int64_t row = 0; row < queries; ++row)
        any |= isSeen(row, key);
      if (any)
        continue;
      std::fill_n(k.begin() + key * kExtent, kExtent, unseen);
      std::fill_n(v.begin() + key * kExtent, kExtent, unseen);
    }
    HostTensor kTensor(Element::BF16, keyShape, k);
    HostTensor vTensor(Element::BF16, keyShape, v);
    Options options;
    options.seed = 1;
    SmallVector<HostResult> results;
    std::vector<Fault> faults =
        simulate(program.getFunction(),
                 {q.getTensor(), kTensor.getTensor(), vTensor.getTensor()},
                 options, results);
    ASSERT_EQ(format(faults), "");
    ASSERT_EQ(results.size(), 2u);
    std::vector<double> out = getValues(results[0]);
    std::vector<double> lse = getValues(results[1]);
    if (outBits.empty()) {
      outBits = getBits(out);
      lseBits = getBits(lse);
    }
    // With zeros there results are right, with anything else the same.
    ASSERT_EQ(getBits(out), outBits);
    ASSERT_EQ(getBits(lse), lseBits);
    if (unseen != 0)
      continue;
    std::vector<double> qs = q.getValues(), ks = kTensor.getValues(),
                        vs = vTensor.getValues();
    for (int64_t row = 0; row < 2 * queries; ++row) {
      double total = 0, most = -infinity;
      std::vector<double> weights(keys), sum(kExtent), size(kExtent);
      for (int64_t key = 0; key < keys; ++key) {
        double score = 0;
        for (int64_t d = 0; d < kExtent; ++d)
          score += qs[row * kExtent + d] * ks[key * kExtent + d];
        weights[key] = isSeen(row, key) ? score / 8 : -infinity;
        most = std::max(most, weights[key]);
      }
      for (int64_t key = 0; key < keys; ++key) {
        if (weights[key] == -infinity)
          continue;
        double weight = std::exp(weights[key] - most);
        total += weight;
        for (int64_t d = 0; d < kExtent; ++d) {
          sum[d] += weight * vs[key * kExtent + d];
          size[d] += weight * std::abs(vs[key * kExtent + d]);
        }
      }
      if (total == 0) {
        ASSERT_EQ(lse[row], -infinity) << "row " << row;
        for (int64_t d = 0; d < kExtent; ++d)
          ASSERT_EQ(out[row * kExtent + d], 0) << "row " << row;
        continue;
      }
      ASSERT_NEAR(lse[row], most + std::log(total), 1e-4) << "row " << row;
      for (int64_t d = 0; d < kExtent; ++d)
        ASSERT_NEAR(out[row * kExtent + d], sum[d] / total,
                    0x1p-7 * size[d] / total)
            << "row " << row;
    }
  }
}

/// Fewer, as many and more queries than keys; one of either.
static constexpr Lengths kLengths[] = {{70, 150}, {100, 100}, {150, 70},
                                       {1, 200},  {130, 1},   {20, 300}};

TEST_P(UnseenKeysTest, ReachNothingWithDynamicLengths) {
  Program program(getProgram(GetParam(), {}, /*isStatic=*/false),
                  "builtin.module(attn-to-attn-gpu{query-tile=128 "
                  "key-tile=64})");
  for (Lengths lengths : kLengths) {
    SCOPED_TRACE(testing::Message()
                 << lengths.queries << " queries, " << lengths.keys << " keys");
    run(program, GetParam(), lengths);
  }
}

TEST_P(UnseenKeysTest, ReachNothingWithStaticLengths) {
  for (Lengths lengths : kLengths) {
    SCOPED_TRACE(testing::Message()
                 << lengths.queries << " queries, " << lengths.keys << " keys");
    Program program(getProgram(GetParam(), lengths, /*isStatic=*/true),
                    "builtin.module(attn-to-attn-gpu{query-tile=128 "
                    "key-tile=64})");
    run(program, GetParam(), lengths);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Masks, UnseenKeysTest,
    testing::Values(
        MaskCase{"causal_top_left", "#attn.causal", true,
                 [](int64_t p, int64_t r) { return r <= p; }},
        MaskCase{"causal", "#attn.causal", false,
                 [](int64_t p, int64_t r) { return r <= p; }},
        MaskCase{
            "window", "#attn.window<left = 40, right = 7>", false,
            [](int64_t p, int64_t r) { return r >= p - 40 && r <= p + 7; }},
        MaskCase{
            "window_top_left", "#attn.window<left = 40, right = 7>", true,
            [](int64_t p, int64_t r) { return r >= p - 40 && r <= p + 7; }},
        MaskCase{"window_size", "#attn.window_size<33>", false,
                 [](int64_t p, int64_t r) { return r > p - 33 && r <= p; }},
        MaskCase{"right_top_left", "#attn.window<right = 7>", true,
                 [](int64_t p, int64_t r) { return r <= p + 7; }},
        MaskCase{"prefix", "#attn.prefix<20>", false,
                 [](int64_t, int64_t r) { return r < 20; }},
        MaskCase{"prefix_of_none", "#attn.prefix<0>", false,
                 [](int64_t, int64_t) { return false; }},
        MaskCase{
            "chunked", "#attn.chunked<48>", false,
            [](int64_t p, int64_t r) { return p >= 0 && p / 48 == r / 48; }},
        MaskCase{"chunked_top_left", "#attn.chunked<48>", true,
                 [](int64_t p, int64_t r) { return p / 48 == r / 48; }},
        MaskCase{
            "causal_chunked_top_left",
            "#attn.and<#attn.causal, #attn.chunked<48>>", true,
            [](int64_t p, int64_t r) { return r <= p && p / 48 == r / 48; }},
        MaskCase{"prefix_or_causal_top_left",
                 "#attn.or<#attn.prefix<90>, #attn.causal>", true,
                 [](int64_t p, int64_t r) { return r < 90 || r <= p; }},
        MaskCase{"prefix_and_window",
                 "#attn.and<#attn.prefix<150>, #attn.window<left = 40>>", false,
                 [](int64_t p, int64_t r) { return r < 150 && r >= p - 40; }},
        MaskCase{"window_or_window",
                 "#attn.or<#attn.window<left = 9, right = 2>, "
                 "#attn.window<left = 20, right = 0>>",
                 false,
                 [](int64_t p, int64_t r) {
                   return (r >= p - 9 && r <= p + 2) || (r >= p - 20 && r <= p);
                 }}),
    [](const testing::TestParamInfo<MaskCase> &info) {
      return info.param.name;
    });
