//===- ObjectTest.cpp - object files and their loading --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of machines, errors, and what an object file asks of its host.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

static OwningOpRef<ModuleOp> lower(llvm::StringRef text, int64_t bits) {
  OwningOpRef<ModuleOp> module = parse(text);
  PassManager pm(&context());
  cpuPipeline(bits)(pm);
  if (!module || failed(pm.run(*module)))
    return nullptr;
  return module;
}

TEST(Object, VectorBits) {
  OwningOpRef<ModuleOp> module = parse("module {}");
  auto bits = [&](const char *cpu, const char *features = "") {
    ObjectOptions options;
    options.cpu = cpu;
    options.features = features;
    FailureOr<int64_t> result = getVectorBits(*module, options);
    return succeeded(result) ? *result : -1;
  };
  EXPECT_EQ(bits("x86-64"), 128);
  EXPECT_EQ(bits("x86-64-v3"), 256);
  EXPECT_EQ(bits("x86-64-v4"), 512);
  EXPECT_EQ(bits("znver4"), 512);
  EXPECT_EQ(bits("x86-64-v4", "-avx512f"), 256);
}

TEST(Object, UnknownNames) {
  OwningOpRef<ModuleOp> module = parse("module {}");
  std::string message;
  ScopedDiagnosticHandler handler(&context(), [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  ObjectOptions options;
  options.cpu = "pentium9";
  EXPECT_TRUE(failed(getVectorBits(*module, options)));
  EXPECT_NE(message.find("unknown CPU 'pentium9'"), std::string::npos);
  options.cpu = "x86-64";
  options.triple = "pdp11-dec-unix";
  EXPECT_TRUE(failed(getVectorBits(*module, options)));
  EXPECT_NE(message.find("pdp11"), std::string::npos) << message;
  options.triple = "";
  options.optLevel = 7;
  EXPECT_TRUE(failed(getVectorBits(*module, options)));
  EXPECT_NE(message.find("7, expected 0 to 3"), std::string::npos) << message;
}

/// An object needs the runtime and the two memory functions that any compiler
/// may call, nothing else: no C mathematics, no conversion of half floats.
TEST(Object, UndefinedSymbols) {
  for (const char *name : {"attention_f32.mlir", "attention_bf16.mlir"})
    for (const char *cpu : {"x86-64-v3", "x86-64-v4"}) {
      OwningOpRef<ModuleOp> module =
          lower(readInput(name), cpu[8] == '3' ? 256 : 512);
      ASSERT_TRUE(module);
      ObjectOptions options;
      options.cpu = cpu;
      llvm::SmallString<0> bytes;
      llvm::raw_svector_ostream os(bytes);
      ASSERT_TRUE(succeeded(emitObject(*module, options, os)));
      auto object = llvm::object::ObjectFile::createObjectFile(
          llvm::MemoryBufferRef(bytes.str(), "test.o"));
      ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
      bool callsRuntime = false;
      for (llvm::object::SymbolRef symbol : (*object)->symbols()) {
        if (!(llvm::cantFail(symbol.getFlags()) &
              llvm::object::SymbolRef::SF_Undefined))
          continue;
        llvm::StringRef undefined = llvm::cantFail(symbol.getName());
        callsRuntime |= undefined == "attn_rt_parallel_for";
        EXPECT_TRUE(undefined.empty() || undefined == "attn_rt_parallel_for" ||
                    undefined == "memset" || undefined == "memcpy" ||
                    undefined == "_GLOBAL_OFFSET_TABLE_")
            << name << " " << cpu << " " << undefined.str();
      }
      EXPECT_TRUE(callsRuntime);
    }
}

TEST(Object, SameBytesEveryTime) {
  llvm::SmallString<0> bytes[2];
  for (auto &one : bytes) {
    OwningOpRef<ModuleOp> module = lower(readInput("attention_f32.mlir"), 256);
    ASSERT_TRUE(module);
    llvm::raw_svector_ostream os(one);
    ASSERT_TRUE(succeeded(emitObject(*module, {}, os)));
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(JITProgram, MissingFunction) {
  auto program =
      compile("module { func.func @f() { return } }", cpuPipeline(256));
  ASSERT_TRUE(program);
  auto address = program->lookup("g");
  EXPECT_FALSE(bool(address));
  llvm::consumeError(address.takeError());
}
