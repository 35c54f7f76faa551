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
#include "llvm/Support/FormatVariadic.h"

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
class ColumnCompare {
public:
  /// Fails where `op` compares something else.
  static FailureOr<ColumnCompare> match(arith::CmpIOp op) {
    ColumnCompare compare;
    compare.predicate = op.getPredicate();
    if (compare.predicate >= arith::CmpIPredicate::ult)
      return failure();
    Value other = op.getRhs();
    if (!compare.matchColumns(op.getLhs())) {
      other = op.getLhs();
      compare.predicate = swap(compare.predicate);
      if (!compare.matchColumns(op.getRhs()))
        return failure();
    }
    compare.bound = matchBound(other);
    if (!compare.bound)
      return failure();
    return compare;
  }

  arith::CmpIPredicate getPredicate() const { return predicate; }
  IotaOp getColumns() const { return iota; }

  /// What `c` is compared with, i64: one value, or one for each row of a
  /// thread.
  SmallVector<Value> emitBounds(NVVMBuilder &b,
                                ConversionPatternRewriter &rewriter) const {
    Value first = b.toI64(b.getFragmentColumn());
    if (shift)
      first = b.add(first, extend(b, rewriter.getRemappedValue(shift)));
    SmallVector<Value> bounds;
    Value source = rewriter.getRemappedValue(bound);
    for (Value value : isa<VectorType>(source.getType())
                           ? b.unpack(source)
                           : SmallVector<Value>{source})
      bounds.push_back(b.sub(extend(b, value), first));
    return bounds;
  }

  /// `c <predicate> bounds` on what a thread holds of `type`; not before loops
  /// around, unless it `isDropped` anyway: results that are kept from there
  /// take registers that loops need.
  static Value emit(NVVMBuilder &b, arith::CmpIPredicate predicate, IotaOp iota,
                    ArrayRef<Value> bounds, VectorType type,
                    bool isDropped = false) {
    // No column is below 0 or beyond the last, so bounds further out say the
    // same as these.
    SmallVector<Value> clamped;
    for (Value bound : bounds) {
      bound = arith::MaxSIOp::create(b, bound, b.i64(-1));
      bound =
          arith::MinSIOp::create(b, bound, b.i64(iota.getType().getDimSize(1)));
      bound = b.toI32(bound);
      clamped.push_back(isDropped ? bound : b.opaque(bound));
    }
    RegisterLayout layout(iota.getType());
    bool isFragment = type.getNumElements() != layout.getNumElements();
    SmallVector<Attribute> numbers;
    SmallVector<Value> limits;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t column = isFragment ? RegisterLayout::getColumnElement(i) : i;
      numbers.push_back(
          b.getI32IntegerAttr(layout.getPosition(0, column).column));
      limits.push_back(clamped.size() == 1
                           ? clamped[0]
                           : clamped[RegisterLayout::getRowElement(i)]);
    }
    auto numbersType = type.clone(b.getI32Type());
    Value number = arith::ConstantOp::create(
        b, DenseElementsAttr::get(numbersType, numbers));
    return arith::CmpIOp::create(b, predicate, number,
                                 b.pack(limits, numbersType));
  }

  static Value peelBroadcast(Value value) {
    while (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
      value = broadcast.getSource();
    return value;
  }

private:
  static arith::CmpIPredicate swap(arith::CmpIPredicate predicate) {
    switch (predicate) {
    case arith::CmpIPredicate::slt:
      return arith::CmpIPredicate::sgt;
    case arith::CmpIPredicate::sle:
      return arith::CmpIPredicate::sge;
    case arith::CmpIPredicate::sgt:
      return arith::CmpIPredicate::slt;
    case arith::CmpIPredicate::sge:
      return arith::CmpIPredicate::sle;
    default:
      return predicate;
    }
  }

  static IotaOp matchIota(Value value) {
    auto iota = peelBroadcast(value).getDefiningOp<IotaOp>();
    bool isColumns = iota &&
                     getLayout(iota.getType()) == Layout::ColumnValues &&
                     iota.getType().getElementType().isInteger(32);
    return isColumns ? iota : IotaOp();
  }

  bool matchColumns(Value value) {
    iota = matchIota(value);
    if (iota)
      return true;
    auto sum = peelBroadcast(value).getDefiningOp<arith::AddIOp>();
    // A sum that wraps around compares otherwise.
    if (!sum || !bitEnumContainsAll(sum.getOverflowFlags(),
                                    arith::IntegerOverflowFlags::nsw))
      return false;
    for (auto [number, added] : {std::pair(sum.getLhs(), sum.getRhs()),
                                 std::pair(sum.getRhs(), sum.getLhs())}) {
      iota = matchIota(number);
      shift = peelBroadcast(added);
      if (iota && !isa<VectorType>(shift.getType()))
        return true;
    }
    return false;
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

  arith::CmpIPredicate predicate; ///< Columns on the left.
  IotaOp iota;
  Value shift; ///< A scalar that is added to the columns, or nothing.
  Value bound;
};

/// Several comparisons of column numbers that must all hold: one with the least
/// of the bounds from above, one with the greatest of those from below.
struct ColumnRangeLowering : OpConversionPattern<arith::AndIOp> {
  ColumnRangeLowering(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(arith::AndIOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()))
      return failure();
    SmallVector<ColumnCompare> above, below;
    SmallVector<Value> others;
    collect(op, above, below, others);
    if (!isRange(above, below))
      return failure();
    NVVMBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());
    Value all;
    auto require = [&](Value condition) {
      all = all ? b.bitAnd(all, condition) : condition;
    };
    for (Value other : others)
      require(rewriter.getRemappedValue(other));
    for (auto *group : {&above, &below}) {
      if (group->empty())
        continue;
      bool isAbove = group == &above;
      SmallVector<Value> tightest;
      for (const ColumnCompare &compare : *group)
        tighten(b, isAbove, compare, compare.emitBounds(b, rewriter), tightest);
      require(ColumnCompare::emit(
          b, isAbove ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt,
          group->front().getColumns(), tightest, type, isPartOfRange(op)));
    }
    rewriter.replaceOp(op, all);
    return success();
  }

  /// Whether all that uses `condition`, a comparison or several, makes a range
  /// of it and others.
  static bool isPartOfRange(Value condition) {
    return !condition.use_empty() &&
           llvm::all_of(condition.getUsers(), [](Operation *user) {
             if (isa<vector::BroadcastOp>(user))
               return isPartOfRange(user->getResult(0));
             auto both = dyn_cast<arith::AndIOp>(user);
             if (!both)
               return false;
             SmallVector<ColumnCompare> above, below;
             SmallVector<Value> others;
             collect(both, above, below, others);
             return isRange(above, below);
           });
  }

private:
  static bool isRange(ArrayRef<ColumnCompare> above,
                      ArrayRef<ColumnCompare> below) {
    return std::max(above.size(), below.size()) >= 2;
  }

  /// What `value` is the conjunction of.
  static void collect(Value value, SmallVectorImpl<ColumnCompare> &above,
                      SmallVectorImpl<ColumnCompare> &below,
                      SmallVectorImpl<Value> &others) {
    if (auto both = value.getDefiningOp<arith::AndIOp>()) {
      collect(both.getLhs(), above, below, others);
      collect(both.getRhs(), above, below, others);
      return;
    }
    auto op =
        ColumnCompare::peelBroadcast(value).getDefiningOp<arith::CmpIOp>();
    FailureOr<ColumnCompare> compare =
        op ? ColumnCompare::match(op) : FailureOr<ColumnCompare>(failure());
    if (succeeded(compare)) {
      switch (compare->getPredicate()) {
      case arith::CmpIPredicate::slt:
      case arith::CmpIPredicate::sle:
        above.push_back(*compare);
        return;
      case arith::CmpIPredicate::sgt:
      case arith::CmpIPredicate::sge:
        below.push_back(*compare);
        return;
      default:
        break;
      }
    }
    others.push_back(value);
  }

  /// Makes `tightest`, bounds that are themselves outside, as tight as
  /// `compare`.
  static void tighten(NVVMBuilder &b, bool isAbove,
                      const ColumnCompare &compare, SmallVector<Value> bounds,
                      SmallVector<Value> &tightest) {
    for (Value &bound : bounds) {
      if (compare.getPredicate() == arith::CmpIPredicate::sle)
        bound = b.add(bound, 1);
      if (compare.getPredicate() == arith::CmpIPredicate::sge)
        bound = b.add(bound, -1);
    }
    if (tightest.empty()) {
      tightest = bounds;
      return;
    }
    size_t size = std::max(bounds.size(), tightest.size());
    bounds.resize(size, bounds.front());
    tightest.resize(size, tightest.front());
    for (auto [old, bound] : llvm::zip_equal(tightest, bounds))
      old = isAbove ? arith::MinSIOp::create(b, old, bound).getResult()
                    : arith::MaxSIOp::create(b, old, bound).getResult();
  }
};

struct ColumnCompareLowering : OpConversionPattern<arith::CmpIOp> {
  ColumnCompareLowering(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(arith::CmpIOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<ColumnCompare> compare = ColumnCompare::match(op);
    if (failed(compare))
      return failure();
    NVVMBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());
    rewriter.replaceOp(
        op,
        ColumnCompare::emit(b, compare->getPredicate(), compare->getColumns(),
                            compare->emitBounds(b, rewriter), type,
                            ColumnRangeLowering::isPartOfRange(op)));
    return success();
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
          Value lanes = b.i32(-1), offset = b.i32(distance), clamp = b.i32(31);
          Value other =
              NVVM::ShflOp::create(b, b.getF32Type(), lanes, row, offset, clamp,
                                   NVVM::ShflKind::bfly, UnitAttr());
          row = combine(b, kind, row, other);
        }
    rewriter.replaceOp(op,
                       b.pack(rows, getTypeConverter()->convertType(result)));
    return success();
  }
};

/// What decides a store must be there before it, and the store before what
/// follows, even if it is never made. ptxas does not know that a sum of
/// exponentials is not below 0.
struct MakeNowLowering : OpConversionPattern<MakeNowOp> {
  MakeNowLowering(const TypeConverter &converter, MLIRContext *context,
                  const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(MakeNowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Value sum;
    for (Value row : b.unpack(adaptor.getValue()))
      sum = sum ? arith::AddFOp::create(b, sum, row).getResult() : row;
    InlinePTX code;
    code.inputs = {sum, b.sharedMemory(plan.getScratch())};
    code.text = llvm::formatv("{{\n.reg .pred p;\nsetp.lt.f32 p, {0}, "
                              "0f00000000;\n@p st.volatile.shared.f32 [{1}], "
                              "{0};\n}",
                              code.input(0), code.input(1));
    b.ptx(code);
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
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
    SmallVector<int64_t> rows;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      rows.push_back(RegisterLayout::getRowElement(i));
    auto scale = [&]() -> Value {
      Value factor = vector::ShuffleOp::create(b, type, adaptor.getFactors(),
                                               adaptor.getFactors(), rows);
      return arith::MulFOp::create(b, fragment, factor);
    };
    if (op.getAlways()) {
      rewriter.replaceOp(op, scale());
      return success();
    }
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
    Value moved;
    for (Value factor : b.unpack(adaptor.getFactors())) {
      // A NaN is not 1.
      Value other =
          arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, factor, one);
      moved = moved ? b.bitOr(moved, other) : other;
    }
    Value any = NVVM::VoteSyncOp::create(b, b.getI1Type(), b.i32(-1), moved,
                                         NVVM::VoteSyncKind::any);
    auto branch = scf::IfOp::create(
        b, any,
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, scale()); },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, fragment); });
    rewriter.replaceOp(op, branch);
    return success();
  }
};
} // namespace

void attn::populateRegisterPatterns(const TypeConverter &converter,
                                    const KernelPlan &plan,
                                    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MakeNowLowering>(converter, patterns.getContext(), plan);
  patterns.add<ElementwiseLowering, ColumnCompareLowering, ColumnRangeLowering,
               ConstantLowering, BroadcastLowering, IotaLowering,
               RowReduceLowering, ScaleRowsLowering>(converter, context);
  // PTX ISA: both within 2 ulp, and free of slow paths.
  patterns.add<IntrinsicLowering<arith::DivFOp>>(converter, context,
                                                 "llvm.nvvm.div.full.ftz");
  patterns.add<IntrinsicLowering<math::Log2Op>>(converter, context,
                                                "llvm.nvvm.lg2.approx.ftz.f");
}
