//===- ParseModuleTest.cpp - Modules with the user's names ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of arguments survive parsing, in every form that a file may have.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Common/ParseModule.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {
struct ParseModule : testing::Test {
  ParseModule() { context.loadDialect<func::FuncDialect>(); }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { error += diagnostic.str(); });
    return attn::parseModule(sources, &context);
  }

  /// Names of the arguments of `@f`, `-` for none.
  std::string getNames(ModuleOp module) {
    auto function = module.lookupSymbol<func::FuncOp>("f");
    std::string names;
    for (unsigned n = 0; n < function.getNumArguments(); ++n) {
      auto name = function.getArgAttrOfType<StringAttr>(n, "attn.name");
      names += (n ? " " : "") + (name ? name.str() : "-");
    }
    return names;
  }

  MLIRContext context;
  std::string error;
};
} // namespace

TEST_F(ParseModule, KeepsNames) {
  OwningOpRef<ModuleOp> module =
      parse("func.func @f(%q: i32, %k_1: i32, %2: i32) { return }");
  ASSERT_TRUE(module);
  EXPECT_EQ(getNames(*module), "q k_1 -");
}

TEST_F(ParseModule, ExplicitModuleAndDeclarations) {
  OwningOpRef<ModuleOp> module = parse(
      "module @m { func.func private @g(i32) func.func @f(%a: i32) { return "
      "} }");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->getSymName(), "m");
  EXPECT_EQ(getNames(*module), "a");
}

TEST_F(ParseModule, GivenNamesStay) {
  OwningOpRef<ModuleOp> module = parse(
      "func.func @f(%a: i32 {attn.name = \"query\"}, %b: i32) { return }");
  ASSERT_TRUE(module);
  EXPECT_EQ(getNames(*module), "query b");
}

TEST_F(ParseModule, ByteCodeHasTheNamesThatWereWritten) {
  OwningOpRef<ModuleOp> module = parse("func.func @f(%q: i32) { return }");
  ASSERT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
  OwningOpRef<ModuleOp> again = parse(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(getNames(*again), "q");
}

TEST_F(ParseModule, Errors) {
  EXPECT_FALSE(
      parse("func.func @f(%q: i32) { return } func.func @f() { return }"));
  EXPECT_NE(error.find("redefinition of symbol named 'f'"), std::string::npos);
  EXPECT_FALSE(parse("func.func @f("));
}

TEST_F(ParseModule, EmptyFile) {
  OwningOpRef<ModuleOp> module = parse("");
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->getBody()->empty());
}
