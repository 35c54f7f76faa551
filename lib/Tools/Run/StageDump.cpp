//===- StageDump.cpp - A file after every pass ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files and the pass instrumentation that fills them.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/StageDump.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn::run;

StageDump::StageDump(std::string path) : folder(std::move(path)) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    problem = folder + ": " + code.message();
}

void StageDump::writeBytes(StringRef stage, StringRef suffix, StringRef bytes) {
  if (!problem.empty())
    return;
  std::string name;
  llvm::raw_string_ostream(name)
      << llvm::format("%03u-", next++) << stage << suffix;
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << bytes;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    problem = (path + ": " + code.message()).str();
}

void StageDump::writeIR(StringRef stage, Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().enableDebugInfo());
  os << "\n";
  writeBytes(stage, ".mlir", text);
}

llvm::Error StageDump::takeError() {
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError(std::exchange(problem, ""));
}

namespace {
class DumpInstrumentation : public PassInstrumentation {
public:
  explicit DumpInstrumentation(StageDump &dump) : dump(dump) {}

  void runAfterPass(Pass *pass, Operation *op) override { write(pass, op, ""); }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    write(pass, op, "-failed");
  }

private:
  void write(Pass *pass, Operation *op, StringRef ending) {
    // Passes without an argument only run others.
    if (!pass->getArgument().empty())
      dump.writeIR((pass->getArgument() + ending).str(), op);
  }

  StageDump &dump;
};
} // namespace

std::unique_ptr<PassInstrumentation> StageDump::makeInstrumentation() {
  return std::make_unique<DumpInstrumentation>(*this);
}
