//===- KernelTest.h - A kernel to ask questions about -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a kernel, and finds its values by marks: `{mark = "x"}` on an
// operation.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_DIALECT_ATTNGPU_KERNELTEST_H
#define ATTN_TEST_UNIT_DIALECT_ATTNGPU_KERNELTEST_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

namespace mlir::attn_gpu {

class KernelTest : public ::testing::Test {
protected:
  KernelTest() {
    context.loadDialect<AttnGPUDialect, arith::ArithDialect, math::MathDialect,
                        memref::MemRefDialect, scf::SCFDialect,
                        vector::VectorDialect>();
  }

  /// The kernel in `text`, which stays alive with the test.
  KernelOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    kernel = *module->getOps<KernelOp>().begin();
    return kernel;
  }

  Operation *getOp(StringRef mark) {
    Operation *found = nullptr;
    kernel.walk([&](Operation *op) {
      auto attr = op->getAttrOfType<StringAttr>("mark");
      if (attr && attr.getValue() == mark)
        found = op;
    });
    EXPECT_TRUE(found) << mark.str();
    return found;
  }
  Value get(StringRef mark) { return getOp(mark)->getResult(0); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
};

} // namespace mlir::attn_gpu

#endif // ATTN_TEST_UNIT_DIALECT_ATTNGPU_KERNELTEST_H
