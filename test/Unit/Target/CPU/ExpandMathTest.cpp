//===- ExpandMathTest.cpp - accuracy of expanded functions ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the expanded functions, scalar and vector, against double precision.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace mlir::attn;
using namespace mlir::attn::test;

static constexpr int64_t kBlock = 1 << 16;

static std::string elementwise(llvm::StringRef op, int64_t size) {
  std::string n = std::to_string(size);
  std::string type = "memref<" + n + "xf32>";
  return "func.func @f(%a: " + type + ", %o: " + type +
         R"() attributes {llvm.emit_c_interface} {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                     affine_map<(d0) -> (d0)>],
                    iterator_types = ["parallel"]}
      ins(%a : )" +
         type + ") outs(%o : " + type + R"() {
    ^bb0(%x: f32, %y: f32):
      %r = )" +
         op.str() + R"( %x : f32
      linalg.yield %r : f32
    }
    return
  })";
}

/// The distance of `got` from `exact` in units of the last place of the f32
/// nearest to `exact`.
static double ulps(float got, double exact) {
  auto nearest = float(exact);
  double unit = std::nextafter(std::fabs(nearest),
                               std::numeric_limits<float>::infinity()) -
                std::fabs(nearest);
  return std::fabs(double(got) - exact) / unit;
}

/// Vector and scalar code must agree to the bit: the same expansion.
class Exp2 : public testing::TestWithParam<int64_t> {};

TEST_P(Exp2, TwoUlpEverywhere) {
  auto program =
      compile(elementwise("math.exp2", kBlock), cpuPipeline(GetParam()));
  ASSERT_TRUE(program);
  Buffer in({kBlock}, 4), out({kBlock}, 4);
  double worst = 0.0;
  // Every 61st f32 of magnitude up to 150, both signs.
  uint32_t bits = 0, last = 0;
  float limit = 150.0f;
  memcpy(&last, &limit, 4);
  bool negative = false, done = false;
  while (!done) {
    for (int64_t i = 0; i < kBlock; ++i) {
      uint32_t pattern = bits | (negative ? 0x80000000u : 0u);
      memcpy(in.data<float>() + i, &pattern, 4);
      bits += 61;
      if (bits > last) {
        done = done || negative;
        negative = true;
        bits = 0;
      }
    }
    call(*program, "f", {in.get(), out.get()});
    for (int64_t i = 0; i < kBlock; ++i) {
      float x = in.data<float>()[i], got = out.data<float>()[i];
      if (x < -126.0f)
        ASSERT_EQ(got, 0.0f) << x;
      else if (x >= 128.0f)
        ASSERT_EQ(got, std::numeric_limits<float>::infinity()) << x;
      else
        worst = std::max(worst, ulps(got, std::exp2(double(x))));
    }
  }
  EXPECT_LE(worst, 2.0);
  EXPECT_GT(worst, 0.0);
}

TEST_P(Exp2, SpecialValues) {
  auto program =
      compile(elementwise("math.exp2", 1024), cpuPipeline(GetParam()));
  ASSERT_TRUE(program);
  Buffer in({1024}, 4), out({1024}, 4);
  float infinity = std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < 1024; ++i)
    in.data<float>()[i] = float(i - 512);
  in.data<float>()[0] = infinity;
  in.data<float>()[1] = -infinity;
  in.data<float>()[2] = std::numeric_limits<float>::quiet_NaN();
  uint32_t payload = 0x7fc001ff; // low bits that would reach the exponent
  memcpy(in.data<float>() + 3, &payload, 4);
  in.data<float>()[4] = 3e38f;
  in.data<float>()[5] = -3e38f;
  call(*program, "f", {in.get(), out.get()});
  const float *got = out.data<float>();
  EXPECT_EQ(got[0], infinity);
  EXPECT_EQ(got[1], 0.0f);
  EXPECT_TRUE(std::isnan(got[2]));
  EXPECT_TRUE(std::isnan(got[3]));
  EXPECT_EQ(got[4], infinity);
  EXPECT_EQ(got[5], 0.0f);
  for (int64_t i = 512 - 126; i < 512 + 128; ++i)
    EXPECT_EQ(got[i], std::ldexp(1.0f, int(i - 512)));
}

// 128 bits with an odd size would be scalar; here the lanes differ.
INSTANTIATE_TEST_SUITE_P(VectorBits, Exp2, testing::Values(128, 256, 512));

TEST(Exp2Scalar, AgreesWithVector) {
  std::string odd = elementwise("math.exp2", 1023);
  auto scalar = compile(odd, cpuPipeline(256));
  auto vector = compile(elementwise("math.exp2", 1024), cpuPipeline(256));
  ASSERT_TRUE(scalar && vector);
  Buffer in({1024}, 4), a({1023}, 4), b({1024}, 4);
  Random random{1};
  for (int64_t i = 0; i < 1024; ++i)
    in.data<float>()[i] = random.next(140.0f);
  Buffer head(in.bytes.data(), {1023}, {1});
  call(*scalar, "f", {head.get(), a.get()});
  call(*vector, "f", {in.get(), b.get()});
  for (int64_t i = 0; i < 1023; ++i)
    ASSERT_EQ(a.data<float>()[i], b.data<float>()[i]) << in.data<float>()[i];
}

namespace {
struct Function {
  const char *op;
  double (*exact)(double);
  float low, high;
  double bound;
};
} // namespace

/// What score functions and the log-sum-exp use.
TEST(ExpandMath, OtherFunctions) {
  const Function functions[] = {
      {"math.exp", std::exp, -80.0f, 80.0f, 4.0},
      {"math.log2", std::log2, 1e-30f, 1e30f, 4.0},
      {"math.log", std::log, 1e-30f, 1e30f, 4.0},
      {"math.tanh", std::tanh, -12.0f, 12.0f, 8.0},
  };
  for (const Function &function : functions) {
    auto program = compile(elementwise(function.op, kBlock), cpuPipeline(256));
    ASSERT_TRUE(program) << function.op;
    Buffer in({kBlock}, 4), out({kBlock}, 4);
    Random random{7};
    bool logarithmic = function.low > 0.0f;
    for (int64_t i = 0; i < kBlock; ++i) {
      float t = random.next(0.5f) + 0.5f;
      in.data<float>()[i] =
          logarithmic ? float(function.low *
                              std::pow(double(function.high) / function.low, t))
                      : function.low + (function.high - function.low) * t;
    }
    in.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    call(*program, "f", {in.get(), out.get()});
    EXPECT_TRUE(std::isnan(out.data<float>()[0])) << function.op;
    double worst = 0.0;
    for (int64_t i = 1; i < kBlock; ++i)
      worst = std::max(worst, ulps(out.data<float>()[i],
                                   function.exact(in.data<float>()[i])));
    EXPECT_LE(worst, function.bound) << function.op;
    EXPECT_GT(worst, 0.0) << function.op;
  }
}
