//===- CaseTest.cpp - One run of one function ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases against programs that are right, wrong, or write where they must not.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Case.h"
#include "ParsedFunction.h"
#include "attn/Tools/Run/Npy.h"
#include "attn/Tools/Run/Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::attn::run;
using nlohmann::json;

static constexpr StringRef kFunction = R"(
  func.func @f(%q: tensor<1x2x?x4xf32>, %k: tensor<1x2x?x4xf32>,
               %v: tensor<1x2x?x4xf32>)
      -> (tensor<1x2x?x4xf32>, tensor<1x2x?xf32>) {
    %out, %lse = attn.attention %q, %k, %v : tensor<1x2x?x4xf32>,
        tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>
        -> tensor<1x2x?x4xf32>, tensor<1x2x?xf32>
    return %out, %lse : tensor<1x2x?x4xf32>, tensor<1x2x?xf32>
  })";

using Tensors = ArrayRef<HostTensor>;
using Body = std::function<void(Tensors, Tensors)>;

namespace {
struct FakeProgram : Program {
  explicit FakeProgram(Body body) : body(std::move(body)) {}
  llvm::Error call(Tensors arguments, Tensors results) override {
    if (!body)
      return llvm::createStringError("argument 'q': refused\nand more");
    body(arguments, results);
    return llvm::Error::success();
  }
  Body body;
};

/// Every kind gives 0.5 for each value and 3 for each lse, until told
/// otherwise.
struct FakePrograms : ProgramProvider {
  FakePrograms()
      : compiled(fill), reference(fill), plain(fill), keys(count),
        tiles(countTiles), sizes(measureScores) {}

  static void fill(Tensors, Tensors results) {
    for (auto [n, tensor] : llvm::enumerate(results))
      tensor.forEach([&, n = n, &t = tensor](ArrayRef<int64_t>, std::byte *a) {
        store(t.getType(), a, n == 0 ? 0.5 : 3);
      });
  }

  static void count(Tensors arguments, Tensors results) {
    EXPECT_EQ(arguments[0].getShape().back(), 1);
    EXPECT_EQ(results[0].getType(), ElementType::F64);
    results[0].forEach([](ArrayRef<int64_t>, std::byte *address) {
      store(ElementType::F64, address, std::log(7.0));
    });
  }

  static void countTiles(Tensors arguments, Tensors results) {
    EXPECT_EQ(results[0].getType(), ElementType::I64);
    for (int64_t n = 0; n < 3; ++n)
      results[0].set({n}, static_cast<double>(n + 1));
  }

  /// Ordinary scores: they excuse less than any error made here.
  static void measureScores(Tensors, Tensors results) {
    results[0].forEach([](ArrayRef<int64_t>, std::byte *address) {
      store(ElementType::F64, address, 5);
    });
  }

  llvm::Expected<Program *> get(StringRef function, ProgramKind kind) override {
    EXPECT_EQ(function, "f");
    Program *programs[] = {&compiled, &reference, &plain,
                           &keys,     &tiles,     &sizes};
    return programs[static_cast<unsigned>(kind)];
  }
  json getCompileReport(StringRef) override {
    return {
        {"choices", {{{"name", "tile"}, {"value", "64x64"}, {"why", "x"}}}}};
  }

  FakeProgram compiled, reference, plain, keys, tiles, sizes;
};
} // namespace

static CaseOptions makeOptions() {
  CaseOptions options;
  options.function = "f";
  options.shapes = {"Sq=3", "Skv=5"};
  options.check = true;
  return options;
}

TEST(Case, RightProgramPasses) {
  ParsedFunction parsed(kFunction);
  FakePrograms programs;
  CaseResult result = runCase(makeOptions(), parsed.signature, programs);
  EXPECT_TRUE(result.passed());
  ASSERT_EQ(result.results.size(), 2u);
  ASSERT_TRUE(result.results[0].comparison);
  EXPECT_EQ(result.report["passed"], true);
  EXPECT_EQ(result.report["extents"]["Skv"], 5);
  EXPECT_EQ(result.report["results"][1]["rule"], "log_sum_exp");
  EXPECT_EQ(result.report["results"][0]["check"]["error"], 0);
  EXPECT_EQ(result.report["arguments"][0]["role"], "query");
  EXPECT_FALSE(result.report.contains("time"));
}

/// The errors of a case whose compiled program is `body`.
static std::vector<std::string> getErrors(Body body,
                                          CaseOptions options = makeOptions()) {
  ParsedFunction parsed(kFunction);
  FakePrograms programs;
  programs.compiled.body = std::move(body);
  CaseResult result = runCase(options, parsed.signature, programs);
  EXPECT_EQ(result.report["passed"], result.errors.empty());
  return result.errors;
}

TEST(Case, WrongValueFails) {
  std::vector<std::string> errors = getErrors([](Tensors in, Tensors out) {
    FakePrograms::fill(in, out);
    out[0].set({0, 1, 2, 3}, 0.5001);
    out[1].set({0, 1, 2}, 3.001);
  });
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0], "result 'out': error 0.000100017 exceeds the bound "
                       "1.19209e-07: at [0,1,2,3] expected 0.5, got 0.5001");
  EXPECT_EQ(errors[1], "result 'lse': error 0.000333309 exceeds the bound "
                       "1.52588e-05: at [0,1,2] expected 3, got 3.001");
}

TEST(Case, UnwrittenElementFails) {
  std::vector<std::string> errors = getErrors([](Tensors in, Tensors out) {
    FakePrograms::fill(in, out);
    out[0].poison(out[0].getAddress({0, 0, 1, 0}));
  });
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("never written"), std::string::npos);
}

TEST(Case, WritingBesideResultsOrToArgumentsFails) {
  std::vector<std::string> errors = getErrors([](Tensors in, Tensors out) {
    FakePrograms::fill(in, out);
    out[0].getData()[-1] = std::byte(0);
    in[1].set({0, 0, 0, 0}, 9);
    in[2].getData()[-2] = std::byte(0);
  });
  EXPECT_EQ(errors, (std::vector<std::string>{
                        "argument 'k' was written to, or memory beside it",
                        "argument 'v' was written to, or memory beside it",
                        "result 'out': 1 bytes beside its elements were "
                        "written to"}));
}

TEST(Case, FailingCallIsReportedLineByLine) {
  EXPECT_EQ(getErrors(nullptr),
            (std::vector<std::string>{"argument 'q': refused", "and more"}));
}

TEST(Case, BadOptionsAreErrors) {
  CaseOptions options = makeOptions();
  options.shapes.pop_back();
  EXPECT_EQ(getErrors(FakePrograms::fill, options).size(), 1u);
  options = makeOptions();
  options.outputs["nothing"] = "x.npy";
  EXPECT_EQ(getErrors(FakePrograms::fill, options),
            std::vector<std::string>{
                "function 'f' has no result 'nothing'; it has out, lse"});
  options = makeOptions();
  options.outputs["out"] = "/nowhere/x.npy";
  EXPECT_EQ(getErrors(FakePrograms::fill, options),
            std::vector<std::string>{"result 'out': /nowhere/x.npy: No such "
                                     "file or directory"});
}

TEST(Case, LayoutOfAResult) {
  CaseOptions options = makeOptions();
  options.inputs.layouts["out"] = Layout::Padded;
  EXPECT_TRUE(getErrors(
                  [](Tensors in, Tensors out) {
                    EXPECT_EQ(out[0].getLayout(), Layout::Padded);
                    FakePrograms::fill(in, out);
                  },
                  options)
                  .empty());
}

TEST(Case, TimingCountsVisiblePairs) {
  ParsedFunction parsed(kFunction);
  FakePrograms programs;
  CaseOptions options = makeOptions();
  options.time = true;
  options.seconds = 0;
  CaseResult result = runCase(options, parsed.signature, programs);
  ASSERT_TRUE(result.passed());
  ASSERT_TRUE(result.timing);
  EXPECT_EQ(result.timing->repeats, 3);
  EXPECT_EQ(result.timing->visiblePairs, 7 * 2 * 3);
  EXPECT_EQ(result.timing->operations, 2.0 * 8 * 42);
  EXPECT_TRUE(result.report["time"].contains("gflops"));
  EXPECT_EQ(result.report["tiles"],
            (json{{"visited", 3}, {"full", 1}, {"partial", 2}, {"all", 3}}));
}

TEST(Case, Table) {
  ParsedFunction parsed(kFunction);
  FakePrograms programs;
  CaseResult result = runCase(makeOptions(), parsed.signature, programs);
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(os, result.report);
  printLine(os, result.report);
  EXPECT_EQ(text, "f on cpu, seed 0\n"
                  "  q    1x2x3x4  f32  dense\n"
                  "  k    1x2x5x4  f32  dense\n"
                  "  v    1x2x5x4  f32  dense\n"
                  "  out  1x2x3x4  f32  dense\n"
                  "  lse  1x2x3    f32  dense\n"
                  "  tile  64x64  x\n"
                  "  check  error     bound     plain\n"
                  "  out    0.00e+00  1.19e-07  0.00e+00  passed\n"
                  "  lse    0.00e+00  1.53e-05            passed\n"
                  "ok   f Skv=5 Sq=3 seed=0"
                  "  out 0.00e+00/1.19e-07  lse 0.00e+00/1.53e-05\n");
}

TEST(CaseOptions, FromJSON) {
  CaseOptions options;
  llvm::Error error = options.read(json::parse(R"({
    "function": "g", "shapes": ["Sq=3", "k:1x2"], "seed": 18446744073709551615,
    "amplitude": 2.5, "documents": "shuffled", "layouts": {"q": "bshd"},
    "plants": ["v:0x1=inf"], "inputs": {"q": "a.npy"},
    "outputs": {"out": "b.npy"}, "check": true, "time": true, "seconds": 0.5})"));
  ASSERT_FALSE(static_cast<bool>(error));
  EXPECT_EQ(options.function, "g");
  EXPECT_EQ(options.shapes, (std::vector<std::string>{"Sq=3", "k:1x2"}));
  EXPECT_EQ(options.inputs.seed, UINT64_MAX);
  EXPECT_EQ(options.inputs.amplitude, 2.5);
  EXPECT_EQ(options.inputs.documents, Documents::Shuffled);
  EXPECT_EQ(options.inputs.layouts.lookup("q"), Layout::Swapped);
  EXPECT_EQ(options.inputs.plants[0].index, (SmallVector<int64_t>{0, 1}));
  EXPECT_EQ(options.inputs.files.lookup("q"), "a.npy");
  EXPECT_EQ(options.outputs.lookup("out"), "b.npy");
  EXPECT_TRUE(options.check && options.time);
  EXPECT_EQ(options.seconds, 0.5);
}

TEST(CaseOptions, FaultsAllAtOnce) {
  CaseOptions options;
  EXPECT_EQ(llvm::toString(options.read(json::parse(R"({
              "function": 3, "seed": -1, "colour": 1, "layouts": {"q": "x"},
              "shapes": "Sq=3", "check": 1, "plants": ["v"],
              "documents": "other"})"))),
            "case key 'check' expected true or false, got 1\n"
            "case key 'colour' is unknown, expected one of amplitude, check, "
            "documents, function, inputs, layouts, outputs, plants, seconds, "
            "seed, shapes, time\n"
            "case key 'documents' expected \"sorted\" or \"shuffled\", got "
            "\"other\"\n"
            "case key 'function' expected a string, got 3\n"
            "unknown layout 'x', expected one of dense, bshd, padded, "
            "broadcast_batch, broadcast_heads, reversed, huge\n"
            "'v' expected ARGUMENT:INDEX=VALUE, as in k:0x0x5x3=nan\n"
            "case key 'seed' expected a number that is whole and not negative, "
            "got -1\n"
            "case key 'shapes' expected an array of strings, got \"Sq=3\"");
  EXPECT_EQ(llvm::toString(options.read(json(3))),
            "a case expected a JSON object, got 3");
}
