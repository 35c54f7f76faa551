//===- AttnGPUToNVVM.cpp - Tile programs to NVVM --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, the types and what is legal after it.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnGPUToNVVM/AttnGPUToNVVM.h"
#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNGPUTONVVMPASS
#include "attn/Conversion/AttnGPUToNVVM/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type convertVector(VectorType type) {
  if (!getLayout(type))
    return type;
  return VectorType::get({RegisterLayout(type).getNumElements()},
                         type.getElementType());
}

void attn::populateAttnGPUToNVVMTypeConversions(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(convertVector);
  converter.addConversion(
      [](InFlightType type) { return convertVector(type.getFragment()); });
  converter.addConversion([](TileType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  });
  converter.addConversion([](RingType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  });
  converter.addConversion(
      [](MemRefType type,
         SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        MLIRContext *context = type.getContext();
        for (const KernelParameter &parameter : getParameters(0, type))
          results.push_back(
              parameter.kind == KernelParameter::Kind::Pointer
                  ? Type(LLVM::LLVMPointerType::get(context, kGlobalSpace))
                  : Type(IntegerType::get(context, 64)));
        return success();
      });
}

void attn::populateAttnGPUToNVVMPatterns(const TypeConverter &converter,
                                         const KernelPlan &plan,
                                         RewritePatternSet &patterns) {
  populateKernelPatterns(converter, plan, patterns);
  populateWorkPatterns(converter, plan, patterns);
  populateCopyPatterns(converter, plan, patterns);
  populateStagedWritePatterns(converter, plan, patterns);
  populateRingPatterns(converter, plan, patterns);
  populateRolePatterns(converter, plan, patterns);
  populateProductPatterns(converter, plan, patterns);
  populateRegisterPatterns(converter, plan, patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Arguments of type index become i64, cast where the body begins.
static void convertIndexArguments(KernelOp kernel) {
  OpBuilder b(kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<Type> types(kernel.getArgumentTypes());
  for (auto [type, argument] : llvm::zip_equal(types, kernel.getArguments())) {
    if (!type.isIndex())
      continue;
    type = b.getI64Type();
    argument.setType(type);
    auto cast = arith::IndexCastOp::create(b, kernel.getLoc(), b.getIndexType(),
                                           argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  kernel.setFunctionType(b.getFunctionType(types, {}));
}

/// Drops the parameters of `func` that its body does not use.
static void dropUnusedParameters(LLVM::LLVMFuncOp func) {
  auto parameters =
      func->getAttrOfType<ArrayAttr>("attn_gpu.parameters").getValue();
  llvm::BitVector unused(func.getNumArguments());
  SmallVector<Attribute> kept;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (auto [i, argument] : llvm::enumerate(func.getArguments())) {
    // An index argument that nothing uses is still cast.
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (isOpTriviallyDead(user))
        user->erase();
    if (argument.use_empty()) {
      unused.set(i);
      continue;
    }
    kept.push_back(parameters[i]);
    types.push_back(argument.getType());
    attributes.push_back(func.getArgAttrDict(i));
  }
  func.getBody().front().eraseArguments(unused);
  func.setFunctionType(LLVM::LLVMFunctionType::get(
      func.getFunctionType().getReturnType(), types));
  func.setAllArgAttrs(attributes);
  func->setAttr("attn_gpu.parameters", ArrayAttr::get(func.getContext(), kept));
}

/// One shuffle for all uses, among them roles, turns and staged writes.
static void uniteWarpgroupIndices(KernelOp kernel, KernelPlan &plan) {
  SmallVector<WarpgroupIndexOp> ops;
  kernel.walk([&](WarpgroupIndexOp op) { ops.push_back(op); });
  if (ops.empty() && !plan.hasProducer() && !plan.hasTurns() &&
      !plan.hasStagedWrites())
    return;
  OpBuilder b(kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto united = WarpgroupIndexOp::create(b, kernel.getLoc());
  for (WarpgroupIndexOp op : ops) {
    op.replaceAllUsesWith(united.getResult());
    op.erase();
  }
  plan.setWarpgroup(united.getResult());
}

/// Makes sure that the module has the symbol of dynamic shared memory.
static void declareSharedMemory(KernelOp kernel) {
  Operation *module = SymbolTable::getNearestSymbolTable(kernel->getParentOp());
  if (SymbolTable::lookupSymbolIn(module, kSharedSymbol))
    return;
  OpBuilder b(kernel.getContext());
  b.setInsertionPointToStart(&module->getRegion(0).front());
  LLVM::GlobalOp::create(
      b, kernel.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), 0),
      /*isConstant=*/false, LLVM::Linkage::External, kSharedSymbol,
      /*value=*/Attribute(), KernelPlan::kTileAlignment, kSharedSpace);
}

LogicalResult attn::convertKernelToNVVM(KernelOp kernel) {
  // Both report, so that all errors come at once.
  bool isKnown = succeeded(checkKernel(kernel));
  FailureOr<KernelPlan> plan = KernelPlan::get(kernel);
  if (!isKnown || failed(plan))
    return failure();

  convertIndexArguments(kernel);
  uniteWarpgroupIndices(kernel, *plan);
  if (plan->getSharedBytes() > 0)
    declareSharedMemory(kernel);

  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  populateAttnGPUToNVVMTypeConversions(converter);
  RewritePatternSet patterns(context);
  populateAttnGPUToNVVMPatterns(converter, *plan, patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalDialect<AttnGPUDialect>();
  target
      .addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect,
                                  memref::MemRefDialect, vector::VectorDialect>(
          [&](Operation *op) { return converter.isLegal(op); });
  target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                      arith::FloorDivSIOp>();
  target.addDynamicallyLegalOp<arith::DivFOp, math::Log2Op>([](Operation *op) {
    return !getElementTypeOrSelf(op->getResult(0)).isF32();
  });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);

  StringAttr name = kernel.getSymNameAttr();
  Operation *module = SymbolTable::getNearestSymbolTable(kernel->getParentOp());
  if (failed(applyPartialConversion(kernel, target, std::move(patterns))))
    return failure();
  dropUnusedParameters(
      cast<LLVM::LLVMFuncOp>(SymbolTable::lookupSymbolIn(module, name)));
  return success();
}

namespace {
struct ConvertAttnGPUToNVVMPass
    : attn::impl::ConvertAttnGPUToNVVMPassBase<ConvertAttnGPUToNVVMPass> {
  void runOnOperation() override {
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (failed(convertKernelToNVVM(kernel)))
        signalPassFailure();
  }
};
} // namespace
