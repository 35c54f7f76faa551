//===- FunctionLowering.cpp - Functions of the reference ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the tensors of a function into buffers around the loops of attention.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "attn/Support/Faults.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// A buffer of any strides but a unit last one.
static MemRefType bufferType(RankedTensorType tensor, Type element) {
  SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
  if (!strides.empty())
    strides.back() = 1;
  auto layout = StridedLayoutAttr::get(tensor.getContext(),
                                       ShapedType::kDynamic, strides);
  return MemRefType::get(tensor.getShape(), element, layout);
}

/// The tensor that casts were applied to.
static Value skipCasts(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  return tensor;
}

static bool isArgument(Value tensor) {
  return isa<BlockArgument>(skipCasts(tensor));
}

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// Whether `op`, or an operation within it, has tensors.
static bool touchesTensors(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        bool tensors = llvm::any_of(nested->getOperandTypes(), isTensor) ||
                       llvm::any_of(nested->getResultTypes(), isTensor);
        return tensors ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Checks one operation of the function's body (C1, C2).
static LogicalResult checkOperation(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    Faults faults(op);
    for (OpOperand &operand : op->getOpOperands())
      faults.require(!isTensor(operand.get().getType()) ||
                         isArgument(operand.get()),
                     "operand ", operand.getOperandNumber(),
                     " expected an argument of the function, got the result "
                     "of another operation: the reference lowers attention on "
                     "arguments only");
    bool ok = succeeded(faults.emit());
    ok &= succeeded(checkRegions(attention));
    return success(ok);
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op);
      dim && isArgument(dim.getSource()))
    return success();
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    if (isa<RankedTensorType>(cast.getType()) &&
        isa<RankedTensorType>(cast.getSource().getType()) &&
        (isArgument(cast) || skipCasts(cast).getDefiningOp<AttentionOp>()))
      return success();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op);
      extract && isArgument(extract.getTensor()))
    return success();
  if (!touchesTensors(op))
    return success();
  if (op->getNumRegions() != 0 && op->walk([](AttentionOp) {
                                      return WalkResult::interrupt();
                                    }).wasInterrupted())
    return op->emitOpError() << "holds attn.attention; the reference lowers "
                                "attention directly in a function only";
  return op->emitOpError()
         << "is not lowered by the reference; expected attn.attention, "
            "tensor.dim, tensor.cast or tensor.extract of arguments, or "
            "operations without tensors";
}

/// Each returned tensor is a result of attention, and returned once.
static LogicalResult checkReturn(func::ReturnOp op) {
  Faults faults(op);
  llvm::SmallDenseSet<Value> seen;
  for (auto [n, value] : llvm::enumerate(op.getOperands())) {
    if (!isTensor(value.getType()))
      continue;
    Value source = skipCasts(value);
    if (!faults.require(static_cast<bool>(source.getDefiningOp<AttentionOp>()),
                        "operand ", n,
                        " expected a result of attn.attention, got another "
                        "tensor"))
      continue;
    faults.require(seen.insert(source).second, "operand ", n,
                   " expected each result of attn.attention once, got one "
                   "that is returned twice");
  }
  return faults.emit();
}

LogicalResult FunctionLowering::check() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "holds attn.attention; the reference expected one block, got "
           << function.getBody().getBlocks().size();
  bool ok = true;
  for (Type type : function.getArgumentTypes())
    if (isa<UnrankedTensorType>(type)) {
      function.emitOpError()
          << "expected ranked tensor arguments, got " << type;
      ok = false;
    }
  for (Operation &op : function.getBody().front()) {
    if (auto ret = dyn_cast<func::ReturnOp>(op))
      ok &= succeeded(checkReturn(ret));
    else
      ok &= succeeded(checkOperation(&op));
  }
  return success(ok);
}

void FunctionLowering::apply() {
  Block &body = function.getBody().front();
  auto ret = cast<func::ReturnOp>(body.getTerminator());
  IRMapping map;

  // Arguments: a buffer beside each tensor, which goes when all uses are gone.
  SmallVector<BlockArgument> tensors;
  for (BlockArgument arg : llvm::to_vector(body.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type)
      continue;
    tensors.push_back(arg);
    map.map(arg, body.insertArgument(arg.getArgNumber(),
                                     bufferType(type, type.getElementType()),
                                     arg.getLoc()));
  }

  // Results: a buffer at the end for each, with the attributes of the result.
  SmallVector<Attribute> argAttrs, resultAttrs;
  for (unsigned n = 0; n < function.getNumArguments(); ++n)
    argAttrs.push_back(function.getArgAttrDict(n));
  SmallVector<Type> scalarTypes;
  llvm::DenseMap<Value, Value> destinations;
  for (auto [n, value] : llvm::enumerate(ret.getOperands())) {
    DictionaryAttr attrs = function.getResultAttrDict(n);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type) {
      scalarTypes.push_back(value.getType());
      resultAttrs.push_back(attrs);
      continue;
    }
    Type element = precision == ReferencePrecision::F64
                       ? Float64Type::get(type.getContext())
                       : type.getElementType();
    destinations[skipCasts(value)] =
        body.addArgument(bufferType(type, element), ret.getLoc());
    argAttrs.push_back(attrs);
  }

  SmallVector<Operation *> lowered;
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (!isa<AttentionOp, tensor::DimOp, tensor::ExtractOp, tensor::CastOp>(op))
      continue;
    lowered.push_back(&op);
    ImplicitLocOpBuilder b(op.getLoc(), &op);
    auto replace = [&](Value with) {
      op.getResult(0).replaceAllUsesWith(with);
    };
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      Value out = destinations.lookup(attention.getOut());
      Value lse = attention.getLse() ? destinations.lookup(attention.getLse())
                                     : Value();
      if (out || lse)
        emitAttention(b, Buffers(attention, map), out, lse, precision);
    } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      replace(memref::DimOp::create(b, map.lookup(dim.getSource()),
                                    dim.getIndex()));
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      replace(memref::LoadOp::create(b, map.lookup(extract.getTensor()),
                                     extract.getIndices()));
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      if (isArgument(cast)) {
        auto type = mlir::cast<RankedTensorType>(cast.getType());
        map.map(cast.getResult(),
                Value(memref::CastOp::create(
                    b, bufferType(type, type.getElementType()),
                    map.lookup(cast.getSource()))));
      }
    }
  }

  ImplicitLocOpBuilder b(ret.getLoc(), ret);
  SmallVector<Value> scalars = llvm::filter_to_vector(
      ret.getOperands(), [](Value v) { return !isTensor(v.getType()); });
  func::ReturnOp::create(b, scalars);
  ret.erase();
  for (Operation *op : llvm::reverse(lowered))
    op->erase();
  for (BlockArgument arg : llvm::reverse(tensors))
    body.eraseArgument(arg.getArgNumber());

  function.setFunctionType(
      b.getFunctionType(body.getArgumentTypes(), scalarTypes));
  auto setAttrs = [&](ArrayRef<Attribute> attrs, auto set) {
    SmallVector<DictionaryAttr> dicts;
    for (Attribute attr : attrs)
      dicts.push_back(attr ? mlir::cast<DictionaryAttr>(attr)
                           : b.getDictionaryAttr({}));
    set(dicts);
  };
  setAttrs(argAttrs, [&](ArrayRef<DictionaryAttr> dicts) {
    function.setAllArgAttrs(dicts);
  });
  setAttrs(resultAttrs, [&](ArrayRef<DictionaryAttr> dicts) {
    function.setAllResultAttrs(dicts);
  });
}
