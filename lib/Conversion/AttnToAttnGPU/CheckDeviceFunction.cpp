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
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

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

/// Attention that computes what `value` is a view of, also in the branches of
/// conditions.
static AttentionOp findWriter(Value value) {
  value = getBase(value);
  auto condition = value.getDefiningOp<scf::IfOp>();
  if (!condition)
    return value.getDefiningOp<AttentionOp>();
  unsigned n = cast<OpResult>(value).getResultNumber();
  AttentionOp writer = findWriter(condition.thenYield().getOperand(n));
  return writer ? writer : findWriter(condition.elseYield().getOperand(n));
}

/// C7 of operands. What others than attention compute is refused there.
static LogicalResult checkAttention(AttentionOp op) {
  bool ok = true;
  for (Value operand : op->getOperands()) {
    AttentionOp source = findWriter(operand);
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

namespace {
/// C7 of results: each is written by attention, at its place. What has to be
/// copied there is refused at the return.
class ReturnCheck {
public:
  explicit ReturnCheck(func::ReturnOp op) : op(op) {}

  LogicalResult run() {
    for (OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get().getType())) {
        result = operand.getOperandNumber();
        checkSources(operand.get());
      }
    return success(ok);
  }

private:
  InFlightDiagnostic fail() {
    ok = false;
    return op.emitError("result ") << result << " of a function for a device ";
  }

  void checkSources(Value value);
  Value findWhole(Value value);
  void collect(Value value, SetVector<Value> &sources);

  func::ReturnOp op;
  unsigned result = 0;
  llvm::MapVector<Value, unsigned>
      writers; // by attention, the result it writes
  bool ok = true;
};
} // namespace

/// What `value` is another type of; nothing, after a report, where it is laid
/// out otherwise than what it comes from.
Value ReturnCheck::findWhole(Value value) {
  while (Operation *view = value.getDefiningOp()) {
    if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp>(view)) {
      InFlightDiagnostic diag = fail();
      diag << (isa<tensor::ExtractSliceOp>(view)
                   ? "is a part of a tensor, expected all that attention "
                     "computes: slice the queries before it"
                   : "is expanded to another shape, expected the shape that "
                     "attention gives it, or one with dimensions collapsed");
      diag.attachNote(view->getLoc()) << "by this operation";
      return {};
    }
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp>(view))
      break;
    value = view->getOperand(0);
  }
  return value;
}

/// Adds to `sources` the values that `value` may be, results of attention and
/// arguments.
void ReturnCheck::collect(Value value, SetVector<Value> &sources) {
  value = findWhole(value);
  if (!value)
    return;
  auto condition = value.getDefiningOp<scf::IfOp>();
  if (!condition) {
    sources.insert(value);
    return;
  }
  unsigned n = cast<OpResult>(value).getResultNumber();
  SetVector<Value> inside;
  collect(condition.thenYield().getOperand(n), inside);
  collect(condition.elseYield().getOperand(n), inside);
  // Both would be computed, for one place.
  SmallVector<Value> outside =
      llvm::filter_to_vector(inside, [&](Value source) {
        return source.getDefiningOp<AttentionOp>() &&
               !condition->isProperAncestor(source.getDefiningOp());
      });
  if (outside.size() > 1) {
    InFlightDiagnostic diag = fail();
    diag << "is chosen by a condition among what attention has computed before "
            "it, expected attention in the branches of the condition";
    diag.attachNote(condition.getLoc()) << "the condition";
    inside.remove_if([&](Value v) { return llvm::is_contained(outside, v); });
  }
  sources.insert_range(inside);
}

void ReturnCheck::checkSources(Value value) {
  SetVector<Value> sources;
  collect(value, sources);
  for (Value source : sources) {
    if (isa<BlockArgument>(source)) {
      fail() << "is an argument, expected a result of attention: nothing else "
                "is written there";
      continue;
    }
    auto [before, isNew] = writers.insert({source, result});
    if (isNew || !source.getDefiningOp<AttentionOp>())
      continue;
    InFlightDiagnostic diag = fail();
    diag << "is result " << before->second
         << " again, expected another one: attention writes to one place, "
            "and nothing is copied; return it once";
    diag.attachNote(source.getLoc()) << "by this operation";
  }
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
        ok &= succeeded(ReturnCheck(returnOp).run());
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
