//===- PtxasReportTest.cpp - reading what ptxas prints --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recorded outputs, so that no ptxas is needed.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/PtxasReport.h"
#include "Inputs.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

static PtxasReport readReport(StringRef name) {
  return parsePtxasOutput(readInput(name));
}

TEST(PtxasReport, SpillsAndSerialisedWgmma) {
  PtxasReport report = readReport("ptxas_c7512.txt");
  ASSERT_EQ(report.functions.size(), 1u);
  const PtxasFunction *kernel = report.find("attn_fwd");
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->isKernel);
  EXPECT_EQ(kernel->chip, "sm_90a");
  EXPECT_EQ(kernel->registers, 128);
  EXPECT_EQ(kernel->barriers, 16);
  EXPECT_EQ(kernel->stackBytes, 264);
  EXPECT_EQ(kernel->spillStoreBytes, 376);
  EXPECT_EQ(kernel->spillLoadBytes, 376);
  EXPECT_TRUE(kernel->spills());
  // No machine code was looked at: who needs speed must assume the worst.
  EXPECT_FALSE(kernel->local);
  EXPECT_TRUE(kernel->maySpillInLoop());
  EXPECT_TRUE(kernel->maySpillInMainLoop());
  ASSERT_EQ(report.messages.size(), 1u);
  const PtxasMessage &message = report.messages[0];
  EXPECT_EQ(message.code, "C7512");
  EXPECT_TRUE(message.isPerformanceLoss());
  EXPECT_EQ(message.severity, PtxasMessage::Severity::Info);
  EXPECT_EQ(message.function, "attn_fwd");
  EXPECT_EQ(message.text,
            "Potential Performance Loss: wgmma.mma_async instructions are "
            "serialized due to insufficient register resources for the "
            "function 'attn_fwd'");
  EXPECT_FALSE(report.hasErrors());
}

TEST(PtxasReport, OtherLosses) {
  PtxasReport report = readReport("ptxas_c7513.txt");
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_EQ(report.messages[0].code, "C7513");
  EXPECT_FALSE(report.functions.at(0).spills());
  EXPECT_FALSE(report.functions.at(0).maySpillInLoop());
  report = readReport("ptxas_c7508.txt");
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_EQ(report.messages[0].code, "C7508");
  EXPECT_EQ(report.messages[0].function, ""); // it names none
  EXPECT_EQ(report.functions.at(0).registers, 195);
}

TEST(PtxasReport, Errors) {
  PtxasReport report = readReport("ptxas_errors.txt");
  EXPECT_TRUE(report.hasErrors());
  EXPECT_TRUE(report.functions.empty());
  ASSERT_EQ(report.messages.size(), 4u);
  EXPECT_EQ(report.messages[0].line, 4);
  EXPECT_EQ(report.errorText(),
            "line 4: Arguments mismatch for instruction 'add'\n"
            "line 4: Unknown symbol '%r1'\n"
            "line 4: Unknown symbol '%r2'\n"
            "Ptx assembly aborted due to errors");
}

/// Several kernels, one of which calls a function that is not inlined: its
/// sizes are its own, the registers the kernel's.
TEST(PtxasReport, SeveralFunctions) {
  PtxasReport report = readReport("ptxas_functions.txt");
  ASSERT_EQ(report.functions.size(), 4u);
  EXPECT_TRUE(report.messages.empty());
  const PtxasFunction *array = report.find("array");
  const PtxasFunction *calls = report.find("calls");
  const PtxasFunction *helper = report.find("helper");
  const PtxasFunction *shared = report.find("shared");
  ASSERT_TRUE(array && calls && helper && shared);
  EXPECT_EQ(array->stackBytes, 128);
  EXPECT_FALSE(array->spills());
  EXPECT_EQ(array->registers, 19);
  EXPECT_EQ(calls->registers, 10);
  EXPECT_TRUE(calls->isKernel);
  EXPECT_FALSE(helper->isKernel);
  EXPECT_EQ(helper->registers, 0);
  EXPECT_EQ(shared->sharedBytes, 4096);
  EXPECT_EQ(shared->barriers, 1);
}

/// A function's properties after a kernel's registers are not the kernel's.
TEST(PtxasReport, FunctionAfterKernel) {
  PtxasReport report = readReport("ptxas_recursion.txt");
  ASSERT_EQ(report.functions.size(), 2u);
  EXPECT_FALSE(report.find("k")->spills());
  EXPECT_EQ(report.find("rec")->spillStoreBytes, 12);
  EXPECT_FALSE(report.find("rec")->isKernel);
}

TEST(PtxasReport, OtherInformationIsKept) {
  PtxasReport report = readReport("ptxas_overriding.txt");
  ASSERT_EQ(report.messages.size(), 1u);
  EXPECT_TRUE(
      StringRef(report.messages[0].text).starts_with("Overriding global"));
  EXPECT_FALSE(report.messages[0].isPerformanceLoss());
}

/// Written by hand: constant banks, a warning, and lines of no known form.
TEST(PtxasReport, OtherForms) {
  PtxasReport report = parsePtxasOutput(
      "ptxas warning : Stack size for entry function 'k' cannot be determined\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\r\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 360 bytes cmem[0], 8 bytes cmem[2]\n"
      "something else\nsomething else\n");
  ASSERT_EQ(report.functions.size(), 1u);
  EXPECT_EQ(report.functions[0].constantBytes, 368);
  EXPECT_EQ(report.functions[0].registers, 8);
  EXPECT_EQ(report.functions[0].barriers, 0);
  ASSERT_EQ(report.messages.size(), 2u);
  EXPECT_EQ(report.messages[0].severity, PtxasMessage::Severity::Warning);
  EXPECT_EQ(report.messages[0].function, "k");
  EXPECT_EQ(report.messages[1].text, "something else");
  EXPECT_FALSE(report.hasErrors());
  EXPECT_TRUE(parsePtxasOutput("").functions.empty());
}
