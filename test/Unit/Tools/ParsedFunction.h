//===- ParsedFunction.h - A function from text, for tests --------*- C++
//-*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a module and reads the signature of its first function.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_TOOLS_PARSEDFUNCTION_H
#define ATTN_TEST_UNIT_TOOLS_PARSEDFUNCTION_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Tools/Common/ParseModule.h"
#include "attn/Tools/Run/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

struct ParsedFunction {
  explicit ParsedFunction(llvm::StringRef text) {
    context.loadDialect<mlir::attn::AttnDialect, mlir::func::FuncDialect>();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
    module = mlir::attn::parseModule(sources, &context);
    if (!module)
      llvm::report_fatal_error("test input does not parse");
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    mlir::ScopedDiagnosticHandler handler(
        &context,
        [&](mlir::Diagnostic &diagnostic) { error += diagnostic.str(); });
    mlir::FailureOr<mlir::attn::run::Signature> read =
        mlir::attn::run::readSignature(function);
    if (mlir::succeeded(read))
      signature = std::move(*read);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::attn::run::Signature signature;
  std::string error;
};

#endif // ATTN_TEST_UNIT_TOOLS_PARSEDFUNCTION_H
