//===- OutlineParallel.cpp - parallel loops to runtime calls --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outlines the bodies of parallel loops into functions that the runtime's
// thread pool calls.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Passes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_OUTLINEPARALLELPASS
#include "attn/Target/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static constexpr llvm::StringLiteral kParallelFor = "attn_rt_parallel_for";

static bool isParallel(Operation *op) {
  return isa<scf::ForallOp, scf::ParallelOp>(op);
}

/// Replaces a parallel loop by serial ones in the same order.
static void serialize(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> lower =
      getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopLowerBounds());
  SmallVector<Value> upper =
      getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopUpperBounds());
  SmallVector<Value> steps =
      getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopSteps());
  Block *body = &op->getRegion(0).front();
  IRMapping mapping;
  for (auto [i, iv] : llvm::enumerate(*loop.getLoopInductionVars())) {
    auto serial = scf::ForOp::create(b, loc, lower[i], upper[i], steps[i]);
    mapping.map(iv, serial.getInductionVar());
    b.setInsertionPointToStart(serial.getBody());
  }
  for (Operation &inner : body->without_terminator())
    b.clone(inner, mapping);
  op->erase();
}

static LLVM::LLVMFuncOp getOrDeclareRuntime(ModuleOp module) {
  if (auto existing = module.lookupSymbol<LLVM::LLVMFuncOp>(kParallelFor))
    return existing;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, pointer, b.getI64Type()});
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), kParallelFor, type);
}

namespace {
class Outliner {
public:
  Outliner(ModuleOp module, func::FuncOp function)
      : module(module), function(function), converter(module.getContext()),
        pointerType(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult outline(Operation *op, unsigned number) {
    if (op->getNumResults() != 0)
      return op->emitOpError("has ")
             << op->getNumResults()
             << " results, expected none: bufferize parallel loops and lower "
                "their reductions before outlining";
    auto loop = cast<LoopLikeOpInterface>(op);
    OpBuilder b(op);
    Location loc = op->getLoc();
    lower = getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopLowerBounds());
    steps = getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopSteps());
    SmallVector<Value> upper =
        getValueOrCreateConstantIndexOp(b, loc, *loop.getLoopUpperBounds());

    // Trip count of each loop, and their product.
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value count = arith::ConstantIndexOp::create(b, loc, 1);
    trips.clear();
    for (auto [lo, hi, step] : llvm::zip_equal(lower, upper, steps)) {
      Value span = b.createOrFold<arith::SubIOp>(loc, hi, lo);
      Value trip = b.createOrFold<arith::CeilDivSIOp>(loc, span, step);
      trip = b.createOrFold<arith::MaxSIOp>(loc, trip, zero);
      trips.push_back(trip);
      count = b.createOrFold<arith::MulIOp>(loc, count, trip);
    }

    collectCaptures(op, count);
    SmallVector<Type> fields;
    for (Value value : captured) {
      Type field = converter.convertType(value.getType());
      if (!field || !LLVM::isCompatibleType(field))
        return op->emitOpError("captures a value of type ")
               << value.getType() << ", which has no form in memory";
      fields.push_back(field);
    }
    contextType = LLVM::LLVMStructType::getLiteral(module.getContext(), fields);

    func::FuncOp body = createBody(op, number, count);
    createCall(b, loc, body, count);
    op->erase();
    return success();
  }

private:
  /// Values from outside that the body needs. Constants are copied instead.
  void collectCaptures(Operation *op, Value count) {
    llvm::SetVector<Value> values;
    getUsedValuesDefinedAbove(op->getRegions(), values);
    for (ArrayRef<Value> bounds :
         {ArrayRef<Value>(lower), ArrayRef<Value>(steps),
          ArrayRef<Value>(trips)})
      values.insert(bounds.begin(), bounds.end());
    values.insert(count);
    captured.clear();
    constants.clear();
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      if (def && def->hasTrait<OpTrait::ConstantLike>())
        constants.push_back(def);
      else
        captured.push_back(value);
    }
  }

  func::FuncOp createBody(Operation *op, unsigned number, Value count) {
    Location loc = op->getLoc();
    OpBuilder b(function);
    auto type = b.getFunctionType({pointerType, b.getI64Type()}, {});
    auto body = func::FuncOp::create(
        b, loc, (function.getName() + "_parallel_" + Twine(number)).str(),
        type);
    body.setPrivate();
    body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                      b.getContext(), LLVM::Linkage::Internal));
    SymbolTable(module).insert(body);
    Block *entry = body.addEntryBlock();
    b.setInsertionPointToStart(entry);

    IRMapping mapping;
    for (Operation *constant : constants)
      b.clone(*constant, mapping);
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value at = LLVM::GEPOp::create(b, loc, pointerType, contextType,
                                     entry->getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      Value field = LLVM::LoadOp::create(b, loc, contextType.getBody()[i], at);
      if (field.getType() != value.getType())
        field =
            UnrealizedConversionCastOp::create(b, loc, value.getType(), field)
                .getResult(0);
      mapping.map(value, field);
    }

    // The last iterations first.
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                             entry->getArgument(1));
    index = arith::SubIOp::create(
        b, loc, arith::SubIOp::create(b, loc, mapping.lookup(count), one),
        index);
    auto ivs = *cast<LoopLikeOpInterface>(op).getLoopInductionVars();
    for (int i = ivs.size() - 1; i >= 0; --i) {
      Value position = index;
      if (i > 0) {
        Value trip = mapping.lookup(trips[i]);
        position = arith::RemUIOp::create(b, loc, index, trip);
        index = arith::DivUIOp::create(b, loc, index, trip);
      }
      Value scaled =
          arith::MulIOp::create(b, loc, position, mapping.lookup(steps[i]));
      mapping.map(ivs[i], arith::AddIOp::create(b, loc, scaled,
                                                mapping.lookup(lower[i]))
                              .getResult());
    }
    for (Operation &inner : op->getRegion(0).front().without_terminator())
      b.clone(inner, mapping);
    func::ReturnOp::create(b, loc);

    SmallVector<Operation *> nested;
    body.walk<WalkOrder::PostOrder>([&](Operation *inner) {
      if (isParallel(inner))
        nested.push_back(inner);
    });
    for (Operation *inner : nested)
      serialize(inner);
    return body;
  }

  void createCall(OpBuilder &b, Location loc, func::FuncOp body, Value count) {
    // In the entry block: once per call of the function, even if the parallel
    // loop is itself in a loop.
    Value context;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function.getBody().front());
      Value one = LLVM::ConstantOp::create(b, loc, b.getI64Type(), 1);
      context = LLVM::AllocaOp::create(b, loc, pointerType, contextType, one);
    }
    for (auto [i, value] : llvm::enumerate(captured)) {
      Type field = contextType.getBody()[i];
      Value stored = value;
      if (field != value.getType())
        stored = UnrealizedConversionCastOp::create(b, loc, field, value)
                     .getResult(0);
      Value at = LLVM::GEPOp::create(b, loc, pointerType, contextType, context,
                                     ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(b, loc, stored, at);
    }
    Value address = func::ConstantOp::create(b, loc, body.getFunctionType(),
                                             SymbolRefAttr::get(body));
    address = UnrealizedConversionCastOp::create(b, loc, pointerType, address)
                  .getResult(0);
    Value count64 = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    LLVM::CallOp::create(b, loc, getOrDeclareRuntime(module),
                         ValueRange{address, context, count64});
  }

  ModuleOp module;
  func::FuncOp function;
  LLVMTypeConverter converter;
  LLVM::LLVMPointerType pointerType;
  LLVM::LLVMStructType contextType;
  SmallVector<Value> lower, steps, trips, captured;
  SmallVector<Operation *> constants;
};

struct OutlineParallel
    : public attn::impl::OutlineParallelPassBase<OutlineParallel> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      SmallVector<Operation *> loops;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isParallel(op))
          return WalkResult::advance();
        loops.push_back(op);
        return WalkResult::skip();
      });
      Outliner outliner(module, function);
      for (auto [number, loop] : llvm::enumerate(loops))
        if (failed(outliner.outline(loop, number)))
          return signalPassFailure();
    }
  }
};
} // namespace
