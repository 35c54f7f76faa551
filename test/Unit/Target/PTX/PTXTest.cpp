//===- PTXTest.cpp - PTX from the LLVM and NVVM dialects ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the text holds, that it is the same every time, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

class PTX : public ::testing::Test {
protected:
  PTX() {
    context
        .loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect, gpu::GPUDialect>();
  }

  /// The PTX of `text`, or "" with `message` set.
  std::string emit(StringRef text, const PTXOptions &options = {},
                   PTXReport *report = nullptr) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return "";
    }
    message.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    Operation *op = *module;
    if (!module->getOps<gpu::GPUModuleOp>().empty())
      op = *module->getOps<gpu::GPUModuleOp>().begin();
    FailureOr<std::string> ptx = emitPTX(op, options, report);
    return failed(ptx) ? "" : *ptx;
  }

  /// The PTX of a kernel with this body, of %p (global) and %x (f32).
  std::string emitBody(StringRef body, const PTXOptions &options = {},
                       PTXReport *report = nullptr) {
    return emit(("llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes "
                 "{nvvm.kernel, nvvm.reqntid = array<i32: 32, 4>} {\n" +
                 body + "\nllvm.return\n}\nllvm.func @undefined(f32) -> f32")
                    .str(),
                options, report);
  }

  MLIRContext context;
  std::string message;
};

} // namespace

TEST_F(PTX, Text) {
  PTXReport report;
  std::string ptx = emitBody("%y = llvm.intr.exp2(%x) : (f32) -> f32\n"
                             "llvm.store %y, %p : f32, !llvm.ptr<1>",
                             {}, &report);
  auto has = [&](StringRef text) { return StringRef(ptx).contains(text); };
  EXPECT_TRUE(has(".version 8.7\n.target sm_90a\n.address_size 64")) << ptx;
  EXPECT_TRUE(has(".visible .entry k("));
  EXPECT_TRUE(has(".reqntid 32, 4"));
  // Denormals are flushed: without that, ex2 is scaled around them.
  EXPECT_TRUE(has("ex2.approx.ftz.f32"));
  EXPECT_EQ(message, "");
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].name, "k");
  EXPECT_EQ(report.kernels[0].threads, 128);
  EXPECT_EQ(report.kernels[0].localBytes, 0);
  EXPECT_EQ(emitBody("%y = llvm.intr.exp2(%x) : (f32) -> f32\n"
                     "llvm.store %y, %p : f32, !llvm.ptr<1>"),
            ptx);
}

TEST_F(PTX, OtherChip) {
  PTXOptions options;
  options.chip = "sm_80";
  options.ptxVersion = "ptx71";
  std::string ptx = emitBody("llvm.store %x, %p : f32, !llvm.ptr<1>", options);
  EXPECT_TRUE(StringRef(ptx).contains(".version 7.1\n.target sm_80\n")) << ptx;
}

TEST_F(PTX, GPUModule) {
  std::string ptx = emit("gpu.module @m { llvm.func @k() attributes "
                         "{nvvm.kernel} { llvm.return } }");
  EXPECT_TRUE(StringRef(ptx).contains(".entry k(")) << message;
}

/// Between two branches on the same condition, which threads take differently.
/// Were the assembly not convergent, jump threading would make two copies, each
/// executed by a part of the threads.
TEST_F(PTX, InlineAssemblyIsNotDuplicated) {
  std::string ptx = emitBody(R"(
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c = llvm.icmp "eq" %t, %c0 : i32
    llvm.cond_br %c, ^a, ^b
  ^a:
    llvm.store volatile %x, %p : f32, !llvm.ptr<1>
    llvm.br ^b
  ^b:
    llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "" : () -> ()
    llvm.cond_br %c, ^d, ^e
  ^d:
    llvm.store volatile %x, %p : f32, !llvm.ptr<1>
    llvm.br ^e
  ^e:)");
  EXPECT_EQ(StringRef(ptx).count("wgmma.fence"), 1u) << ptx << message;
}

TEST_F(PTX, LocalArraysAreSeen) {
  PTXReport report;
  std::string ptx = emitBody(R"(
    %n = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.mlir.constant(15 : i32) : i32
    %a = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %i = llvm.and %t, %m : i32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store volatile %x, %q : f32, !llvm.ptr
    %y = llvm.load volatile %a : !llvm.ptr -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>)",
                             {}, &report);
  ASSERT_EQ(report.kernels.size(), 1u) << message;
  EXPECT_EQ(report.kernels[0].localBytes, 64) << ptx;
}

TEST_F(PTX, RefusesUnknownNames) {
  StringRef body = "llvm.store %x, %p : f32, !llvm.ptr<1>";
  PTXOptions options;
  options.chip = "sm_91";
  EXPECT_EQ(emitBody(body, options), "");
  EXPECT_TRUE(StringRef(message).starts_with(
      "unknown chip 'sm_91', expected one of sm_20, "))
      << message;
  EXPECT_TRUE(StringRef(message).contains(" sm_90, sm_90a, ")) << message;
  options = {};
  options.ptxVersion = "ptx99";
  EXPECT_EQ(emitBody(body, options), "");
  EXPECT_TRUE(StringRef(message).starts_with("unknown version of PTX 'ptx99'"))
      << message;
  EXPECT_TRUE(StringRef(message).contains("ptx86, ptx87")) << message;
  options.ptxVersion = "sm_90"; // a feature, but no version
  EXPECT_EQ(emitBody(body, options), "");
  EXPECT_NE(message, "");
  options = {};
  options.ptxVersion = "ptx78";
  EXPECT_EQ(emitBody(body, options), "");
  EXPECT_EQ(message,
            "chip 'sm_90a' is not in ptx78, expected ptx80 or newer\n");
  options = {};
  options.optLevel = 4;
  EXPECT_EQ(emitBody(body, options), "");
  EXPECT_EQ(message, "optimisation level is 4, expected 0 to 3\n");
}

TEST_F(PTX, RefusesModulesWithoutKernel) {
  EXPECT_EQ(emit("llvm.func @f() { llvm.return }"), "");
  EXPECT_EQ(message, "has no kernel, expected at least one llvm.func with the "
                     "attribute nvvm.kernel\n");
}

TEST_F(PTX, RefusesOtherDialects) {
  context.allowUnregisteredDialects();
  EXPECT_EQ(emitBody("\"other.op\"() : () -> ()"), "");
  EXPECT_TRUE(StringRef(message).contains("after convert-nvvm-to-llvm"))
      << message;
}

TEST_F(PTX, RefusesUndefinedFunctions) {
  EXPECT_EQ(emitBody("%y = llvm.call @undefined(%x) : (f32) -> f32\n"
                     "llvm.store %y, %p : f32, !llvm.ptr<1>"),
            "");
  EXPECT_EQ(message, "function 'undefined' is called and nothing defines it\n");
}

/// LLVM would end the process.
TEST_F(PTX, RefusesMathematicsWithoutInstruction) {
  for (StringRef name :
       {"log", "log2", "exp", "exp10", "sin", "cos", "tan", "tanh"}) {
    EXPECT_EQ(emitBody(("%y = llvm.intr." + name +
                        "(%x) : (f32) -> f32\n"
                        "llvm.store %y, %p : f32, !llvm.ptr<1>")
                           .str()),
              "");
    EXPECT_TRUE(StringRef(message).starts_with("'llvm." + name.str()))
        << message;
  }
  EXPECT_EQ(emitBody("%y = llvm.intr.pow(%x, %x) : (f32, f32) -> f32\n"
                     "llvm.store %y, %p : f32, !llvm.ptr<1>"),
            "");
  EXPECT_TRUE(StringRef(message).starts_with(
      "'llvm.pow.f32' has no instruction on sm_90a"))
      << message;
  EXPECT_NE(emitBody("%y = llvm.intr.sin(%x) {fastmathFlags = "
                     "#llvm.fastmath<afn>} : (f32) -> f32\n"
                     "llvm.store %y, %p : f32, !llvm.ptr<1>"),
            "")
      << message;
}
