//===- KernelToNVVM.cpp - Kernels and work to NVVM ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel becomes a function that begins with the setup of its barriers.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {
struct KernelLowering : OpConversionPattern<KernelOp> {
  KernelLowering(const TypeConverter &converter, MLIRContext *context,
                 const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(KernelOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<Attribute> parameters;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      SmallVector<Type> converted;
      if (failed(getTypeConverter()->convertType(type, converted)))
        return failure();
      signature.addInputs(i, converted);
      for (const KernelParameter &parameter : getParameters(i, type))
        parameters.push_back(parameter.getAttr(getContext()));
    }

    SmallVector<Attribute> attributes(signature.getConvertedTypes().size(),
                                      rewriter.getDictionaryAttr({}));
    if (plan.getSchedule() == WorkSchedule::Dynamic) {
      signature.addInputs(
          LLVM::LLVMPointerType::get(getContext(), kGlobalSpace));
      attributes.push_back(rewriter.getDictionaryAttr({}));
      parameters.push_back(
          KernelParameter{KernelParameter::Kind::Counter}.getAttr(
              getContext()));
    }
    for (const TileMapPlan &map : plan.getTileMaps()) {
      signature.addInputs(LLVM::LLVMPointerType::get(getContext()));
      attributes.push_back(getTileMapAttrs());
      KernelParameter parameter = {KernelParameter::Kind::TileMap, map.argument,
                                   map.rowDimension, map.rows};
      parameters.push_back(parameter.getAttr(getContext()));
    }

    auto func = LLVM::LLVMFuncOp::create(
        rewriter, op.getLoc(), op.getSymName(),
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()),
                                    signature.getConvertedTypes()));
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                  rewriter.getUnitAttr());
    func->setAttr(
        NVVM::NVVMDialect::getReqntidAttrName(),
        rewriter.getDenseI32ArrayAttr(static_cast<int32_t>(plan.getThreads())));
    func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  rewriter.getI32IntegerAttr(1));
    // Lets `exp2` be one instruction.
    func.setDenormalFpMathF32("preserve-sign");
    func->setAttr("attn_gpu.dynamic_shared_bytes",
                  rewriter.getI64IntegerAttr(plan.getSharedBytes()));
    func->setAttr("attn_gpu.parameters", rewriter.getArrayAttr(parameters));
    if (plan.getCluster() != 1) {
      func->setAttr("attn_gpu.cluster",
                    rewriter.getI64IntegerAttr(plan.getCluster()));
      func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    rewriter.getDenseI32ArrayAttr(
                        static_cast<int32_t>(plan.getCluster())));
    }
    if (plan.getSchedule() != WorkSchedule::Once)
      func->setAttr("attn_gpu.persistent", rewriter.getUnitAttr());

    func.setArgAttrsAttr(rewriter.getArrayAttr(attributes));

    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    Block *body = rewriter.applySignatureConversion(
        &func.getBody().front(), signature, getTypeConverter());
    NVVMBuilder b(op.getLoc(), rewriter);
    b.setInsertionPointToStart(body);
    emitTurnSetup(b, plan);
    emitBarrierSetup(b, plan,
                     body->getArguments().take_back(plan.getTileMaps().size()));
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// A map is passed by value and stays in parameter memory, where the copy
  /// engine wants it.
  Attribute getTileMapAttrs() const {
    constexpr int64_t kMapBytes = 128, kMapAlignment = 64; // CUtensorMap
    Builder b(getContext());
    return b.getDictionaryAttr(
        {b.getNamedAttr(
             LLVM::LLVMDialect::getByValAttrName(),
             TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), kMapBytes))),
         b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(kMapAlignment)),
         b.getNamedAttr(NVVM::NVVMDialect::getGridConstantAttrName(),
                        b.getUnitAttr())});
  }

  const KernelPlan &plan;
};

struct ReturnLowering : OpConversionPattern<attn_gpu::ReturnOp> {
  ReturnLowering(const TypeConverter &converter, MLIRContext *context,
                 const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(attn_gpu::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Others may still arrive at barriers here: shared memory must not go
    // before (PTX ISA, mapa).
    if (plan.getCluster() != 1) {
      NVVMBuilder b(op.getLoc(), rewriter);
      emitClusterBarrier(b);
    }
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }

  const KernelPlan &plan;
};

struct DimLowering : OpConversionPattern<memref::DimOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(memref::DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!type || !dim)
      return failure();
    NVVMBuilder b(op.getLoc(), rewriter);
    TensorView tensor(b, type, adaptor.getSource());
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, b.getIndexType(),
                                                    tensor.getExtent(*dim));
    return success();
  }
};
} // namespace

void attn::populateKernelPatterns(const TypeConverter &converter,
                                  const KernelPlan &plan,
                                  RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<KernelLowering, ReturnLowering>(converter, context, plan);
  patterns.add<DimLowering>(converter, context);
}
