//===- SignatureTest.cpp - What a function takes and gives ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles, united extents and rules of results, read from functions in text; and
// the values of extents from what a user says.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Signature.h"
#include "ParsedFunction.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::attn::run;

using Shape = SmallVector<int64_t>;

static constexpr StringRef kDense = R"(
  func.func @f(%q: tensor<?x8x?x64xbf16>, %k: tensor<?x?x?x64xbf16>,
               %v: tensor<?x?x?x32xbf16>, %sinks: tensor<?xf32>,
               %bias: tensor<?x?x?xf32>, %table: tensor<?xf32>)
      -> (tensor<?x8x?xf32>, tensor<?x8x?x32xbf16>) {
    %out, %lse = attn.attention %q, %k, %v
        score(%bias, %table : tensor<?x?x?xf32>, tensor<?xf32>)
        score_maps [affine_map<(b, h, i, j) -> (h, i, j)>,
                    affine_map<(b, h, i, j) -> ()>]
        score_region {
        ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32,
             %t: tensor<?xf32>):
          attn.yield %s : f32
        }
        sinks(%sinks : tensor<?xf32>)
        : tensor<?x8x?x64xbf16>, tensor<?x?x?x64xbf16>, tensor<?x?x?x32xbf16>
        -> tensor<?x8x?x32xbf16>, tensor<?x8x?xf32>
    return %lse, %out : tensor<?x8x?xf32>, tensor<?x8x?x32xbf16>
  })";

TEST(Signature, RolesNamesAndRules) {
  ParsedFunction parsed(kDense);
  const Signature &s = parsed.signature;
  EXPECT_EQ(s.function, "f");
  ASSERT_EQ(s.arguments.size(), 6u);
  const char *names[] = {"q", "k", "v", "sinks", "bias", "table"};
  Role roles[] = {Role::Query, Role::Key,     Role::Value,
                  Role::Sinks, Role::Capture, Role::Capture};
  for (unsigned n = 0; n < 6; ++n) {
    EXPECT_EQ(s.arguments[n].name, names[n]);
    EXPECT_EQ(s.arguments[n].role, roles[n]) << n;
  }
  EXPECT_EQ(s.arguments[0].type, ElementType::BF16);
  ASSERT_EQ(s.results.size(), 2u);
  EXPECT_EQ(s.results[0].name, "lse");
  EXPECT_EQ(s.results[0].rule, Rule::LogSumExp);
  EXPECT_EQ(s.results[1].name, "out");
  EXPECT_EQ(s.results[1].rule, Rule::Value);
  ASSERT_EQ(s.sites.size(), 1u);
  EXPECT_EQ(s.sites[0].get(Role::Value), 2u);
  EXPECT_EQ(s.sites[0].get(Role::Prefix), std::nullopt);
  EXPECT_FALSE(s.sites[0].packed);
}

TEST(Signature, ExtentsThatAttentionMakesEqual) {
  ParsedFunction parsed(kDense);
  const Signature &s = parsed.signature;
  llvm::Expected<std::vector<int64_t>> values =
      s.resolve({"q:2x?x5x64", "Skv=7", "Hkv=4", "table_dim0=3"});
  ASSERT_TRUE(static_cast<bool>(values)) << llvm::toString(values.takeError());
  auto shape = [&](unsigned n) {
    return getShape(s.arguments[n].extents, *values);
  };
  EXPECT_EQ(shape(0), (Shape{2, 8, 5, 64}));
  EXPECT_EQ(shape(1), (Shape{2, 4, 7, 64}));
  EXPECT_EQ(shape(2), (Shape{2, 4, 7, 32}));
  EXPECT_EQ(shape(3), (Shape{8}));
  EXPECT_EQ(shape(4), (Shape{8, 5, 7}));
  EXPECT_EQ(shape(5), (Shape{3}));
  EXPECT_EQ(getShape(s.results[0].extents, *values), (Shape{2, 8, 5}));
  EXPECT_EQ(getShape(s.results[1].extents, *values), (Shape{2, 8, 5, 32}));
}

TEST(Signature, Packed) {
  ParsedFunction parsed(R"(
    func.func @packed(%q: tensor<?x4x16xf32>, %k: tensor<?x2x16xf32>,
                      %v: tensor<?x2x16xf32>, %cu: tensor<?xi32>,
                      %cuk: tensor<?xi32>, %used: tensor<?xi32>)
        -> tensor<?x4x16xf32> {
      %out = attn.attention %q, %k, %v
          cu_seqlens(%cu, %cuk : tensor<?xi32>, tensor<?xi32>)
          seqused_kv(%used : tensor<?xi32>)
          : tensor<?x4x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>
          -> tensor<?x4x16xf32>
      return %out : tensor<?x4x16xf32>
    })");
  const Signature &s = parsed.signature;
  EXPECT_TRUE(s.sites[0].packed);
  llvm::Expected<std::vector<int64_t>> values =
      s.resolve({"B=3", "total_q=10", "total_kv=12"});
  ASSERT_TRUE(static_cast<bool>(values)) << llvm::toString(values.takeError());
  EXPECT_EQ(getShape(s.arguments[3].extents, *values), (Shape{4}));
  EXPECT_EQ(getShape(s.arguments[5].extents, *values), (Shape{3}));
  EXPECT_EQ(getShape(s.results[0].extents, *values), (Shape{10, 4, 16}));
}

static std::string getResolveError(const Signature &s,
                                   ArrayRef<std::string> specs) {
  llvm::Expected<std::vector<int64_t>> values = s.resolve(specs);
  return values ? "" : llvm::toString(values.takeError());
}

TEST(Signature, ShapeErrorsAllAtOnce) {
  ParsedFunction parsed(kDense);
  EXPECT_EQ(
      getResolveError(parsed.signature,
                      {"q:2x9x5x64", "Sq=6", "B=two", "x:1", "W=3", "Skv",
                       "k:1x2", "k:2xax?x?", "Skv=-1"}),
      "shape 'q:2x9x5x64' expected extent 8 as in the function's type, got 9\n"
      "shape 'Sq=6': extent 'Sq' expected 5 as in shape 'q:2x9x5x64', got 6\n"
      "shape 'B=two' expected a number after '='\n"
      "function 'f' has no argument 'x'; it has q, k, v, sinks, bias, table\n"
      "function 'f' has no open extent 'W'; it has B, Sq, Hkv, Skv, "
      "table_dim0\n"
      "shape 'Skv' expected NAME=EXTENT or ARGUMENT:1x2x3\n"
      "shape 'k:1x2' expected 4 extents, got 2\n"
      "shape 'k:2xax?x?' expected a number or '?', got 'a'\n"
      "shape 'Skv=-1': extent 'Skv' expected to be at least 0, got -1\n"
      "function 'f' leaves these extents open: Hkv, Skv, table_dim0; give "
      "each, as in --shape=Hkv=64");
}

TEST(Signature, FunctionsThatCannotBeRun) {
  ParsedFunction narrow("func.func @g(%x: bf16, %y: tensor<2xf32>) { return }");
  EXPECT_NE(narrow.error.find("or a scalar of type index, i32, i64, f32 or "
                              "f64, got bf16"),
            std::string::npos)
      << narrow.error;
  ParsedFunction complex("func.func @g(%x: tensor<2xi4>) { return }");
  EXPECT_NE(complex.error.find("argument 0 expected a ranked tensor of f16"),
            std::string::npos);
  ParsedFunction external("func.func private @g(tensor<2xf32>)");
  EXPECT_EQ(external.error, "'func.func' op expected a body");
}

TEST(Signature, ScalarsAreTensorsOfRank0) {
  ParsedFunction parsed(
      "func.func @g(%x: f32, %n: index, %y: tensor<2xf32>) { return }");
  EXPECT_EQ(parsed.error, "");
  ASSERT_EQ(parsed.signature.arguments.size(), 3u);
  EXPECT_EQ(parsed.signature.arguments[0].type, ElementType::F32);
  EXPECT_TRUE(parsed.signature.arguments[0].extents.empty());
  EXPECT_EQ(parsed.signature.arguments[1].type, ElementType::I64);
  EXPECT_TRUE(parsed.signature.arguments[1].extents.empty());
}

TEST(Signature, TwoAttentionsTwoResults) {
  ParsedFunction parsed(R"(
    func.func @two(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x?x8xf32>,
                   %l: tensor<1x1x?x8xf32>)
        -> (tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>) {
      %a = attn.attention %q, %k, %k : tensor<1x1x?x8xf32>,
          tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32> -> tensor<1x1x?x8xf32>
      %b = attn.attention %q, %l, %l : tensor<1x1x?x8xf32>,
          tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32> -> tensor<1x1x?x8xf32>
      return %a, %b : tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>
    })");
  const Signature &s = parsed.signature;
  EXPECT_EQ(s.results[0].name, "out");
  EXPECT_EQ(s.results[1].name, "out_1");
  llvm::Expected<std::vector<int64_t>> values =
      s.resolve({"Sq=2", "Skv=3", "Skv_1=4"});
  ASSERT_TRUE(static_cast<bool>(values)) << llvm::toString(values.takeError());
  EXPECT_EQ(getShape(s.arguments[2].extents, *values), (Shape{1, 1, 4, 8}));
  EXPECT_EQ(getShape(s.results[1].extents, *values), (Shape{1, 1, 2, 8}));
}
