//===- RegisterPressureTest.cpp - Registers that vectors need -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is counted, what lives through loops and while products run.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/RegisterPressure.h"
#include "KernelTest.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
using RegisterPressureTest = KernelTest;

TEST_F(RegisterPressureTest, AThreadHoldsItsShare) {
  auto get = [&](StringRef type) {
    return RegisterPressure::getRegisters(parseType(type, &context));
  };
  EXPECT_EQ(get("vector<64x128xf32>"), 64);
  EXPECT_EQ(get("vector<64x128xbf16>"), 32);
  EXPECT_EQ(get("vector<64x1xf32>"), 2);
  EXPECT_EQ(get("vector<64x4xf32>"), 2);
  EXPECT_EQ(get("vector<1x128xf32>"), 32);
  EXPECT_EQ(get("vector<64x128xi1>"), 0);
  EXPECT_EQ(get("vector<64x128xi32>"), 0);
  EXPECT_EQ(get("index"), 0);
}

TEST_F(RegisterPressureTest, BroadcastsAndConstantsAreMadeWhereTheyAreUsed) {
  parse(R"(attn_gpu.kernel @k(%v: f32, %o: memref<?x64xf32>) warpgroups 1 {
    %c0 = arith.constant 0 : index
    %two = arith.constant dense<2.0> : vector<64x64xf32>
    %x = vector.broadcast %v : f32 to vector<64x1xf32>
    %y = arith.negf %x : vector<64x1xf32>
    %z = vector.broadcast %y : vector<64x1xf32> to vector<64x64xf32>
    %s = arith.addf %z, %two {mark = "sum"} : vector<64x64xf32>
    attn_gpu.write %s to %o[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
    attn_gpu.return
  })");
  RegisterPressure pressure(kernel.getBody());
  EXPECT_EQ(pressure.getMost(), 32);
  EXPECT_EQ(pressure.getPlace()->getName().getStringRef(), "attn_gpu.write");
}

TEST_F(RegisterPressureTest, WhatALoopUsesLivesThroughAllItsSteps) {
  parse(
      R"(attn_gpu.kernel @k(%n: index, %t: memref<?x64xbf16>, %o: memref<?x64xf32>) warpgroups 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %tile = attn_gpu.read %t[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
    %h = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
    %f = arith.extf %h : vector<64x64xbf16> to vector<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %a = arith.addf %acc, %f : vector<64x64xf32>
      %b = arith.mulf %a, %a : vector<64x64xf32>
      scf.yield %b : vector<64x64xf32>
    }
    attn_gpu.write %r to %o[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
    attn_gpu.return
  })");
  // %f and what is carried.
  EXPECT_EQ(RegisterPressure(kernel.getBody()).getMost(), 64);
}

TEST_F(RegisterPressureTest, OperandsOfAProductLiveUntilItsWait) {
  constexpr char kText[] =
      R"(attn_gpu.kernel @k(%t: memref<?x64xbf16>, %o: memref<?x64xf32>) warpgroups 1 {
    %c0 = arith.constant 0 : index
    %tile = attn_gpu.read %t[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
    %h = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
    %p = attn_gpu.mma %h, %tile : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
    %s = attn_gpu.mma_wait %p : vector<64x64xf32>
    attn_gpu.write %s to %o[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
    attn_gpu.return
  })";
  parse(kText);
  RegisterPressure pressure(kernel.getBody());
  EXPECT_EQ(pressure.getMost(), 32 + 16);
  EXPECT_EQ(pressure.getValues().size(), 2u);
}
} // namespace
