//===- WorkToNVVM.cpp - How a thread block gets its work ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A work loop becomes a condition on the block's number, a loop with the
// stride of the grid, or one that fetches the next point's number from a
// counter in global memory while the present point is worked on.
//
// Whoever runs a point fetches once, so that all blocks together fetch as often
// as there are points: the last fetch leaves the counter 0 for the next launch.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using Predicate = arith::CmpIPredicate;

namespace {

/// The numbers of points, and what they stand for. Where there is a point,
/// extents and numbers fit 32 bits.
class Points {
public:
  Points(NVVMBuilder &b, WorkLoopOp op, WorkLoopOp::Adaptor adaptor)
      : b(b), op(op), group(adaptor.getGroup()) {
    total = before = b.i64(1);
    for (Value extent : adaptor.getExtents()) {
      before = total;
      Value size = arith::MaxSIOp::create(b, b.toI64(extent), b.i64(0));
      total = b.mul(total, size);
      extents.push_back(b.toI32(extent));
    }
  }

  /// How many there are, i64.
  Value getTotal() { return total; }

  /// The indices of point `number`, i32.
  SmallVector<Value> getPoint(Value number) {
    SmallVector<Value> point(extents.size());
    Value rest = number;
    int64_t dim = point.size() - 1;
    if (group) {
      std::tie(rest, point[dim]) = getInGroup(number);
      --dim;
    }
    for (; dim >= 0; --dim) {
      point[dim] = rest;
      if (dim > 0)
        std::tie(rest, point[dim]) = divide(rest, extents[dim]);
    }
    for (auto [dim, at] : llvm::enumerate(point)) {
      if (llvm::is_contained(op.getDescending(), dim))
        at = b.sub(b.add(extents[dim], -1), at);
      at = arith::IndexCastUIOp::create(b, b.getIndexType(), at);
    }
    return point;
  }

private:
  std::pair<Value, Value> divide(Value a, Value by) {
    return {arith::DivUIOp::create(b, a, by), arith::RemUIOp::create(b, a, by)};
  }

  /// The number among the dimensions before the last, and the last index.
  std::pair<Value, Value> getInGroup(Value number) {
    Value all = b.toI32(before);
    Value members = b.toI32(arith::MinSIOp::create(b, b.toI64(group), before));
    auto [which, inGroup] = divide(number, b.mul(members, extents.back()));
    Value first = b.mul(which, members);
    // The last group may be smaller.
    Value here = arith::MinUIOp::create(b, members, b.sub(all, first));
    auto [last, member] = divide(inGroup, here);
    return {b.add(first, member), last};
  }

  NVVMBuilder &b;
  WorkLoopOp op;
  Value group, total, before; // index or null, i64: without the last dimension
  SmallVector<Value> extents; // i32
};

/// Fetches numbers of points, and hands them to all that need them.
class PointFetcher {
public:
  PointFetcher(NVVMBuilder &b, const KernelPlan &plan, WorkRole role,
               Value counter, Value total)
      : b(b), plan(plan.getPoints()), role(role), counter(counter),
        total(b.toI32(total)) {}

  /// Emitted where work on a point begins.
  void emitFetch() {
    if (role == WorkRole::Consumer)
      return;
    // Of the producer one thread runs, otherwise all of the block.
    elected = role == WorkRole::Producer
                  ? b.i1(true)
                  : b.cmp(Predicate::eq, b.getThread(), 0);
    InlinePTX code;
    code.results = {b.getI32Type()};
    code.inputs = {counter, elected};
    code.text =
        llvm::formatv("mov.b32 $0, 0;\n@{1} atom.global.add.u32 $0, [{0}], 1;",
                      code.input(0), code.input(1));
    fetched = b.ptx(code).front();
  }

  /// Emitted where work on a point ends: the number of the next one, i32.
  /// `count` points were begun before.
  Value emitNext(Value count) {
    Value slot = b.remU(count, PointPlan::kSlots);
    Value parity = b.bitAnd(b.divU(count, PointPlan::kSlots), 1);
    auto at = [&](int64_t first, int64_t bytes) {
      return b.offset(b.sharedMemory(first), b.mul(slot, bytes));
    };
    Value full = at(plan.getFullBarrier(0), RingPlan::kBarrierBytes);
    Value empty = at(plan.getEmptyBarrier(0), RingPlan::kBarrierBytes);
    Value place = at(plan.slots, PointPlan::kSlotBytes);
    switch (role) {
    case WorkRole::Producer: {
      emitBarrierWait(b, empty, b.bitXor(parity, b.i32(1)));
      Value next = emitPublish(place);
      emitBarrierArrive(b, full, elected);
      return next;
    }
    case WorkRole::Consumer: {
      emitBarrierWait(b, full, parity);
      Value next = emitLoad(place);
      emitBarrierArrive(b, empty, b.cmp(Predicate::eq, b.getLane(), 0));
      return next;
    }
    case WorkRole::All:
      NVVM::Barrier0Op::create(b);
      emitPublish(place);
      NVVM::Barrier0Op::create(b);
      return emitLoad(place);
    }
    llvm_unreachable("all roles are listed");
  }

private:
  Value emitPublish(Value place) {
    Value isLast = b.cmp(Predicate::eq, fetched, b.add(total, -1));
    InlinePTX reset;
    reset.inputs = {counter, b.bitAnd(elected, isLast), b.i32(0)};
    reset.text = llvm::formatv("@{1} st.global.b32 [{0}], {2};", reset.input(0),
                               reset.input(1), reset.input(2));
    b.ptx(reset);
    // The first points are those of the blocks' numbers.
    Value next =
        b.add(fetched, NVVM::GridDimXOp::create(b, b.getI32Type()).getResult());
    InlinePTX store;
    store.inputs = {place, elected, next};
    store.text = llvm::formatv("@{1} st.shared.b32 [{0}], {2};", store.input(0),
                               store.input(1), store.input(2));
    b.ptx(store);
    return next;
  }

  Value emitLoad(Value place) {
    InlinePTX load;
    load.results = {b.getI32Type()};
    load.inputs = {place};
    load.text = llvm::formatv("ld.shared.b32 $0, [{0}];", load.input(0));
    return b.uniform(b.ptx(load).front());
  }

  NVVMBuilder &b;
  const PointPlan &plan;
  WorkRole role;
  Value counter, total;   // pointer, i32
  Value elected, fetched; // i1, i32
};

struct WorkLoopLowering : OpConversionPattern<WorkLoopOp> {
  WorkLoopLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(WorkLoopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Points points(b, op, adaptor);
    Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
    switch (op.getSchedule()) {
    case WorkSchedule::Once:
      lowerOnce(b, rewriter, op, points, block);
      return success();
    case WorkSchedule::Strided:
      lowerStrided(b, rewriter, op, points, block);
      return success();
    case WorkSchedule::Dynamic:
      return lowerDynamic(b, rewriter, op, points, block);
    }
    llvm_unreachable("all schedules are listed");
  }

private:
  /// Puts the body of `op`, for point `number`, before `yield`, and what it
  /// yields at the end of `yield`'s operands.
  static void inlineBody(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                         WorkLoopOp op, Points &points, Value number,
                         ValueRange carried, Operation *yield) {
    b.setInsertionPoint(yield);
    SmallVector<Value> arguments = points.getPoint(number);
    llvm::append_range(arguments, carried);
    Block &body = op.getBody().front();
    Operation *inner = body.getTerminator();
    SmallVector<Value> yielded(yield->getOperands());
    llvm::append_range(yielded, inner->getOperands());
    rewriter.inlineBlockBefore(&body, yield, arguments);
    rewriter.eraseOp(inner);
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    b.setInsertionPoint(yield);
  }

  static void lowerOnce(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                        WorkLoopOp op, Points &points, Value block) {
    Value exists = b.cmp(Predicate::slt, b.toI64(block), points.getTotal());
    bool carries = op.getNumResults() != 0;
    auto branch = scf::IfOp::create(b, op.getResultTypes(), exists,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/carries);
    // The builder ends blocks that give nothing.
    auto end = [&](Block *block) -> Operation * {
      b.setInsertionPointToEnd(block);
      if (block->empty())
        return scf::YieldOp::create(b, ValueRange());
      return block->getTerminator();
    };
    if (carries) {
      b.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(b, op.getInits());
    }
    inlineBody(b, rewriter, op, points, block, op.getInits(),
               end(branch.thenBlock()));
    rewriter.replaceOp(op, branch.getResults());
  }

  static void lowerStrided(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                           WorkLoopOp op, Points &points, Value block) {
    Value grid = NVVM::GridDimXOp::create(b, b.getI32Type());
    auto loop = scf::ForOp::create(
        b, b.toI64(block), points.getTotal(), b.toI64(grid), op.getInits(),
        [](OpBuilder &builder, Location loc, Value, ValueRange) {
          scf::YieldOp::create(builder, loc);
        });
    Operation *yield = loop.getBody()->getTerminator();
    b.setInsertionPoint(yield);
    inlineBody(b, rewriter, op, points, b.toI32(loop.getInductionVar()),
               loop.getRegionIterArgs(), yield);
    rewriter.replaceOp(op, loop.getResults());
  }

  LogicalResult lowerDynamic(NVVMBuilder &b,
                             ConversionPatternRewriter &rewriter, WorkLoopOp op,
                             Points &points, Value block) const {
    auto func = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!func)
      return failure();
    // Before the maps.
    Value counter = func.getArgument(func.getNumArguments() -
                                     plan.getTileMaps().size() - 1);
    // The point's number, how many were begun before, and what `op` carries.
    SmallVector<Value> inits = {block, b.i32(0)};
    llvm::append_range(inits, op.getInits());
    SmallVector<Type> types(ValueRange(inits).getTypes());
    PointFetcher fetcher(b, plan, plan.getRole(op), counter, points.getTotal());
    auto loop = scf::WhileOp::create(
        b, types, inits,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          NVVMBuilder inner(loc, builder);
          Value exists = inner.cmp(Predicate::ult, inner.toI64(arguments[0]),
                                   points.getTotal());
          scf::ConditionOp::create(builder, loc, exists, arguments);
        },
        [](OpBuilder &builder, Location loc, ValueRange) {
          scf::YieldOp::create(builder, loc);
        });
    ValueRange arguments = loop.getAfterArguments();
    Operation *yield = loop.getYieldOp();
    b.setInsertionPoint(yield);
    fetcher.emitFetch();
    inlineBody(b, rewriter, op, points, arguments[0], arguments.drop_front(2),
               yield);
    SmallVector<Value> yielded = {fetcher.emitNext(arguments[1]),
                                  b.add(arguments[1], 1)};
    llvm::append_range(yielded, yield->getOperands());
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    rewriter.replaceOp(op, loop.getResults().drop_front(2));
    return success();
  }

  const KernelPlan &plan;
};
} // namespace

void attn::populateWorkPatterns(const TypeConverter &converter,
                                const KernelPlan &plan,
                                RewritePatternSet &patterns) {
  patterns.add<WorkLoopLowering>(converter, patterns.getContext(), plan);
}
