//===- ManifestTest.cpp - Tests of headers and manifests ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole text of both, and the names that C does not take.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Manifest/Manifest.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::attn;

namespace {

class Manifest : public testing::Test {
protected:
  Manifest()
      : handler(&context, [this](Diagnostic &diag) { error = diag.str(); }) {
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module) << error;
    return module;
  }

  std::string header(const std::string &text) {
    std::string result;
    llvm::raw_string_ostream os(result);
    ok = succeeded(emitHeader(*parse(text), os));
    return result;
  }
  std::string manifest(const std::string &text) {
    std::string result;
    llvm::raw_string_ostream os(result);
    ok = succeeded(emitManifest(*parse(text), os));
    return result;
  }

  MLIRContext context;
  ScopedDiagnosticHandler handler;
  std::string error;
  bool ok = false;
};

std::string function(const std::string &symbol, const std::string &args,
                     const std::string &rest = "") {
  return "\"t.f\"() {attn.signature = {symbol = \"" + symbol + "\", args = [" +
         args + "]" + rest + "}} : () -> ()\n";
}

const std::string kAttention = function(
    "prefill",
    "{name = \"q\", element = bf16, dims = [\"B\", \"Hq\", \"S\", 64]},"
    "{name = \"k\", element = bf16, dims = [\"B\", \"Hkv\", \"S\", 64]},"
    "{name = \"n\", scalar = index},"
    "{name = \"cu\", element = i32, dims = [\"B1\"]},"
    "{name = \"flag\", element = i1, dims = []},"
    "{name = \"out\", element = f32, dims = [\"B\", \"Hq\", \"S\", 64], "
    "output}",
    ", relations = [{kind = \"multiple\", lhs = array<i64: 0, 1>, "
    "rhs = array<i64: 1, 1>}, {kind = \"offset\", lhs = array<i64: 3, 0>, "
    "rhs = array<i64: 0, 0>, offset = 1}], cpu_features = [\"avx2\", \"fma\"]");

} // namespace

TEST_F(Manifest, Header) {
  EXPECT_EQ(header(kAttention),
            R"(/* Made by attn-mlir. Each function returns ATTN_RT_OK or another
 * AttnRtStatus, explained by attn_rt_last_error(). */

#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* q: bf16[B, Hq, S, 64]
 * k: bf16[B, Hkv, S, 64]
 * cu: i32[B1]
 * flag: bool[]
 * out: f32[B, Hq, S, 64], written
 * Hq is a multiple of Hkv
 * B1 is B + 1
 */
AttnRtStatus prefill(const AttnRtTensor *q, const AttnRtTensor *k, int64_t n, const AttnRtTensor *cu, const AttnRtTensor *flag, const AttnRtTensor *out);

ATTN_RT_EXTERN_C_END
)");
  EXPECT_TRUE(ok);
}

TEST_F(Manifest, ParameterNamesAreUnique) {
  std::string text = header(function("f", "{name = \"y\", scalar = f32},"
                                          "{name = \"y\", scalar = f64}"));
  EXPECT_NE(text.find("AttnRtStatus f(float y, double y_1);"),
            std::string::npos)
      << text;
  EXPECT_NE(header(function("g", "")).find("AttnRtStatus g(void);"),
            std::string::npos);
}

/// Headers refused what objects and manifests took.
TEST_F(Manifest, OneRuleOfNamesForAllOutputs) {
  for (const char *symbol : {"a.b", "int", "", "1st", "exp", "__x", "a\\00b"}) {
    EXPECT_EQ(header(function(symbol, "")), "");
    EXPECT_FALSE(ok);
    EXPECT_NE(error.find("attribute 'attn.signature' is malformed: symbol '"),
              std::string::npos)
        << error;
    EXPECT_EQ(manifest(function(symbol, "")), "");
    EXPECT_FALSE(ok);
  }
  EXPECT_EQ(header(function("f", "{name = \"*/\", scalar = f32}")), "");
  EXPECT_NE(error.find("argument name '*/' is not an identifier in C"),
            std::string::npos)
      << error;
  EXPECT_EQ(
      manifest(function("f", "{name = \"a\", element = f32, dims = [\"\"]}")),
      "");
  EXPECT_NE(error.find("extent name '' of argument 'a' is not an identifier"),
            std::string::npos)
      << error;
}

TEST_F(Manifest, Json) {
  auto json = nlohmann::json::parse(manifest(kAttention + function("g", "")));
  ASSERT_TRUE(ok);
  EXPECT_EQ(json, nlohmann::json::parse(R"({
    "format": "attn-manifest", "version": 1, "abi_version": 1,
    "functions": [
      {"symbol": "prefill",
       "arguments": [
         {"name": "q", "kind": "tensor", "type": "bf16",
          "shape": ["B", "Hq", "S", 64], "output": false},
         {"name": "k", "kind": "tensor", "type": "bf16",
          "shape": ["B", "Hkv", "S", 64], "output": false},
         {"name": "n", "kind": "scalar", "type": "i64"},
         {"name": "cu", "kind": "tensor", "type": "i32", "shape": ["B1"],
          "output": false},
         {"name": "flag", "kind": "tensor", "type": "bool", "shape": [],
          "output": false},
         {"name": "out", "kind": "tensor", "type": "f32",
          "shape": ["B", "Hq", "S", 64], "output": true}],
       "relations": [
         {"kind": "multiple", "lhs": {"argument": "q", "dim": 1},
          "rhs": {"argument": "k", "dim": 1}},
         {"kind": "offset", "lhs": {"argument": "cu", "dim": 0},
          "rhs": {"argument": "q", "dim": 0}, "offset": 1}],
       "cpu_features": ["avx2", "fma"],
       "device": "cpu"},
      {"symbol": "g", "arguments": [], "relations": [], "cpu_features": [],
       "device": "cpu"}]
  })"));
}

TEST_F(Manifest, MalformedSignatures) {
  struct {
    std::string args, rest, problem;
  } cases[] = {
      {"1 : i64", "", "expected 'args' to be dictionaries"},
      {"{name = \"a\"}", "", "either 'element' or 'scalar'"},
      {"{name = \"a\", scalar = f16}", "",
       "argument 'a' has a type that cannot be passed"},
      {"{name = \"a\", element = i4, dims = []}", "",
       "argument 'a' has a type that cannot be passed"},
      {"{name = \"a\", element = f32}", "", "argument 'a' to have 'dims'"},
      {"{name = \"a\", element = f32, dims = [-1]}", "",
       "argument 'a' has a negative extent"},
      {"{name = \"a\", element = f32, dims = [f32]}", "",
       "to be numbers and names"},
      {"", ", relations = [{kind = \"odd\"}]", "kind 'multiple' or 'offset'"},
      {"",
       ", relations = [{kind = \"multiple\", lhs = array<i64: 0, 0>, "
       "rhs = array<i64: 0, 0>}]",
       "expected 'lhs' of a relation"},
      {"", ", cpu_features = [\"warp9\"]", "names that the runtime knows"},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(manifest(function("f", c.args, c.rest)), "");
    EXPECT_FALSE(ok);
    EXPECT_NE(error.find(c.problem), std::string::npos)
        << error << "\nexpected: " << c.problem;
    error.clear();
  }
}
