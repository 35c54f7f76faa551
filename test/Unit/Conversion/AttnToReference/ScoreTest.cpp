//===- ScoreTest.cpp - The reference's score regions ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score regions in f64, and what happens to their types.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir::attn;
using namespace mlir::attn::test;

static Problem softcap() {
  Problem problem;
  problem.mask = "#attn.causal";
  problem.clauses = R"(score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
      %cap = arith.constant 0.7 : f32
      %x = arith.divf %s, %cap fastmath<fast> : f32
      %y = math.tanh %x : f32
      %z = arith.mulf %y, %cap : f32
      attn.yield %z : f32
    })";
  problem.visible = [](At at) { return at.r <= at.p; };
  long double cap = 0.7f; // The user's constant is an f32.
  problem.score = [=](long double s, At) { return cap * std::tanh(s / cap); };
  return problem;
}

TEST(ReferenceScore, Softcap) { softcap().check(); }

TEST(ReferenceScore, SoftcapPlain) {
  softcap().check(ReferencePrecision::Plain, 20);
}

TEST(ReferenceScore, AlibiSlopesAndStridedBias) {
  Array slopes(Kind::F32, {6}), bias(Kind::BF16, {1, 5, 6}, {200, 11, 1});
  slopes.fill({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  double n = 0;
  Array::forEach(bias.shape(), [&](llvm::ArrayRef<int64_t> at) {
    bias.set(at, std::sin(n += 1));
  });
  Problem problem;
  problem.arguments = ", %m: tensor<?xf32>, %bias: tensor<1x?x?xbf16>";
  problem.arrays = {&slopes, &bias};
  // The bias is [1, Sq, Hq], broadcast over batch and keys.
  problem.clauses = R"(score(%m, %bias : tensor<?xf32>, tensor<1x?x?xbf16>)
    score_maps [affine_map<(b, h, i, j) -> (h)>,
                affine_map<(b, h, i, j) -> (0, i, h)>]
    score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %slope: f32,
         %add: bf16):
      %d = arith.subi %p, %r : index
      %n = arith.index_cast %d : index to i32
      %x = arith.sitofp %n : i32 to f32
      %y = math.absf %x : f32
      %z = arith.mulf %y, %slope : f32
      %w = arith.subf %s, %z : f32
      %e = arith.extf %add : bf16 to f32
      %sum = arith.addf %w, %e : f32
      attn.yield %sum : f32
    })";
  problem.score = [&](long double s, At at) {
    return s - slopes.get({at.h}) * (long double)std::abs(at.p - at.r) +
           bias.get({0, at.i, at.h});
  };
  problem.check();
}

TEST(ReferenceScore, WholeCapturesAreClamped) {
  Array table(Kind::F32, {2, 3});
  table.fill({1, -2, 3, 0.5, -0.25, 4});
  Problem problem;
  problem.arguments = ", %t: tensor<?x?xf32>, %c: f32";
  problem.arrays = {&table};
  problem.scalars = {0.3f};
  problem.clauses = R"(score(%t, %c : tensor<?x?xf32>, f32)
    score_maps [affine_map<(b, h, i, j) -> ()>, affine_map<(b, h, i, j) -> ()>]
    score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index,
         %table: tensor<?x?xf32>, %factor: f32):
      %d = arith.subi %p, %r : index
      %x = tensor.extract %table[%b, %d] : tensor<?x?xf32>
      %y = arith.mulf %x, %factor : f32
      %z = arith.addf %s, %y : f32
      attn.yield %z : f32
    })";
  problem.score = [&](long double s, At at) {
    int64_t d = std::min<int64_t>(std::max<int64_t>(at.p - at.r, 0), 2);
    return s + (long double)table.get({at.b, d}) * 0.3f;
  };
  problem.check();
}

TEST(ReferenceScore, NarrowCastsStayRoundings) {
  Problem problem;
  problem.clauses = R"(score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
      %n = arith.truncf %s : f32 to bf16
      %w = arith.extf %n : bf16 to f32
      attn.yield %w : f32
    })";
  problem.score = [](long double s, At) {
    Array one(Kind::BF16, {});
    return (long double)one.set({}, (float)s);
  };
  problem.check();
}

TEST(ReferenceScore, NestedControlFlowAndBits) {
  Problem problem;
  problem.clauses = R"(score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %third = arith.constant 0.333333343 : f32
      %sum = scf.for %n = %c0 to %h step %c1 iter_args(%x = %s) -> (f32) {
        %y = arith.addf %x, %third : f32
        scf.yield %y : f32
      }
      %later = arith.cmpi sgt, %r, %p : index
      %z = scf.if %later -> (f32) {
        %bits = arith.bitcast %sum : f32 to i32
        %mask = arith.constant -65536 : i32
        %high = arith.andi %bits, %mask : i32
        %cut = arith.bitcast %high : i32 to f32
        scf.yield %cut : f32
      } else {
        scf.yield %sum : f32
      }
      attn.yield %z : f32
    })";
  problem.score = [](long double s, At at) {
    s += at.h * (long double)0.333333343f;
    if (at.r <= at.p)
      return s;
    float single = (float)s;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    bits &= 0xffff0000u;
    memcpy(&single, &bits, 4);
    return (long double)single;
  };
  problem.check();
}
