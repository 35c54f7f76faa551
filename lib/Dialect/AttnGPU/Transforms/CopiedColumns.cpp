//===- CopiedColumns.cpp - Where the copy engine begins rows --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divisibility of the offsets that copies take.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn_gpu;

bool attn_gpu::isMultipleOf(Value value, int64_t divisor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % divisor == 0;
  Operation *op = value.getDefiningOp();
  auto holds = [&](Value operand) { return isMultipleOf(operand, divisor); };
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return llvm::all_of(op->getOperands(), holds);
  return isa_and_present<arith::MulIOp>(op) &&
         llvm::any_of(op->getOperands(), holds);
}

bool attn_gpu::isCopiedColumn(Value offset, int64_t bits) {
  return isMultipleOf(offset, AttnGPUDialect::kCopiedBytes * 8 / bits);
}
