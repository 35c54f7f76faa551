//===- CountsTest.cpp - Numbers that a kernel counts by -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distances of counts through loops, conditions and casts, and counts that two
// roles agree on.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Counts.h"
#include "KernelTest.h"
#include "attn/Dialect/AttnGPU/Analysis/RoleEquivalence.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
class CountsTest : public KernelTest {
protected:
  /// Parses a kernel of `body`, whose arguments are %n, %m, index, and %which,
  /// i1.
  void parseBody(StringRef body) {
    parse(
        (R"(attn_gpu.kernel @k(%n: index, %m: index, %which: i1) warpgroups 1 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
    )" + body +
         "attn_gpu.return }")
            .str());
  }
};

TEST_F(CountsTest, ConstantsAndCastsAreLookedThrough) {
  parseBody(R"(
    %i = arith.index_cast %n : index to i32
    %c3 = arith.constant 3 : i32
    %j = arith.addi %i, %c3 : i32
    %k = arith.index_castui %j : i32 to index
    %l = arith.subi %k, %c2 {mark = "l"} : index
    %twice = arith.muli %n, %c2 {mark = "m"} : index
  )");
  Counts counts;
  Value n = kernel.getArgument(0);
  EXPECT_EQ(counts.get(get("l")), (Count{n, 1}));
  EXPECT_EQ(counts.get(get("m")), (Count{get("m"), 0}));
}

/// A loop that carries a count, the count before it, and one that goes on by 2.
constexpr char kLoops[] = R"(
    %first = arith.addi %n, %c1 : index
    %r:3 = scf.for %i = %c0 to %n step %c1
        iter_args(%now = %first, %before = %n, %fast = %n) -> (index, index, index) {
      %a = arith.addi %now, %c0 {mark = "now"} : index
      %b = arith.addi %before, %c0 {mark = "before"} : index
      %c = arith.addi %fast, %c0 {mark = "fast"} : index
      %next = arith.addi %now, %c1 : index
      %faster = arith.addi %fast, %c2 : index
      scf.yield %next, %now, %faster : index, index, index
    } {mark = "loop"}
  )";

TEST_F(CountsTest, CarriedCountsThatMoveTogetherKeepTheirDistance) {
  parseBody(kLoops);
  Counts counts;
  EXPECT_EQ(counts.get(get("now")).minus(counts.get(get("before"))), 1);
  Operation *loop = getOp("loop");
  EXPECT_EQ(
      counts.get(loop->getResult(0)).minus(counts.get(loop->getResult(1))), 1);
}

TEST_F(CountsTest, CarriedCountsThatMoveApartHaveNoDistance) {
  parseBody(kLoops);
  Counts counts;
  EXPECT_FALSE(counts.get(get("before")).minus(counts.get(get("fast"))));
  Operation *loop = getOp("loop");
  EXPECT_FALSE(
      counts.get(loop->getResult(1)).minus(counts.get(loop->getResult(2))));
}

TEST_F(CountsTest, WhatAnInnerLoopMovesApartIsSeenInTheOuterOne) {
  parseBody(R"(
    %r:3 = scf.for %i = %c0 to %n step %c1
        iter_args(%a = %c0, %b = %c0, %c = %c0) -> (index, index, index) {
      %am = arith.addi %a, %c0 {mark = "a"} : index
      %bm = arith.addi %b, %c0 {mark = "b"} : index
      %cm = arith.addi %c, %c0 {mark = "c"} : index
      %s:2 = scf.for %j = %c0 to %n step %c1
          iter_args(%x = %a, %y = %b) -> (index, index) {
        %x1 = arith.addi %x, %c1 : index
        %y1 = arith.addi %y, %c1 : index
        scf.yield %x1, %y1 : index, index
      }
      %d = arith.addi %c, %c1 : index
      scf.yield %s#0, %s#1, %d : index, index, index
    }
  )");
  Counts counts;
  EXPECT_EQ(counts.get(get("a")).minus(counts.get(get("b"))), 0);
  EXPECT_FALSE(counts.get(get("a")).minus(counts.get(get("c"))));
}

TEST_F(CountsTest, ArmsThatAgreeGiveOneCount) {
  parseBody(R"(
    %next = arith.addi %n, %c1 : index
    %r:3 = scf.if %which -> (index, index, index) {
      %after = arith.addi %next, %c1 : index
      scf.yield %next, %next, %after : index, index, index
    } else {
      scf.yield %next, %n, %next : index, index, index
    } {mark = "if"}
  )");
  Counts counts;
  Operation *branch = getOp("if");
  EXPECT_EQ(counts.get(branch->getResult(0)),
            (Count{kernel.getArgument(0), 1}));
  EXPECT_EQ(counts.get(branch->getResult(1)).root, branch->getResult(1));
  EXPECT_EQ(counts.get(branch->getResult(2)), (Count{branch->getResult(1), 1}));
}

TEST_F(CountsTest, RolesAgreeOnSplitLoopsButNotOnOthers) {
  parseBody(R"(
    %whole = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      %x1 = arith.addi %x, %c1 : index
      scf.yield %x1 : index
    } {mark = "whole"}
    %first = scf.for %i = %c0 to %m step %c1 iter_args(%x = %c0) -> (index) {
      %x1 = arith.addi %x, %c1 : index
      scf.yield %x1 : index
    }
    %second = scf.for %i = %m to %n step %c1 iter_args(%x = %first) -> (index) {
      %x1 = arith.addi %x, %c1 : index
      scf.yield %x1 : index
    } {mark = "split"}
    %shorter = scf.for %i = %c0 to %m step %c1 iter_args(%x = %c0) -> (index) {
      %x1 = arith.addi %x, %c1 : index
      scf.yield %x1 : index
    } {mark = "shorter"}
    %faster = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      %x1 = arith.addi %x, %c2 : index
      scf.yield %x1 : index
    } {mark = "faster"}
  )");
  EXPECT_TRUE(isSameInBothRoles(get("whole"), get("split")));
  EXPECT_FALSE(isSameInBothRoles(get("whole"), get("shorter")));
  EXPECT_FALSE(isSameInBothRoles(get("whole"), get("faster")));
}
} // namespace
