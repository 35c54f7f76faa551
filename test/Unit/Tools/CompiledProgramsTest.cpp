//===- CompiledProgramsTest.cpp - Functions compiled in memory -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of program of one function, by numbers worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/CompiledPrograms.h"
#include "ParsedFunction.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

static constexpr StringRef kText = R"(
  func.func @causal(%q: tensor<1x2x?x1xf32>, %k: tensor<1x1x?x1xf32>,
                    %v: tensor<1x1x?x2xf32>)
      -> (tensor<1x2x?x2xf32>, tensor<1x2x?xf32>) {
    %out, %lse = attn.attention %q, %k, %v mask (#attn.causal) scale 1.0
        : tensor<1x2x?x1xf32>, tensor<1x1x?x1xf32>, tensor<1x1x?x2xf32>
        -> tensor<1x2x?x2xf32>, tensor<1x2x?xf32>
    return %out, %lse : tensor<1x2x?x2xf32>, tensor<1x2x?xf32>
  }
  func.func @opaque(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = "other.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  })";

namespace {
struct CompiledProgramsTest : testing::Test {
  CompiledProgramsTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<attn::AttnDialect>();
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(kText),
                               llvm::SMLoc());
    module = attn::parseModule(sources, &context);
  }

  static HostTensor make(ElementType type, ArrayRef<int64_t> shape,
                         std::vector<double> values) {
    llvm::Expected<HostTensor> tensor = HostTensor::create(type, shape);
    if (!tensor)
      llvm::report_fatal_error(tensor.takeError());
    size_t n = 0;
    if (!values.empty())
      tensor->forEach([&](ArrayRef<int64_t>, std::byte *address) {
        store(type, address, values[n++]);
      });
    return std::move(*tensor);
  }

  /// Three keys with scores 0, ln 2 and ln 5 for the first head, 0 for the
  /// second; two queries, which see the first two and all three.
  std::vector<HostTensor> makeInputs() {
    double two = std::log(2.0), five = std::log(5.0);
    return {make(ElementType::F32, {1, 2, 2, 1}, {1, 1, 0, 0}),
            make(ElementType::F32, {1, 1, 3, 1}, {0, two, five}),
            make(ElementType::F32, {1, 1, 3, 2}, {1, 0, 4, 0, 0, 8})};
  }

  void expectResults(ArrayRef<HostTensor> results, double tolerance) {
    double out[] = {9 / 3., 0, 9 / 8., 40 / 8., 5 / 2., 0, 5 / 3., 8 / 3.};
    double lse[] = {3, 8, 2, 3};
    std::vector<double> outValues = results[0].toVector();
    std::vector<double> lseValues = results[1].toVector();
    for (unsigned n = 0; n < 8; ++n)
      EXPECT_NEAR(outValues[n], out[n], tolerance) << n;
    for (unsigned n = 0; n < 4; ++n)
      EXPECT_NEAR(lseValues[n], std::log(lse[n]), tolerance) << n;
  }

  llvm::Error call(CompiledPrograms &programs, ProgramKind kind,
                   ArrayRef<HostTensor> arguments,
                   ArrayRef<HostTensor> results) {
    llvm::Expected<Program *> program = programs.get("causal", kind);
    if (!program)
      return program.takeError();
    return (*program)->call(arguments, results);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(CompiledProgramsTest, EveryKindByHand) {
  CompiledPrograms programs(*module, {});
  std::vector<HostTensor> inputs = makeInputs();
  for (ProgramKind kind :
       {ProgramKind::Compiled, ProgramKind::Plain, ProgramKind::Reference}) {
    ElementType type =
        kind == ProgramKind::Reference ? ElementType::F64 : ElementType::F32;
    std::vector<HostTensor> results = {make(type, {1, 2, 2, 2}, {}),
                                       make(type, {1, 2, 2}, {})};
    EXPECT_EQ(llvm::toString(call(programs, kind, inputs, results)), "");
    // Queries and keys are f32: so is the error of ln 2 and ln 5.
    expectResults(results, 2e-6);
  }

  inputs[2] = make(ElementType::F32, {1, 1, 3, 1}, {0, 0, 0});
  inputs[0] = make(ElementType::F32, {1, 2, 2, 1}, {0, 0, 0, 0});
  std::vector<HostTensor> logs = {make(ElementType::F64, {1, 2, 2}, {})};
  EXPECT_EQ(
      llvm::toString(call(programs, ProgramKind::VisibleKeys, inputs, logs)),
      "");
  std::vector<double> seen = logs[0].toVector();
  for (unsigned n = 0; n < 4; ++n)
    EXPECT_NEAR(std::exp(seen[n]), n % 2 ? 3 : 2, 1e-12);

  inputs = makeInputs();
  std::vector<HostTensor> counts = {make(ElementType::I64, {3}, {})};
  EXPECT_EQ(
      llvm::toString(call(programs, ProgramKind::TileCount, inputs, counts)),
      "");
  // One query tile per head, one key tile, which is not full.
  EXPECT_EQ(counts[0].toVector(), (std::vector<double>{0, 2, 2}));
}

TEST_F(CompiledProgramsTest, CompilesOnceAndReports) {
  CompiledPrograms programs(*module, {});
  EXPECT_TRUE(programs.getCompileReport("causal").empty());
  llvm::Expected<Program *> first =
      programs.get("causal", ProgramKind::Compiled);
  llvm::Expected<Program *> second =
      programs.get("causal", ProgramKind::Compiled);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  nlohmann::json report = programs.getCompileReport("causal");
  ASSERT_FALSE(report["choices"].empty());
  EXPECT_EQ(report["choices"][0]["name"], "tile-sizes");
  EXPECT_EQ(report["choices"][0]["pass"], "attn-tile");
  EXPECT_GT(report["object_bytes"], 0);
}

TEST_F(CompiledProgramsTest, FailedCallGivesTheTextOfTheFunction) {
  CompiledPrograms programs(*module, {});
  std::vector<HostTensor> inputs = makeInputs();
  inputs[2] = make(ElementType::F32, {1, 1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<HostTensor> results = {make(ElementType::F32, {1, 2, 2, 2}, {}),
                                     make(ElementType::F32, {1, 2, 2}, {})};
  std::string text =
      llvm::toString(call(programs, ProgramKind::Compiled, inputs, results));
  EXPECT_NE(text.find("invalid shape"), std::string::npos) << text;
  EXPECT_NE(text.find("'v'"), std::string::npos) << text;
}

TEST_F(CompiledProgramsTest, FailuresAreKept) {
  CompiledPrograms programs(*module, {});
  unsigned diagnostics = 0;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &) { ++diagnostics; });
  for (unsigned n = 0; n < 2; ++n) {
    llvm::Expected<Program *> program =
        programs.get("opaque", ProgramKind::Compiled);
    ASSERT_FALSE(static_cast<bool>(program));
    EXPECT_EQ(llvm::toString(program.takeError()),
              "function 'opaque' (compiled): cannot be compiled, see the "
              "errors above");
    EXPECT_EQ(diagnostics, 1u);
  }
}

TEST_F(CompiledProgramsTest, DumpsEveryStage) {
  SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stages", folder));
  CompileOptions options;
  options.dumpFolder = folder.str().str();
  CompiledPrograms programs(*module, options);
  llvm::Expected<Program *> program =
      programs.get("causal", ProgramKind::Compiled);
  ASSERT_TRUE(static_cast<bool>(program));
  for (StringRef file :
       {"000-input.mlir", "001-inline.mlir", "003-attn-check-host-program.mlir",
        "004-attn-infer-host-signature.mlir"}) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, "causal", "compiled", file);
    EXPECT_TRUE(llvm::sys::fs::exists(path)) << path.c_str();
  }
  llvm::sys::fs::remove_directories(folder);
}

TEST_F(CompiledProgramsTest, FolderThatCannotBeMade) {
  CompileOptions options;
  options.dumpFolder = "/proc/none";
  CompiledPrograms programs(*module, options);
  llvm::Expected<Program *> program =
      programs.get("causal", ProgramKind::Compiled);
  ASSERT_FALSE(static_cast<bool>(program));
  EXPECT_NE(llvm::toString(program.takeError()).find("/proc/none"),
            std::string::npos);
}
