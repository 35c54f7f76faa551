//===- UniformityTest.cpp - Scalars that threads agree on -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing through operations, loops, conditions and what these decide.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "KernelTest.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
using UniformityTest = KernelTest;

TEST_F(UniformityTest, SharingFollowsOperandsAndDecisions) {
  parse(R"(attn_gpu.kernel @k(%n: index, %v: f32) warpgroups 2 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = arith.addi %n, %c1 {mark = "all"} : index
    %w = attn_gpu.warpgroup_index
    %mine = arith.addi %n, %w {mark = "mine"} : index
    %x = vector.broadcast %v : f32 to vector<64x1xf32>
    %one = vector.extract %x[0, 0] : f32 from vector<64x1xf32>
    %int = arith.fptosi %one : f32 to i32
    %lane = arith.index_cast %int {mark = "lane"} : i32 to index
    %first = arith.cmpi eq, %w, %c0 : index
    %chosen = scf.if %first -> index {
      %in = arith.addi %n, %c1 {mark = "in"} : index
      scf.yield %in : index
    } else {
      scf.yield %n : index
    } {mark = "chosen"}
    %steps = scf.for %i = %c0 to %mine step %c1 iter_args(%s = %c0) -> (index) {
      %next = arith.addi %s, %c1 {mark = "next"} : index
      scf.yield %next : index
    } {mark = "steps"}
    %later = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
      %now = arith.addi %s, %c1 {mark = "now"} : index
      scf.yield %lane : index
    }
    attn_gpu.work_loop (%p) in (%n) {
      %q = arith.addi %p, %c1 {mark = "point"} : index
    }
    attn_gpu.return
  })");
  Uniformity uniformity(kernel);
  auto check = [&](StringRef mark, Sharing sharing) {
    EXPECT_EQ(uniformity.get(get(mark)), sharing) << mark.str();
  };
  check("all", Sharing::Cluster);
  check("mine", Sharing::Warpgroup);
  check("lane", Sharing::None);
  check("in", Sharing::Cluster);
  check("chosen", Sharing::Warpgroup);
  check("next", Sharing::Warpgroup);
  check("steps", Sharing::Warpgroup);
  check("now", Sharing::None);
  check("point", Sharing::Cluster);
  EXPECT_EQ(uniformity.getControl(getOp("in")), Sharing::Warpgroup);
  EXPECT_EQ(uniformity.getControl(getOp("point")), Sharing::Cluster);
}

TEST_F(UniformityTest, WhatDependsOnTheRankIsTheBlocks) {
  parse(R"(attn_gpu.kernel @k(%n: index) warpgroups 2 cluster 2 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rank = attn_gpu.cluster_rank
    %mine = arith.addi %n, %rank {mark = "mine"} : index
    %w = attn_gpu.warpgroup_index
    %both = arith.addi %mine, %w {mark = "both"} : index
    attn_gpu.work_loop (%p) in (%n) schedule strided {
      %all = arith.addi %p, %c1 {mark = "all"} : index
      scf.for %i = %c0 to %mine step %c1 {
        %in = arith.addi %n, %c1 {mark = "in"} : index
        %step = arith.addi %i, %c1 {mark = "step"} : index
      }
    }
    attn_gpu.work_loop (%p) in (%mine) schedule strided {
      %other = arith.addi %p, %c1 {mark = "other"} : index
    }
    attn_gpu.work_loop (%p, %q) in (%n, %n) group %mine schedule strided {
      %grouped = arith.addi %p, %c1 {mark = "grouped"} : index
    }
    attn_gpu.return
  })");
  Uniformity uniformity(kernel);
  auto check = [&](StringRef mark, Sharing value, Sharing control) {
    EXPECT_EQ(uniformity.get(get(mark)), value) << mark.str();
    EXPECT_EQ(uniformity.getControl(getOp(mark)), control) << mark.str();
  };
  check("mine", Sharing::Block, Sharing::Cluster);
  check("both", Sharing::Warpgroup, Sharing::Cluster);
  check("all", Sharing::Cluster, Sharing::Cluster);
  check("in", Sharing::Cluster, Sharing::Block);
  check("step", Sharing::Block, Sharing::Block);
  // Points by the rank: other ones in each block.
  check("other", Sharing::Block, Sharing::Block);
  check("grouped", Sharing::Block, Sharing::Block);
}

TEST_F(UniformityTest, WhatAWhileDecidesIsFollowed) {
  parse(R"(attn_gpu.kernel @k(%n: index) warpgroups 2 {
    %c1 = arith.constant 1 : index
    %w = attn_gpu.warpgroup_index
    %end = scf.while (%i = %w) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 {mark = "next"} : index
      scf.yield %next : index
    } attributes {mark = "while"}
    attn_gpu.return
  })");
  Uniformity uniformity(kernel);
  EXPECT_EQ(uniformity.get(get("while")), Sharing::Warpgroup);
  EXPECT_EQ(uniformity.get(get("next")), Sharing::Warpgroup);
  EXPECT_EQ(uniformity.getControl(getOp("next")), Sharing::Warpgroup);
}

// Dimensions of points come by operands, bounds of loops, conditions and what
// loops carry.
TEST_F(UniformityTest, PointDimensionsFollowOperandsAndDecisions) {
  parse(R"(attn_gpu.kernel @k(%n: index) warpgroups 2 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    attn_gpu.work_loop (%p, %q, %r) in (%n, %n, %n) {
      %none = arith.addi %n, %c1 {mark = "none"} : index
      %both = arith.addi %p, %r {mark = "both"} : index
      scf.for %i = %q to %n step %c1 {
        %step = arith.addi %i, %c1 {mark = "step"} : index
        %in = arith.addi %n, %c1 {mark = "in"} : index
      }
      %carried:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %q, %t = %c0) -> (index, index) {
        %other = arith.addi %t, %r : index
        scf.yield %s, %other : index, index
      } {mark = "carried"}
      %last = arith.addi %carried#1, %c1 {mark = "last"} : index
      %some = arith.cmpi sgt, %r, %c0 : index
      %chosen = scf.if %some -> index {
        scf.yield %p : index
      } else {
        scf.yield %n : index
      } {mark = "chosen"}
    }
    attn_gpu.work_loop (%p) in (%n) {
      %another = arith.addi %p, %c1 {mark = "another"} : index
    }
    attn_gpu.return
  })");
  Uniformity uniformity(kernel);
  auto loops = llvm::to_vector(kernel.getBody().getOps<WorkLoopOp>());
  auto print = [&](unsigned loop, StringRef mark) {
    llvm::BitVector dimensions =
        uniformity.getPointDimensions(loops[loop], get(mark));
    std::string text;
    for (unsigned dim : dimensions.set_bits())
      text += std::to_string(dim);
    return text;
  };
  EXPECT_EQ(print(0, "none"), "");
  EXPECT_EQ(print(0, "both"), "02");
  EXPECT_EQ(print(0, "step"), "1");
  EXPECT_EQ(print(0, "in"), "");
  EXPECT_EQ(print(0, "carried"), "1");
  EXPECT_EQ(print(0, "last"), "2");
  EXPECT_EQ(print(0, "chosen"), "02");
  EXPECT_EQ(print(0, "another"), "");
  EXPECT_EQ(print(1, "another"), "0");
  EXPECT_EQ(uniformity.get(get("both")), Sharing::Cluster);
}
} // namespace
