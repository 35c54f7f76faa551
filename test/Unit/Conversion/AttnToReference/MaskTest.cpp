//===- MaskTest.cpp - The reference's masks -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each mask, with either alignment, at lengths that leave rows empty.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir::attn;
using namespace mlir::attn::test;

/// Sq <, =, > Skv; with Sq > Skv, positions of bottom_right begin negative.
static void checkLengths(Problem problem) {
  for (auto [sq, skv] : {std::pair<int64_t, int64_t>{3, 7}, {6, 6}, {9, 4}})
    for (bool topLeft : {false, true}) {
      SCOPED_TRACE(std::to_string(sq) + " queries, " + std::to_string(skv) +
                   " keys, top left " + std::to_string(topLeft));
      Problem sized = problem;
      sized.lengthQ = sq;
      sized.lengthKv = skv;
      sized.topLeft = topLeft;
      sized.check();
    }
}

TEST(ReferenceMask, None) { checkLengths({}); }

TEST(ReferenceMask, Causal) {
  Problem problem;
  problem.mask = "#attn.causal";
  problem.visible = [](At at) { return at.r <= at.p; };
  checkLengths(problem);
}

TEST(ReferenceMask, WindowBoundsAreInclusive) {
  Problem problem;
  problem.mask = "#attn.window<left = 2, right = 1>";
  problem.visible = [](At at) { return at.p - 2 <= at.r && at.r <= at.p + 1; };
  checkLengths(problem);
}

TEST(ReferenceMask, WindowLeftOnly) {
  Problem problem;
  problem.mask = "#attn.window<left = 1>";
  problem.visible = [](At at) { return at.r >= at.p - 1; };
  checkLengths(problem);
}

TEST(ReferenceMask, WindowRightOnly) {
  Problem problem;
  problem.mask = "#attn.window<right = 0>";
  problem.visible = [](At at) { return at.r <= at.p; };
  checkLengths(problem);
}

TEST(ReferenceMask, WindowLargestBound) {
  Problem problem;
  problem.mask = "#attn.window<left = 9223372036854775807, right = 0>";
  problem.visible = [](At at) { return at.r <= at.p; };
  checkLengths(problem);
}

TEST(ReferenceMask, WindowSize) {
  Problem problem;
  problem.mask = "#attn.window_size<2>";
  problem.visible = [](At at) { return at.r == at.p || at.r == at.p - 1; };
  checkLengths(problem);
}

TEST(ReferenceMask, PrefixNumberOrCausal) {
  Problem problem;
  problem.mask = "#attn.or<#attn.prefix<2>, #attn.causal>";
  problem.visible = [](At at) { return at.r < 2 || at.r <= at.p; };
  checkLengths(problem);
}

TEST(ReferenceMask, PrefixOperand) {
  Array prefix(Kind::I32, {2});
  prefix.fill({0, 3});
  Problem problem;
  problem.arguments = ", %n: tensor<?xi32>";
  problem.arrays = {&prefix};
  problem.mask = "#attn.prefix) prefix(%n : tensor<?xi32>";
  problem.visible = [](At at) { return at.r < (at.b == 0 ? 0 : 3); };
  problem.check();
}

TEST(ReferenceMask, ChunkedFloorsNegativePositions) {
  Problem problem;
  problem.mask = "#attn.chunked<3>";
  problem.visible = [](At at) {
    return std::floor(at.p / 3.0) == std::floor(at.r / 3.0);
  };
  checkLengths(problem);
}

TEST(ReferenceMask, DocumentsAndCausal) {
  Array idsQ(Kind::I32, {2, 5}), idsKv(Kind::I32, {2, 7});
  idsQ.fill({0, 0, 4, 4, 7, 2, 2, 2, 1, 1});
  idsKv.fill({0, 0, 1, 4, 4, 4, 0, 2, 9, 2, 1, 1, 2, 1});
  Problem problem;
  problem.arguments = ", %iq: tensor<?x?xi32>, %ik: tensor<?x?xi32>";
  problem.arrays = {&idsQ, &idsKv};
  problem.mask = "#attn.and<#attn.documents, #attn.causal>";
  problem.clauses = "documents(%iq, %ik : tensor<?x?xi32>, tensor<?x?xi32>)";
  problem.visible = [&](At at) {
    return at.r <= at.p && idsQ.get({at.b, at.i}) == idsKv.get({at.b, at.j});
  };
  problem.check();
}

TEST(ReferenceMask, RegionSeesPositionsAndHeads) {
  Problem problem;
  problem.mask = "#attn.or<#attn.region, #attn.window_size<1>>";
  problem.clauses = R"(visible_region {
    ^bb0(%b: index, %h: index, %p: index, %r: index):
      %d = arith.subi %p, %r : index
      %x = arith.addi %d, %h : index
      %y = arith.addi %x, %b : index
      %c = arith.constant 2 : index
      %m = arith.andi %y, %c : index
      %t = arith.cmpi eq, %m, %c : index
      attn.yield %t : i1
    })";
  problem.visible = [](At at) {
    return ((at.p - at.r + at.h + at.b) & 2) == 2 || at.p == at.r;
  };
  checkLengths(problem);
}

TEST(ReferenceMask, RegionReadsCaptures) {
  Array thresholds(Kind::F32, {6}), bits(Kind::I32, {3});
  thresholds.fill({0.5, -1, 1.5, 2.25, 3, 100});
  bits.fill({1, 0, 1});
  Problem problem;
  problem.arguments = ", %t: tensor<?xf32>, %bits: tensor<?xi32>";
  problem.arrays = {&thresholds, &bits};
  // The table has 3 entries; keys beyond read its last.
  problem.mask = "#attn.region";
  problem.clauses = R"(visible(%t, %bits : tensor<?xf32>, tensor<?xi32>)
    visible_maps [affine_map<(b, h, i, j) -> (h)>, affine_map<(b, h, i, j) -> ()>]
    visible_region {
    ^bb0(%b: index, %h: index, %p: index, %r: index, %limit: f32,
         %table: tensor<?xi32>):
      %d = arith.subi %p, %r : index
      %n = arith.index_cast %d : index to i32
      %x = arith.sitofp %n : i32 to f32
      %near = arith.cmpf olt, %x, %limit : f32
      %bit = tensor.extract %table[%r] : tensor<?xi32>
      %one = arith.constant 1 : i32
      %on = arith.cmpi eq, %bit, %one : i32
      %both = arith.andi %near, %on : i1
      attn.yield %both : i1
    })";
  problem.visible = [&](At at) {
    return at.p - at.r < thresholds.get({at.h}) &&
           bits.get({std::min<int64_t>(at.r, 2)}) == 1;
  };
  problem.check();
}
