//===- RegistersToNVVM.cpp - Values in registers to NVVM ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise operations change their types only; broadcasts between layouts
// are shuffles inside a thread; reductions exchange values in a quad.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

bool attn::isKnownElementwise(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
               math::Exp2Op, math::FloorOp, math::FmaOp, math::Log2Op,
               math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
  return isa<arith::ArithDialect>(op->getDialect()) &&
         (OpTrait::hasElementwiseMappableTraits(op) ||
          isa<arith::ConstantOp>(op));
}

namespace {
/// Any elementwise operation, on what one thread holds.
struct ElementwiseLowering : ConversionPattern {
  ElementwiseLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || !isKnownElementwise(op) ||
        getTypeConverter()->isLegal(op))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

/// A function that LLVM has no instruction for, or not the wanted one: f32
/// element by element through the intrinsic.
template <typename Op>
struct IntrinsicLowering : OpConversionPattern<Op> {
  IntrinsicLowering(const TypeConverter &converter, MLIRContext *context,
                    StringRef intrinsic)
      : OpConversionPattern<Op>(converter, context, /*benefit=*/2),
        intrinsic(intrinsic) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    NVVMBuilder b(op.getLoc(), rewriter);
    auto call = [&](ValueRange operands) -> Value {
      return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                           b.getStringAttr(intrinsic), operands)
          .getResults();
    };
    if (!isa<VectorType>(op.getType())) {
      rewriter.replaceOp(op, call(adaptor.getOperands()));
      return success();
    }
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : adaptor.getOperands())
      operands.push_back(b.unpack(operand));
    SmallVector<Value> results;
    for (size_t i = 0; i < operands[0].size(); ++i) {
      SmallVector<Value> elements;
      for (ArrayRef<Value> operand : operands)
        elements.push_back(operand[i]);
      results.push_back(call(elements));
    }
    rewriter.replaceOp(
        op,
        b.pack(results, this->getTypeConverter()->convertType(op.getType())));
    return success();
  }

  StringRef intrinsic;
};

struct ConstantLowering : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = getTypeConverter()->convertType<ShapedType>(op.getType());
    if (!value || !type)
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value.resizeSplat(type));
    return success();
  }
};

struct BroadcastLowering : OpConversionPattern<vector::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());
    if (!type)
      return failure();
    auto source = dyn_cast<VectorType>(op.getSourceType());
    if (!source) {
      rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type,
                                                       adaptor.getSource());
      return success();
    }
    std::optional<Layout> from = getLayout(source),
                          to = getLayout(op.getType());
    // The same elements of each thread.
    if (from == to || to == Layout::RowPartials) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    SmallVector<int64_t> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(from == Layout::RowValues
                             ? RegisterLayout::getRowElement(i)
                             : RegisterLayout::getColumnElement(i));
    rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
        op, adaptor.getSource(), adaptor.getSource(), elements);
    return success();
  }
};

struct IotaLowering : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    auto source = cast<VectorType>(op.getType());
    auto type = getTypeConverter()->convertType<VectorType>(source);
    bool isRows = getLayout(source) == Layout::RowValues;
    Value first = isRows ? b.getFragmentRow() : b.getFragmentColumn();
    if (type.getElementType().isIndex())
      first = arith::IndexCastUIOp::create(b, b.getIndexType(), first);
    RegisterLayout layout(source);
    SmallVector<Attribute> steps;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Position at = layout.getPosition(0, i);
      steps.push_back(
          b.getIntegerAttr(type.getElementType(), isRows ? at.row : at.column));
    }
    Value splat = vector::BroadcastOp::create(b, type, first);
    Value step =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, steps));
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, splat, step);
    return success();
  }
};

/// A comparison of column numbers with values that are the same in all columns,
/// as masks are made of. What depends on the thread goes to the other side, so
/// that constants are compared, which take no registers:
///
///   shift + first + c < x   becomes   c < x - shift - first
struct ColumnCompareLowering : OpConversionPattern<arith::CmpIOp> {
  ColumnCompareLowering(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(arith::CmpIOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getPredicate() >= arith::CmpIPredicate::ult)
      return failure();
    std::optional<Columns> columns = matchColumns(op.getLhs());
    bool onLeft = columns.has_value();
    if (!onLeft)
      columns = matchColumns(op.getRhs());
    if (!columns)
      return failure();
    Value bound = matchBound(onLeft ? op.getRhs() : op.getLhs());
    if (!bound)
      return failure();

    NVVMBuilder b(op.getLoc(), rewriter);
    auto type =
        getTypeConverter()->convertType<VectorType>(op.getLhs().getType());
    RegisterLayout layout(columns->iota.getType());
    Value shift = b.toI64(b.getFragmentColumn());
    if (columns->shift)
      shift =
          b.add(shift, extend(b, rewriter.getRemappedValue(columns->shift)));
    // No column is below 0 or beyond the last, so bounds further out say the
    // same as these.
    SmallVector<Value> bounds;
    Value source = rewriter.getRemappedValue(bound);
    for (Value value : isa<VectorType>(source.getType())
                           ? b.unpack(source)
                           : SmallVector<Value>{source}) {
      Value relative = b.sub(extend(b, value), shift);
      relative = arith::MaxSIOp::create(b, relative, b.i64(-1));
      relative = arith::MinSIOp::create(
          b, relative, b.i64(columns->iota.getType().getDimSize(1)));
      bounds.push_back(b.toI32(relative));
    }

    bool isFragment = type.getNumElements() != layout.getNumElements();
    SmallVector<Attribute> numbers;
    SmallVector<Value> limits;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t column = isFragment ? RegisterLayout::getColumnElement(i) : i;
      numbers.push_back(
          b.getI32IntegerAttr(layout.getPosition(0, column).column));
      limits.push_back(bounds.size() == 1
                           ? bounds[0]
                           : bounds[RegisterLayout::getRowElement(i)]);
    }
    Value number =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, numbers));
    Value limit = b.pack(limits, type);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                               onLeft ? number : limit,
                                               onLeft ? limit : number);
    return success();
  }

private:
  struct Columns {
    IotaOp iota;
    Value shift; ///< A scalar that is added, or nothing.
  };

  static Value peelBroadcast(Value value) {
    while (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
      value = broadcast.getSource();
    return value;
  }

  static IotaOp matchIota(Value value) {
    auto iota = peelBroadcast(value).getDefiningOp<IotaOp>();
    bool isColumns = iota &&
                     getLayout(iota.getType()) == Layout::ColumnValues &&
                     iota.getType().getElementType().isInteger(32);
    return isColumns ? iota : IotaOp();
  }

  static std::optional<Columns> matchColumns(Value value) {
    if (IotaOp iota = matchIota(value))
      return Columns{iota, Value()};
    auto sum = peelBroadcast(value).getDefiningOp<arith::AddIOp>();
    // A sum that wraps around compares otherwise.
    if (!sum || !bitEnumContainsAll(sum.getOverflowFlags(),
                                    arith::IntegerOverflowFlags::nsw))
      return std::nullopt;
    for (auto [number, shift] : {std::pair(sum.getLhs(), sum.getRhs()),
                                 std::pair(sum.getRhs(), sum.getLhs())}) {
      IotaOp iota = matchIota(number);
      Value scalar = peelBroadcast(shift);
      if (iota && !isa<VectorType>(scalar.getType()))
        return Columns{iota, scalar};
    }
    return std::nullopt;
  }

  /// A scalar, or values of rows.
  static Value matchBound(Value value) {
    value = peelBroadcast(value);
    auto type = dyn_cast<VectorType>(value.getType());
    return !type || getLayout(type) == Layout::RowValues ? value : Value();
  }

  static Value extend(NVVMBuilder &b, Value value) {
    return arith::ExtSIOp::create(b, b.getI64Type(), value);
  }
};

struct RowReduceLowering : OpConversionPattern<RowReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Chains that do not wait for each other.
  static constexpr size_t kChains = 4;

  static Value combine(NVVMBuilder &b, vector::CombiningKind kind, Value x,
                       Value y) {
    switch (kind) {
    case vector::CombiningKind::MAXNUMF:
      return arith::MaxNumFOp::create(b, x, y);
    case vector::CombiningKind::MINNUMF:
      return arith::MinNumFOp::create(b, x, y);
    default:
      return arith::AddFOp::create(b, x, y);
    }
  }

  LogicalResult
  matchAndRewrite(RowReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    vector::CombiningKind kind = op.getKind();
    auto source = cast<VectorType>(op.getSource().getType());
    auto result = cast<VectorType>(op.getResult().getType());
    SmallVector<Value> elements = b.unpack(adaptor.getSource());
    SmallVector<Value> rows(elements);
    if (getLayout(source) == Layout::Fragment) {
      for (int64_t row = 0; row < 2; ++row) {
        SmallVector<Value> chains;
        size_t count = 0;
        for (auto [i, element] : llvm::enumerate(elements)) {
          if (RegisterLayout::getRowElement(i) != row)
            continue;
          if (count < kChains)
            chains.push_back(element);
          else
            chains[count % kChains] =
                combine(b, kind, chains[count % kChains], element);
          ++count;
        }
        for (; chains.size() > 1; chains.resize(chains.size() / 2))
          for (size_t i = 0; i < chains.size() / 2; ++i)
            chains[i] =
                combine(b, kind, chains[i], chains[chains.size() / 2 + i]);
        rows[row] = chains.front();
      }
      rows.resize(2);
    }
    if (getLayout(result) == Layout::RowValues)
      for (Value &row : rows)
        for (int64_t distance : {1, 2}) {
          Value other = NVVM::ShflOp::create(b, b.getF32Type(), b.i32(-1), row,
                                             b.i32(distance), b.i32(31),
                                             NVVM::ShflKind::bfly, UnitAttr());
          row = combine(b, kind, row, other);
        }
    rewriter.replaceOp(op,
                       b.pack(rows, getTypeConverter()->convertType(result)));
    return success();
  }
};
/// The products stand under a condition that the warp has in common. Matrix
/// instructions follow, so its threads must come back together: they do, no
/// thread goes another way.
struct ScaleRowsLowering : OpConversionPattern<ScaleRowsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScaleRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Value fragment = adaptor.getFragment();
    auto type = cast<VectorType>(fragment.getType());
    SmallVector<Value> factors = b.unpack(adaptor.getFactors());
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
    Value moved;
    for (Value factor : factors) {
      // A NaN is not 1.
      Value other =
          arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, factor, one);
      moved = moved ? b.bitOr(moved, other) : other;
    }
    Value any = NVVM::VoteSyncOp::create(b, b.getI1Type(), b.i32(-1), moved,
                                         NVVM::VoteSyncKind::any);
    SmallVector<int64_t> rows;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      rows.push_back(RegisterLayout::getRowElement(i));
    auto branch = scf::IfOp::create(
        b, any,
        [&](OpBuilder &, Location) {
          Value factor = vector::ShuffleOp::create(
              b, type, adaptor.getFactors(), adaptor.getFactors(), rows);
          Value scaled = arith::MulFOp::create(b, fragment, factor);
          scf::YieldOp::create(b, scaled);
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, fragment); });
    rewriter.replaceOp(op, branch);
    return success();
  }
};
} // namespace

void attn::populateRegisterPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwiseLowering, ColumnCompareLowering, ConstantLowering,
               BroadcastLowering, IotaLowering, RowReduceLowering,
               ScaleRowsLowering>(converter, context);
  // PTX ISA: both within 2 ulp, and free of slow paths.
  patterns.add<IntrinsicLowering<arith::DivFOp>>(converter, context,
                                                 "llvm.nvvm.div.full.ftz");
  patterns.add<IntrinsicLowering<math::Log2Op>>(converter, context,
                                                "llvm.nvvm.lg2.approx.ftz.f");
}
