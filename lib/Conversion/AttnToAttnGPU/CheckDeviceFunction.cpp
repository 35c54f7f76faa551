//===- CheckDeviceFunction.cpp - What may stand around attention ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose tensors are on a device is compiled to launches alone: the
// CPU, on which everything else would be computed, cannot reach them.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// The value whose memory `value` is a view of.
static Value getBase(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether an operation on tensors reads and writes none of their elements.
static bool keepsElements(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::DimOp, tensor::RankOp, scf::IfOp,
             scf::YieldOp>(op);
}

/// C7 of operands. What others than attention compute is refused there.
static LogicalResult checkAttention(AttentionOp op) {
  bool ok = true;
  for (Value operand : op->getOperands()) {
    auto source = getBase(operand).getDefiningOp<AttentionOp>();
    if (!source)
      continue;
    InFlightDiagnostic diag = op.emitError(
        "attention for a device reads what is computed in its function; "
        "expected arguments: make two functions of it");
    diag.attachNote(source.getLoc()) << "by this operation";
    ok = false;
  }
  return success(ok);
}

/// C7 of results.
static LogicalResult checkReturn(func::ReturnOp op) {
  bool ok = true;
  for (auto [n, value] : llvm::enumerate(op.getOperands()))
    if (isTensor(value.getType()) && isa<BlockArgument>(getBase(value))) {
      op.emitError("result ")
          << n
          << " of a function for a device is an argument, expected a result of "
             "attention: nothing else is written there";
      ok = false;
    }
  return success(ok);
}

LogicalResult attn::checkDeviceFunction(func::FuncOp function) {
  auto isOnTensors = [](TypeRange types) {
    return llvm::any_of(types, isTensor);
  };
  if (function.isExternal() || (!isOnTensors(function.getArgumentTypes()) &&
                                !isOnTensors(function.getResultTypes())))
    return success();
  bool ok = true, anyAttention = false;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      anyAttention = true;
      ok &= succeeded(checkAttention(attention));
      return WalkResult::skip();
    }
    if (auto returnOp = dyn_cast<func::ReturnOp>(op)) {
      // Without attention the function is the fault.
      if (anyAttention)
        ok &= succeeded(checkReturn(returnOp));
    } else if ((isOnTensors(op->getOperandTypes()) ||
                isOnTensors(op->getResultTypes())) &&
               !keepsElements(op)) {
      op->emitError("works on the device's memory, but is not part of a "
                    "kernel: expected a function of attention alone");
      ok = false;
    }
    return WalkResult::advance();
  });
  if (ok && !anyAttention)
    return function.emitError("'")
           << function.getSymName()
           << "' has no attention, and nothing else is computed on a device; "
              "expected attn.attention in it";
  return success(ok);
}
