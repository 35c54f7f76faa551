//===- RowTest.cpp - Rows of the reference --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lengths, heads, sinks, packed segments, garbage, and the plain precision.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include <gtest/gtest.h>

using namespace mlir::attn;
using namespace mlir::attn::test;

static Problem causal() {
  Problem problem;
  problem.mask = "#attn.causal";
  problem.visible = [](At at) { return at.r <= at.p; };
  return problem;
}

TEST(ReferenceRow, EveryGroupSize) {
  for (auto [hq, hkv] : {std::pair<int64_t, int64_t>{3, 3}, {6, 2}, {7, 1}}) {
    Problem problem = causal();
    problem.headsQ = hq;
    problem.headsKv = hkv;
    problem.check();
  }
}

TEST(ReferenceRow, LengthsOfZeroAndOne) {
  for (auto [sq, skv] :
       {std::pair<int64_t, int64_t>{0, 5}, {3, 0}, {0, 0}, {1, 1}, {1, 9}}) {
    Problem problem = causal();
    problem.lengthQ = sq;
    problem.lengthKv = skv;
    problem.check();
  }
}

TEST(ReferenceRow, NoBatchAndNoHeads) {
  Problem problem = causal();
  problem.batch = 0;
  problem.check();
  problem.batch = 1;
  problem.headsQ = problem.headsKv = 0;
  problem.check();
}

TEST(ReferenceRow, ElementTypes) {
  for (Kind kind : {Kind::BF16, Kind::F16, Kind::F32}) {
    Problem problem = causal();
    problem.kind = kind;
    problem.check();
  }
}

TEST(ReferenceRow, ScaleAndLargeScores) {
  Problem problem = causal();
  problem.clauses += " scale 1.0e4";
  problem.scale = 1e4;
  problem.check();
}

TEST(ReferenceRow, Sinks) {
  for (auto [kind, text] : {std::pair<Kind, const char *>{Kind::F32, "f32"},
                            {Kind::BF16, "bf16"}}) {
    Array sinks(kind, {6});
    sinks.fill({0, 1.5, -3, kInf, -kInf, 0.25});
    Problem problem = causal();
    problem.lengthQ = 9; // The first two rows are empty.
    std::string type = std::string("tensor<?x") + text + ">";
    problem.arguments = ", %s: " + type;
    problem.arrays = {&sinks};
    problem.sinks = sinks.values();
    problem.clauses += " sinks(%s : " + type + ")";
    problem.check();
  }
}

TEST(ReferenceRow, Seqused) {
  Array usedQ(Kind::I32, {3}), usedKv(Kind::I32, {3}), sinks(Kind::F32, {6});
  usedQ.fill({0, 4, 3});
  usedKv.fill({5, 2, 0});
  sinks.fill({1, 2, 3, 4, 5, 6});
  Problem problem = causal();
  problem.batch = 3;
  problem.arguments = ", %s: tensor<?xf32>, %uq: tensor<?xi32>, %uk: "
                      "tensor<?xi32>";
  problem.arrays = {&sinks, &usedQ, &usedKv};
  problem.sinks = sinks.values();
  problem.usedQ = {0, 4, 3};
  problem.usedKv = {5, 2, 0};
  problem.clauses += " sinks(%s : tensor<?xf32>) "
                     "seqused_q(%uq : tensor<?xi32>) "
                     "seqused_kv(%uk : tensor<?xi32>)";
  problem.edit = [&](Array &, Array &k, Array &v) {
    for (Array *array : {&k, &v})
      Array::forEach(array->shape(), [&](llvm::ArrayRef<int64_t> at) {
        if (at[2] >= usedKv.get({at[0]}))
          array->set(at, at[3] % 2 ? kNaN : kInf);
      });
  };
  problem.check();
}

/// Nine queries and eight keys in segments that a test names twice: as entries
/// of `cuQ` and `cuKv`, which it fills, and as what these mean.
static Problem packed(Array &cuQ, Array &cuKv, std::vector<int64_t> segmentsQ,
                      std::vector<int64_t> segmentsKv) {
  Problem problem = causal();
  problem.lengthQ = 9;
  problem.lengthKv = 8;
  problem.segmentsQ = std::move(segmentsQ);
  problem.segmentsKv = std::move(segmentsKv);
  problem.arguments = ", %cq: tensor<?xi32>, %ck: tensor<?xi32>";
  problem.arrays = {&cuQ, &cuKv};
  problem.clauses += " cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>)";
  return problem;
}

/// Queries 0 and 8 are in no segment; segments 1 and 3 have no queries, 2 and 3
/// no keys.
static Problem packed(Array &cuQ, Array &cuKv) {
  cuQ.fill({1, 4, 4, 6, 6, 8});
  cuKv.fill({0, 2, 5, 5, 5, 8});
  return packed(cuQ, cuKv, {1, 4, 4, 6, 6, 8}, {0, 2, 5, 5, 5, 8});
}

TEST(ReferenceRow, Packed) {
  Array cuQ(Kind::I32, {6}), cuKv(Kind::I32, {6});
  packed(cuQ, cuKv).check();
}

/// Negative, too large and falling entries made the reference read outside of
/// its tensors: each counts as the entry before it, or as the end.
TEST(ReferenceRow, PackedByEntriesOutOfRange) {
  Array cuQ(Kind::I32, {7}), cuKv(Kind::I32, {7});
  cuQ.fill({-2147483648., 3, 1, -5, 6, 2147483647., 7});
  cuKv.fill({2, -1, 5, 4, 100, 0, 8});
  packed(cuQ, cuKv, {0, 3, 3, 3, 6, 9, 9}, {2, 2, 5, 5, 8, 8, 8}).check();
}

/// The rows that seqused leaves out of a segment that begins late, because the
/// one before overlaps it.
TEST(ReferenceRow, PackedByOverlappingEntriesWithSeqused) {
  Array cuQ(Kind::I32, {4}), cuKv(Kind::I32, {4}), used(Kind::I32, {3});
  cuQ.fill({0, 6, 2, 9});
  cuKv.fill({0, 6, 2, 8});
  Problem problem = packed(cuQ, cuKv, {0, 6, 6, 9}, {0, 6, 6, 8});
  used.fill({100, 1, 1});
  problem.usedQ = {6, 0, 1};
  problem.arguments += ", %uq: tensor<?xi32>";
  problem.arrays.push_back(&used);
  problem.clauses += " seqused_q(%uq : tensor<?xi32>)";
  problem.check();
}

TEST(ReferenceRow, PackedWithoutEntries) {
  Array cu(Kind::I32, {0});
  Problem problem = causal();
  problem.segmentsQ = problem.segmentsKv = {0};
  problem.arguments = ", %cq: tensor<?xi32>, %ck: tensor<?xi32>";
  problem.arrays = {&cu, &cu};
  problem.clauses += " cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>)";
  problem.check();
}

TEST(ReferenceRow, PackedWithoutSegments) {
  Array cu(Kind::I32, {1});
  cu.fill({0});
  Problem problem = causal();
  problem.segmentsQ = problem.segmentsKv = {0};
  problem.arguments = ", %cq: tensor<?xi32>, %ck: tensor<?xi32>";
  problem.arrays = {&cu, &cu};
  problem.clauses += " cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>)";
  problem.check();
}

TEST(ReferenceRow, PackedSequsedDocumentsSinks) {
  Array cuQ(Kind::I32, {6}), cuKv(Kind::I32, {6}), usedQ(Kind::I32, {5}),
      usedKv(Kind::I32, {5}), idsQ(Kind::I32, {1, 9}), idsKv(Kind::I32, {1, 8}),
      sinks(Kind::F32, {6});
  Problem problem = packed(cuQ, cuKv);
  usedQ.fill({2, 0, 1, 0, 2});
  usedKv.fill({1, 3, 0, 0, 2});
  problem.usedQ = {2, 0, 1, 0, 2};
  problem.usedKv = {1, 3, 0, 0, 2};
  idsQ.fill({0, 1, 1, 1, 2, 2, 3, 4, 4});
  idsKv.fill({1, 1, 1, 1, 1, 3, 4, 4});
  sinks.fill({1, 2, 3, 4, 5, 6});
  problem.sinks = sinks.values();
  problem.arguments = ", %s: tensor<?xf32>, %iq: tensor<1x?xi32>, %ik: "
                      "tensor<1x?xi32>" +
                      problem.arguments +
                      ", %uq: tensor<?xi32>, %uk: tensor<?xi32>";
  problem.arrays = {&sinks, &idsQ, &idsKv, &cuQ, &cuKv, &usedQ, &usedKv};
  problem.mask = "#attn.and<#attn.causal, #attn.documents>";
  problem.clauses =
      "sinks(%s : tensor<?xf32>) "
      "documents(%iq, %ik : tensor<1x?xi32>, tensor<1x?xi32>) "
      "cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>) "
      "seqused_q(%uq : tensor<?xi32>) seqused_kv(%uk : tensor<?xi32>)";
  problem.visible = [&](At at) {
    return at.r <= at.p && idsQ.get({0, at.i}) == idsKv.get({0, at.j});
  };
  problem.check();
}

TEST(ReferenceRow, GarbageBehindTheMaskStaysThere) {
  Problem problem = causal();
  // Key 6 is visible to the last query only, at position 6.
  problem.edit = [](Array &, Array &k, Array &v) {
    for (int64_t d = 0; d < 8; ++d)
      k.set({0, 0, 6, d}, kNaN);
    for (int64_t e = 0; e < 4; ++e)
      v.set({1, 1, 6, e}, kInf);
  };
  problem.check();
}

TEST(ReferenceRow, VisibleNaNPropagates) {
  Problem problem;
  problem.edit = [](Array &, Array &k, Array &v) {
    k.set({0, 1, 2, 3}, kNaN);
    v.set({1, 0, 5, 1}, kNaN);
  };
  problem.check();
}

TEST(ReferenceRow, NaNAtTheOnlyVisibleKeyPropagates) {
  Problem problem = causal();
  problem.lengthQ = problem.lengthKv = 4;
  problem.edit = [](Array &, Array &k, Array &) { k.set({0, 1, 0, 3}, kNaN); };
  problem.check();
}

TEST(ReferenceRow, ScoreOfMinusInfinityHidesAKey) {
  Problem problem;
  problem.clauses = R"(score_region {
    ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
      %inf = arith.constant 0xFF800000 : f32
      %c = arith.cmpi sge, %r, %h : index
      %t = arith.select %c, %inf, %s : f32
      attn.yield %t : f32
    })";
  problem.score = [](long double s, At at) -> long double {
    return at.r >= at.h ? -kInf : s; // Head 0 sees nothing.
  };
  problem.edit = [](Array &, Array &, Array &v) {
    Array::forEach(v.shape(), [&](llvm::ArrayRef<int64_t> at) {
      if (at[2] >= 5)
        v.set(at, kNaN);
    });
  };
  problem.check();
}

TEST(ReferenceRow, PlainIsNearInEveryType) {
  for (auto [kind, bits] : {std::pair<Kind, double>{Kind::F32, 20},
                            {Kind::F16, 9.0},
                            {Kind::BF16, 6.5}}) {
    Problem problem = causal();
    problem.kind = kind;
    problem.check(ReferencePrecision::Plain, bits);
  }
}

TEST(ReferenceRow, PlainKeepsTheRules) {
  Array cuQ(Kind::I32, {6}), cuKv(Kind::I32, {6});
  packed(cuQ, cuKv).check(ReferencePrecision::Plain, 20);
}
