//===- ProductsToNVVM.cpp - Products to NVVM ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product becomes one group of `wgmma` instructions (PTX ISA, asynchronous
// warpgroup level matrix instructions), its wait an instruction that the
// accumulators run through, so that nothing uses them before.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {
/// Writes the instructions of one product. With A in registers they stand in
/// one piece of assembly: a register of A that was written while a product is
/// in flight would make ptxas wait for it (C7513).
class ProductEmitter {
public:
  ProductEmitter(NVVMBuilder &b, MmaOp op, Value a, Value b16, Value c)
      : b(b), op(op), a(a), bTile(b16),
        bOperand(TileLayout(op.getB().getType()), !op.getTransposeB()) {
    columns = op.getFragmentType().getDimSize(1);
    results.assign(columns / 2, b.getF32Type());
    if (c)
      accumulators = b.unpack(c);
  }

  SmallVector<Value> emit() {
    if (isa<TileType>(op.getA().getType()))
      emitFromTile();
    else
      emitFromRegisters();
    return accumulators;
  }

private:
  int64_t getNumSteps() { return op.getContraction() / MatrixOperand::kStep; }

  /// The descriptor of the whole tile.
  Value getDescriptor(Value tile, const MatrixOperand &operand) {
    Value address = b.address(tile, b.getI32Type());
    Value field = b.bitAnd(address, 0x3FFFF);
    field = b.toI64(arith::ShRUIOp::create(b, field, b.i32(4)));
    return b.bitOr(field, b.i64(operand.getDescriptorBits()));
  }

  /// "{$0, ..., $(n-1)}"
  static std::string getRegisters(size_t first, size_t count) {
    std::string text = "{";
    for (size_t i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return text + "}";
  }

  /// One instruction; `aText` and `bText` are its operands.
  std::string getInstruction(StringRef aText, StringRef bText, bool aIsTile,
                             bool accumulates) {
    StringRef element =
        op.getB().getType().getElementType().isBF16() ? "bf16" : "f16";
    std::string transposed = bOperand.isTransposed() ? "1" : "0";
    if (aIsTile)
      transposed = (op.getTransposeA() ? "1, " : "0, ") + transposed;
    return llvm::formatv(
        "setp.ne.b32 p, {0}, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n{1}k16.f32.{2}.{2} {3}, {4}, {5}, p, "
        "1, 1, {6};\n",
        accumulates ? 1 : 0, columns, element, getRegisters(0, results.size()),
        aText, bText, transposed);
  }

  void emitFromTile() {
    MatrixOperand aOperand(TileLayout(cast<TileType>(op.getA().getType())),
                           op.getTransposeA());
    Value aDescriptor = getDescriptor(a, aOperand);
    Value bDescriptor = getDescriptor(bTile, bOperand);
    auto advance = [&](Value descriptor, const MatrixOperand &operand,
                       int64_t step) {
      return b.add(descriptor,
                   static_cast<int64_t>(MatrixOperand::encodeAddress(
                       operand.getStepOffset(step))));
    };
    for (int64_t step = 0; step < getNumSteps(); ++step) {
      InlinePTX code;
      code.results = results;
      code.tied = accumulators;
      code.inputs = {advance(aDescriptor, aOperand, step),
                     advance(bDescriptor, bOperand, step)};
      bool accumulates = !accumulators.empty();
      code.text = "{\n.reg .pred p;\n";
      if (step == 0)
        code.text += "wgmma.fence.sync.aligned;\n";
      code.text += getInstruction(code.input(0), code.input(1),
                                  /*aIsTile=*/true, accumulates);
      if (step == getNumSteps() - 1)
        code.text += "wgmma.commit_group.sync.aligned;\n";
      code.text += "}";
      accumulators = b.ptx(code);
    }
  }

  void emitFromRegisters() {
    InlinePTX code;
    code.results = results;
    code.tied = accumulators;
    code.inputs.push_back(getDescriptor(bTile, bOperand));
    llvm::append_range(code.inputs, b.unpackPairs(a));
    size_t firstPair = code.results.size() + code.tied.size() + 1;
    code.text = "{\n.reg .pred p;\n.reg .b64 d;\nwgmma.fence.sync.aligned;\n";
    for (int64_t step = 0; step < getNumSteps(); ++step) {
      code.text += llvm::formatv(
          "add.s64 d, {0}, {1};\n", code.input(0),
          MatrixOperand::encodeAddress(bOperand.getStepOffset(step)));
      code.text +=
          getInstruction(getRegisters(firstPair + 4 * step, 4), "d",
                         /*aIsTile=*/false, step > 0 || !accumulators.empty());
    }
    code.text += "wgmma.commit_group.sync.aligned;\n}";
    accumulators = b.ptx(code);
  }

  NVVMBuilder &b;
  MmaOp op;
  Value a, bTile;
  MatrixOperand bOperand;
  int64_t columns;
  SmallVector<Type> results;
  SmallVector<Value> accumulators;
};

/// Reads a register of each instruction's part of `a`, to no effect. ptxas
/// (12.8 to 13.0) else takes the registers for free behind the product, where a
/// loop has a branch and only its products use them, and the next step
/// multiplies something else.
void keepRegisters(NVVMBuilder &b, Value a) {
  InlinePTX code;
  SmallVector<Value> pairs = b.unpackPairs(a);
  for (size_t i = 0; i < pairs.size(); i += 4)
    code.inputs.push_back(pairs[i]);
  code.text = "{\n.reg .pred p;\n.reg .b32 x;\n";
  code.text += llvm::formatv("mov.b32 x, {0};\n", code.input(0));
  for (size_t i = 1; i < code.inputs.size(); ++i)
    code.text += llvm::formatv("xor.b32 x, x, {0};\n", code.input(i));
  // Harmless on the day it happens, and nothing that ptxas can prove away.
  code.text += "setp.eq.b32 p, x, 0x9E3779B9;\n@p nanosleep.u32 1;\n}";
  b.ptx(code);
}

struct MmaLowering : OpConversionPattern<MmaOp> {
  MmaLowering(const TypeConverter &converter, MLIRContext *context,
              const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    ProductEmitter product(b, op, adaptor.getA(), adaptor.getB(),
                           adaptor.getC());
    Value started =
        b.pack(product.emit(), getTypeConverter()->convertType(op.getType()));
    // While a product is in flight nothing may read its registers.
    if (plan.usesAgainAcrossBranch(op))
      for (Operation *user : op->getUsers())
        if (isa<MmaWaitOp>(user)) {
          b.setInsertionPointAfter(user);
          keepRegisters(b, adaptor.getA());
        }
    rewriter.replaceOp(op, started);
    return success();
  }

private:
  const KernelPlan &plan;
};

struct MmaWaitLowering : OpConversionPattern<MmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MmaWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    InlinePTX code;
    code.tied = b.unpack(adaptor.getProduct());
    code.results.assign(code.tied.size(), b.getF32Type());
    code.text =
        llvm::formatv("wgmma.wait_group.sync.aligned {0};", op.getPending());
    rewriter.replaceOp(
        op, b.pack(b.ptx(code), getTypeConverter()->convertType(op.getType())));
    return success();
  }
};

struct SubtileLowering : OpConversionPattern<SubtileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SubtileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Value bytes = b.mul(b.toI32(adaptor.getRow()), TileType::kPanelRowBytes);
    rewriter.replaceOp(op, b.offset(adaptor.getSource(), bytes));
    return success();
  }
};

struct LoadFragmentLowering : OpConversionPattern<LoadFragmentOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadFragmentOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    TileLayout tile(op.getTile().getType());
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());

    MatrixAddress address(b, adaptor.getTile(), tile);
    auto quad = LLVM::LLVMStructType::getLiteral(
        getContext(), SmallVector<Type>(4, b.getI32Type()));
    SmallVector<Value> pairs;
    for (int64_t step = 0; step < tile.getColumns() / MatrixOperand::kStep;
         ++step) {
      Value loaded = NVVM::LdMatrixOp::create(
          b, quad, address.get(step), /*num=*/4, NVVM::MMALayout::row,
          NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
          NVVM::LdStMatrixEltType::B16);
      for (int64_t i = 0; i < 4; ++i)
        pairs.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
    }
    auto packed =
        VectorType::get({static_cast<int64_t>(pairs.size())}, b.getI32Type());
    rewriter.replaceOpWithNewOp<vector::BitCastOp>(op, type,
                                                   b.pack(pairs, packed));
    return success();
  }
};
} // namespace

void attn::populateProductPatterns(const TypeConverter &converter,
                                   const KernelPlan &plan,
                                   RewritePatternSet &patterns) {
  patterns.add<MmaLowering>(converter, patterns.getContext(), plan);
  patterns.add<MmaWaitLowering, SubtileLowering, LoadFragmentLowering>(
      converter, patterns.getContext());
}
