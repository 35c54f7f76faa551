//===- InputsTest.cpp - Inputs that mean something -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer inputs keep their promises for many seeds; streams do not disturb
// each other; unused rows are poison.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Inputs.h"
#include "ParsedFunction.h"
#include "attn/Tools/Run/Npy.h"
#include "attn/Tools/Run/Random.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

static constexpr StringRef kPacked = R"(
  func.func @packed(%q: tensor<?x4x16xf32>, %k: tensor<?x2x16xf32>,
                    %v: tensor<?x2x16xf32>, %cu_q: tensor<?xi32>,
                    %cu_k: tensor<?xi32>, %used_q: tensor<?xi32>,
                    %used_k: tensor<?xi32>, %ids_q: tensor<1x?xi32>,
                    %ids_k: tensor<1x?xi32>, %n: tensor<?xi32>)
      -> tensor<?x4x16xf32> {
    %out = attn.attention %q, %k, %v
        mask(#attn.or<#attn.documents, #attn.prefix>)
        documents(%ids_q, %ids_k : tensor<1x?xi32>, tensor<1x?xi32>)
        prefix(%n : tensor<?xi32>)
        cu_seqlens(%cu_q, %cu_k : tensor<?xi32>, tensor<?xi32>)
        seqused_q(%used_q : tensor<?xi32>) seqused_kv(%used_k : tensor<?xi32>)
        : tensor<?x4x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>
        -> tensor<?x4x16xf32>
    return %out : tensor<?x4x16xf32>
  })";

static constexpr StringRef kDense = R"(
  func.func @dense(%q: tensor<?x2x?x4xbf16>, %k: tensor<?x1x?x4xbf16>,
                   %v: tensor<?x1x?x4xbf16>, %ids_q: tensor<?x?xi32>,
                   %ids_k: tensor<?x?xi32>, %used: tensor<?xi32>)
      -> tensor<?x2x?x4xbf16> {
    %out = attn.attention %q, %k, %v mask(#attn.documents)
        documents(%ids_q, %ids_k : tensor<?x?xi32>, tensor<?x?xi32>)
        seqused_kv(%used : tensor<?xi32>)
        : tensor<?x2x?x4xbf16>, tensor<?x1x?x4xbf16>, tensor<?x1x?x4xbf16>
        -> tensor<?x2x?x4xbf16>
    return %out : tensor<?x2x?x4xbf16>
  })";

static std::vector<HostTensor> make(const Signature &signature,
                                    ArrayRef<std::string> shapes,
                                    const InputOptions &options) {
  llvm::Expected<std::vector<int64_t>> values = signature.resolve(shapes);
  if (!values)
    llvm::report_fatal_error(values.takeError());
  llvm::Expected<std::vector<HostTensor>> inputs =
      makeInputs(signature, *values, options);
  if (!inputs)
    llvm::report_fatal_error(inputs.takeError());
  return std::move(*inputs);
}

static std::string getError(const Signature &signature,
                            ArrayRef<std::string> shapes,
                            const InputOptions &options) {
  llvm::Expected<std::vector<int64_t>> values = signature.resolve(shapes);
  if (!values)
    llvm::report_fatal_error(values.takeError());
  llvm::Expected<std::vector<HostTensor>> inputs =
      makeInputs(signature, *values, options);
  return inputs ? "" : llvm::toString(inputs.takeError());
}

TEST(Random, StreamsAreFixed) {
  // The numbers are part of every recorded seed.
  RandomStream a(1, "q"), b(1, "q"), c(2, "q"), d(1, "k");
  uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
  EXPECT_NE(first, d.next());
  double sum = 0, squares = 0;
  for (int n = 0; n < 100000; ++n) {
    double value = a.nextNormal();
    sum += value;
    squares += value * value;
    int64_t integer = a.nextInteger(-2, 3);
    EXPECT_TRUE(integer >= -2 && integer <= 3);
  }
  EXPECT_NEAR(sum / 100000, 0, 0.02);
  EXPECT_NEAR(squares / 100000, 1, 0.02);
}

TEST(Inputs, SegmentsCoverTheRowsForManySeeds) {
  ParsedFunction parsed(kPacked);
  bool sawEmptySegment = false, sawShortened = false;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    InputOptions options;
    options.seed = seed;
    int64_t totalQ = seed % 3 == 0 ? 40 : 33, totalKv = 40, batches = 5;
    std::vector<HostTensor> in = make(
        parsed.signature,
        {"total_q=" + std::to_string(totalQ), "total_kv=40", "B=5"}, options);
    for (unsigned cu : {3, 4}) {
      EXPECT_EQ(in[cu].get({0}), 0);
      EXPECT_EQ(in[cu].get({batches}), cu == 3 ? totalQ : totalKv);
      for (int64_t b = 0; b < batches; ++b) {
        EXPECT_LE(in[cu].get({b}), in[cu].get({b + 1}));
        sawEmptySegment |= in[cu].get({b}) == in[cu].get({b + 1});
      }
    }
    if (totalQ == totalKv) {
      EXPECT_EQ(in[3].toVector(), in[4].toVector());
    }
    for (int64_t b = 0; b < batches; ++b) {
      double q = in[3].get({b + 1}) - in[3].get({b});
      double kv = in[4].get({b + 1}) - in[4].get({b});
      EXPECT_LE(in[5].get({b}), q);
      EXPECT_LE(in[6].get({b}), kv);
      EXPECT_LE(in[9].get({b}), kv);
      EXPECT_GE(in[5].get({b}), 0);
      sawShortened |= in[6].get({b}) < kv;
    }
    // A row of k is a number exactly if a segment uses it.
    std::optional<std::vector<Segment>> segments =
        getSegments(parsed.signature.sites[0], in);
    ASSERT_TRUE(segments);
    for (int64_t row = 0; row < totalKv; ++row) {
      bool used = false;
      for (const Segment &s : *segments)
        used |= row >= s.beginKv && row < s.endKv;
      EXPECT_EQ(std::isnan(in[1].get({row, 0, 0})), !used);
      EXPECT_EQ(std::isnan(in[2].get({row, 1, 15})), !used);
    }
  }
  EXPECT_TRUE(sawEmptySegment);
  EXPECT_TRUE(sawShortened);
}

TEST(Inputs, DocumentsAreSortedAndQueriesShareThem) {
  ParsedFunction parsed(kDense);
  bool sawSeveral = false;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    InputOptions options;
    options.seed = seed;
    std::vector<HostTensor> in =
        make(parsed.signature, {"B=2", "Sq=7", "Skv=20"}, options);
    for (int64_t b = 0; b < 2; ++b) {
      int64_t used = static_cast<int64_t>(in[5].get({b}));
      ASSERT_TRUE(used >= 0 && used <= 20);
      for (int64_t j = 0; j + 1 < used; ++j)
        EXPECT_LE(in[4].get({b, j}), in[4].get({b, j + 1}));
      // Bottom-right: query i is at key i + used - 7.
      for (int64_t i = 0; i < 7; ++i) {
        int64_t key = i + used - 7;
        if (key >= 0 && used > 0) {
          EXPECT_EQ(in[3].get({b, i}), in[4].get({b, key}));
        }
      }
      sawSeveral |= used > 1 && in[4].get({b, used - 1}) > 0;
      for (int64_t j = 0; j < 20; ++j) {
        EXPECT_EQ(std::isnan(in[1].get({b, 0, j, 3})), j >= used);
        EXPECT_EQ(std::isnan(in[2].get({b, 0, j, 0})), j >= used);
      }
    }
  }
  EXPECT_TRUE(sawSeveral);
}

TEST(Inputs, StreamsBelongToNamesNotToPlaces) {
  ParsedFunction dense(kDense);
  ParsedFunction other(R"(
    func.func @g(%x: tensor<3xf32>, %q: tensor<1x2x3x4xbf16>,
                 %flag: tensor<9xi1>) { return })");
  std::vector<HostTensor> a =
      make(dense.signature, {"B=1", "Sq=3", "Skv=3"}, {});
  std::vector<HostTensor> b = make(other.signature, {}, {});
  EXPECT_EQ(a[0].toVector(), b[1].toVector());
  for (double flag : b[2].toVector())
    EXPECT_TRUE(flag == 0 || flag == 1);
}

TEST(Inputs, AmplitudeLayoutsAndPlants) {
  ParsedFunction parsed(kDense);
  InputOptions options;
  options.amplitude = 1000;
  options.layouts["q"] = Layout::Swapped;
  options.layouts["k"] = Layout::BroadcastBatch;
  options.plants.push_back({"v", {1, 0, 2, 3}, 42});
  std::vector<HostTensor> in =
      make(parsed.signature, {"B=2", "Sq=6", "Skv=5"}, options);
  double largest = 0;
  for (double value : in[0].toVector())
    largest = std::max(largest, std::fabs(value));
  EXPECT_GT(largest, 1000);
  EXPECT_EQ(in[0].getLayout(), Layout::Swapped);
  // Shared rows hold numbers even where seqused leaves them out.
  for (double value : in[1].toVector())
    EXPECT_FALSE(std::isnan(value));
  EXPECT_EQ(in[2].get({1, 0, 2, 3}), 42);
}

TEST(Inputs, Files) {
  ParsedFunction parsed(
      "func.func @g(%x: tensor<2xf32>, %y: tensor<3xf32>) { return }");
  llvm::Expected<HostTensor> source = HostTensor::create(ElementType::F32, {2});
  ASSERT_TRUE(static_cast<bool>(source));
  source->set({0}, 1.5);
  source->set({1}, -2);
  SmallString<128> path;
  int file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("inputs", "npy", file, path));
  llvm::FileRemover remover(path);
  {
    llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
    writeNpy(os, *source);
  }
  InputOptions options;
  options.files["x"] = path.str().str();
  std::vector<HostTensor> in = make(parsed.signature, {}, options);
  EXPECT_EQ(in[0].toVector(), source->toVector());
  options.files["y"] = path.str().str();
  EXPECT_EQ(
      getError(parsed.signature, {}, options),
      ("argument 'y': " + path.str() + ": npy shape expected 3, got 2").str());
  options.files["y"] = "/nowhere.npy";
  EXPECT_EQ(getError(parsed.signature, {}, options),
            "argument 'y': /nowhere.npy: No such file or directory");
}

TEST(Inputs, Errors) {
  ParsedFunction parsed(
      "func.func @g(%x: tensor<2xf32>, %y: tensor<3xf32>) { return }");
  InputOptions layout;
  layout.layouts["x"] = Layout::Swapped;
  EXPECT_EQ(getError(parsed.signature, {}, layout),
            "argument 'x': layout 'bshd' expected rank 3 or more, got shape 2");
  InputOptions unknown;
  unknown.layouts["z"] = Layout::Dense;
  unknown.plants.push_back({"w", {}, 0});
  EXPECT_EQ(getError(parsed.signature, {}, unknown),
            "function 'g' has no argument 'z', 'w'; it has x, y");
  InputOptions outside;
  outside.plants.push_back({"x", {2}, 0});
  EXPECT_EQ(getError(parsed.signature, {}, outside),
            "planted element '2' of argument 'x' expected to lie in shape 2");
}

TEST(Inputs, PlantsFromText) {
  llvm::Expected<Plant> plant = Plant::parse("k:0x12=nan");
  ASSERT_TRUE(static_cast<bool>(plant));
  EXPECT_EQ(plant->argument, "k");
  EXPECT_EQ(plant->index, (SmallVector<int64_t>{0, 12}));
  EXPECT_TRUE(std::isnan(plant->value));
  for (StringRef text : {"k", "k:0", "k:0x=1", ":0=1", "k:0=x", "k:ax1=2"}) {
    llvm::Expected<Plant> bad = Plant::parse(text);
    EXPECT_FALSE(static_cast<bool>(bad)) << text.str();
    llvm::consumeError(bad.takeError());
  }
}
