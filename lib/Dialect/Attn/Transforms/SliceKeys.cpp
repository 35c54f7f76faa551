//===- SliceKeys.cpp - Leaving out the keys that no query sees ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices keys to the hull of those that interval analysis finds visible to some
// query.
//
//===----------------------------------------------------------------------===//

#include "PartialOperands.h"
#include "WalkMask.h"
#include "attn/Analysis/IRArith.h"
#include "attn/Analysis/KeyRanges.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSLICEKEYSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Intervals that a set may have on the way to its hull: masks of prefixes and
/// windows have fewer, so that none is widened before it is intersected.
static constexpr unsigned kMaxIntervals = 4;

/// The extent of `tensor` along `dim`, from the operands of what makes it where
/// that is possible: bounds are proved from these.
static OpFoldResult getExtent(OpBuilder &b, Location loc, Value tensor,
                              unsigned dim) {
  if (auto result = dyn_cast<OpResult>(tensor);
      result && isa<ReifyRankedShapedTypeOpInterface>(result.getOwner())) {
    FailureOr<OpFoldResult> extent =
        reifyDimOfResult(b, result.getOwner(), result.getResultNumber(), dim);
    if (succeeded(extent))
      return *extent;
  }
  return tensor::getMixedSize(b, loc, tensor, dim);
}

/// `tensor` along `axis` from `offset` on.
static Value slice(OpBuilder &b, Location loc, Value tensor, unsigned axis,
                   OpFoldResult offset, OpFoldResult size) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[axis] = offset;
  sizes[axis] = size;
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes,
                                        strides);
}

/// Whether `mask` depends on no position but by its distance from another.
static bool isTranslationInvariant(Attribute mask) {
  return llvm::TypeSwitch<Attribute, bool>(mask)
      .Case<CausalAttr, WindowAttr, WindowSizeAttr, DocumentsAttr>(
          [](Attribute) { return true; })
      .Case<AndAttr, OrAttr>([](auto join) {
        return llvm::all_of(join.getParts(), isTranslationInvariant);
      })
      .Default(false);
}

LogicalResult attn::sliceKeys(RewriterBase &rewriter, PartialOp op) {
  if (op.getValid() || op.getRows() || op.getMasked() || !op.getMaskAttr() ||
      op->getParentOfType<WalkOp>() || op->getParentOfType<scf::ForallOp>())
    return rewriter.notifyMatchFailure(op, "no whole attention with a mask");
  auto isEmpty = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && llvm::is_contained(shaped.getShape(), 0);
  };
  if (llvm::any_of(op->getOperandTypes(), isEmpty))
    return rewriter.notifyMatchFailure(op, "nothing to slice");
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  // What the analysis emits and nobody uses goes again.
  Operation *before = op->getPrevNode();
  llvm::scope_exit cleanUp([&] {
    for (Operation *at = op->getPrevNode(); at != before;) {
      Operation *emitted = std::exchange(at, at->getPrevNode());
      if (isOpTriviallyDead(emitted))
        rewriter.eraseOp(emitted);
    }
  });
  IRArith arith(rewriter, loc, IRArith::Proofs::ValueBounds);
  TilePositions<IRArith> positions;
  positions.queryFirst = IRArith::get(op.getOrigin()[PartialOp::Query]);
  // Without a query this is before the first: of what follows no row is made.
  IRArith::Value rows =
      IRArith::get(getExtent(rewriter, loc, op.getM(), PartialOp::Query));
  positions.queryLast =
      arith.add(positions.queryFirst, arith.sub(rows, arith.constant(1)));
  positions.keyOrigin = IRArith::get(op.getOrigin()[PartialOp::Key]);
  positions.keyExtent = IRArith::get(
      getExtent(rewriter, loc, op.getK(),
                *PartialOp::getAxis(op.getKMap(), PartialOp::Key)));
  MaskExpr mask = convertMask(op.getMaskAttr(),
                              [](Attribute) { return MaskExpr::opaque(); });
  auto hull =
      KeyRanges<IRArith>(arith, positions, kMaxIntervals).evaluateHull(mask);
  if (hull.empty())
    return rewriter.notifyMatchFailure(op, "no query sees a key");
  auto [begin, end] = hull.front();
  bool cutsFront = arith.known(Order::LE, begin.value, arith.constant(0)) !=
                   std::optional(true);
  bool cutsBack = arith.known(Order::LE, positions.keyExtent, end.value) !=
                  std::optional(true);
  if (!cutsFront && !cutsBack)
    return rewriter.notifyMatchFailure(op, "some query sees each end");

  OpFoldResult offset = cutsFront ? begin.value : arith.constant(0);
  OpFoldResult size =
      arith.sub(cutsBack ? end.value : positions.keyExtent, offset);
  // An operand may be there twice.
  DenseMap<std::pair<Value, unsigned>, Value> slices;
  for (auto [operand, axis] : getOperandsAlong(op, PartialOp::Key)) {
    Value &sliced = slices[{operand->get(), axis}];
    if (!sliced)
      sliced = slice(rewriter, loc, operand->get(), axis, offset, size);
    rewriter.modifyOpInPlace(op,
                             [&, operand = operand] { operand->set(sliced); });
  }
  // Keys have the positions that they had or, where that is the same, queries
  // are nearer to them: what a kernel is told about keys stays as it was.
  bool moveQueries =
      isTranslationInvariant(op.getMaskAttr()) && op.getScore().empty();
  unsigned moved = moveQueries ? PartialOp::Query : PartialOp::Key;
  Value origin =
      arith.materialize(moveQueries ? arith.sub(positions.queryFirst, offset)
                                    : arith.add(positions.keyOrigin, offset));
  rewriter.modifyOpInPlace(op,
                           [&] { op.getOriginMutable()[moved].set(origin); });
  remark::passed(loc,
                 remark::RemarkOpts::name("keys").category("attn-slice-keys"))
      << (cutsFront && cutsBack ? "without keys in front of and behind those "
                                  "that queries see"
          : cutsFront ? "without keys in front of those that queries see"
                      : "without keys behind those that queries see");
  return success();
}

namespace {
struct SliceKeysPass : attn::impl::AttnSliceKeysPassBase<SliceKeysPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    AttnSliceKeysPassBase::getDependentDialects(registry);
    affine::registerValueBoundsOpInterfaceExternalModels(registry);
    arith::registerValueBoundsOpInterfaceExternalModels(registry);
    tensor::registerValueBoundsOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    SmallVector<PartialOp> whole;
    getOperation()->walk([&](PartialOp op) { whole.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (PartialOp op : whole)
      (void)sliceKeys(rewriter, op);
  }
};
} // namespace
