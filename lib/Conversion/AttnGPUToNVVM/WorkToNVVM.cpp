//===- WorkToNVVM.cpp - How a thread block gets its work ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A work loop becomes a condition on the block's number or, if it is
// persistent, a loop whose points come through slots in shared memory: from the
// producer in a kernel with roles, else from the first thread of the block. So
// one thread deals with numbers, and the others keep nothing in registers of
// what it takes to compute indices.
//
// The next number is a grid further, or fetched from a counter in global memory
// when the present point is done: by a producer, which is ahead by what its
// rings hold, so that nobody waits for it. Fetched earlier, the longest point
// would take another long one along. Whoever runs a point fetches once, so
// that all blocks together fetch as often as there are points: the last fetch
// leaves the counter 0 for the next launch.
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
      Value size = b.toI64(extent);
      size = arith::MaxSIOp::create(b, size, b.i64(0));
      total = b.mul(total, size);
      extents.push_back(b.toI32(extent));
    }
  }

  /// How many there are, i64.
  Value getTotal() { return total; }

  /// The indices of point `number`; all i32.
  SmallVector<Value> getIndices(Value number) {
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
    for (auto [dim, at] : llvm::enumerate(point))
      if (llvm::is_contained(op.getDescending(), dim))
        at = b.sub(b.add(extents[dim], -1), at);
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

/// Emits how a thread block that runs several points learns of them.
class PointChannel {
public:
  PointChannel(NVVMBuilder &b, const KernelPlan &plan, WorkLoopOp op,
               Points &points, Value counter)
      : b(b), plan(plan.getPoints()), role(plan.getRole(op)), points(points),
        dims(op.getExtents().size()), counter(counter) {
    total = b.toI32(points.getTotal());
    grid =
        b.divU(NVVM::GridDimXOp::create(b, b.getI32Type()), plan.getCluster());
    // Of the producer one thread runs, otherwise all of the block.
    elected = role == WorkRole::Producer
                  ? b.i1(true)
                  : b.cmp(Predicate::eq, b.getThread(), 0);
  }

  /// Emitted before work on a point: whether there is one (i1), then its
  /// indices (i32). `number`: of the point, where the running thread knows it;
  /// `count`: how many were begun before.
  SmallVector<Value> emitBegin(Value number, Value count) {
    Value slot = b.remU(count, PointPlan::kSlots);
    Value parity = b.bitAnd(b.divU(count, PointPlan::kSlots), 1);
    auto at = [&](int64_t first, int64_t bytes) {
      Value start = b.sharedMemory(first);
      return b.offset(start, b.mul(slot, bytes));
    };
    Value full = at(plan.getFullBarrier(0), RingPlan::kBarrierBytes);
    Value empty = at(plan.getEmptyBarrier(0), RingPlan::kBarrierBytes);
    Value place = at(plan.slots, plan.getSlotBytes());
    if (role == WorkRole::Producer) {
      emitBarrierWait(b, empty, b.bitXor(parity, b.i32(1)));
      SmallVector<Value> point = emitPublish(place, number);
      emitBarrierArrive(b, full, elected);
      return point;
    }
    if (role == WorkRole::Consumer) {
      emitBarrierWait(b, full, parity);
      SmallVector<Value> point = emitLoad(place);
      emitBarrierArrive(b, empty, b.cmp(Predicate::eq, b.getLane(), 0));
      return point;
    }
    NVVM::Barrier0Op::create(b);
    emitPublish(place, number);
    NVVM::Barrier0Op::create(b);
    return emitLoad(place);
  }

  /// Emitted where work on point `number` ends: the number of the next one.
  Value emitNext(Value number) {
    if (role == WorkRole::Consumer)
      return number;
    if (!counter)
      return b.add(number, grid);
    InlinePTX code;
    code.results = {b.getI32Type()};
    code.inputs = {counter, elected};
    code.text =
        llvm::formatv("mov.b32 $0, 0;\n@{1} atom.global.add.u32 $0, [{0}], 1;",
                      code.input(0), code.input(1));
    Value fetched = b.ptx(code).front();
    Value isLast = b.cmp(Predicate::eq, fetched, b.add(total, -1));
    InlinePTX reset;
    reset.inputs = {counter, b.bitAnd(elected, isLast), b.i32(0)};
    reset.text = llvm::formatv("@{1} st.global.b32 [{0}], {2};", reset.input(0),
                               reset.input(1), reset.input(2));
    b.ptx(reset);
    // The first points are those of the blocks' numbers.
    return b.add(fetched, grid);
  }

private:
  SmallVector<Value> emitPublish(Value place, Value number) {
    SmallVector<Value> point = {b.cmp(Predicate::ult, number, total)};
    llvm::append_range(point, points.getIndices(number));
    for (auto [n, value] : llvm::enumerate(point)) {
      Value word =
          n == 0 ? arith::ExtUIOp::create(b, b.getI32Type(), value) : value;
      InlinePTX store;
      store.inputs = {place, elected, word};
      store.text = llvm::formatv("@{1} st.shared.b32 [{0}+{3}], {2};",
                                 store.input(0), store.input(1), store.input(2),
                                 n * PointPlan::kWordBytes);
      b.ptx(store);
    }
    return point;
  }

  SmallVector<Value> emitLoad(Value place) {
    SmallVector<Value> words;
    for (int64_t n = 0; n <= dims; ++n) {
      InlinePTX load;
      load.results = {b.getI32Type()};
      load.inputs = {place};
      load.text = llvm::formatv("ld.shared.b32 $0, [{0}+{1}];", load.input(0),
                                n * PointPlan::kWordBytes);
      llvm::append_range(words, b.ptx(load));
    }
    // What lane 0 has loaded: it is the one that gives the slot back.
    for (Value &word : words)
      word = b.uniform(word);
    words[0] = b.cmp(Predicate::ne, words[0], 0);
    return words;
  }

  NVVMBuilder &b;
  const PointPlan &plan;
  WorkRole role;
  Points &points;
  int64_t dims;
  Value counter, total, grid, elected; // grid: of points at once
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
    // Of the cluster, where there are some: its blocks run the same points.
    Value block =
        b.divU(NVVM::BlockIdXOp::create(b, b.getI32Type()), plan.getCluster());
    if (!op.isPersistent()) {
      lowerOnce(b, rewriter, op, points, block);
      return success();
    }
    return lowerPersistent(b, rewriter, op, points, block);
  }

private:
  /// Puts the body of `op`, for the point at `indices` (i32), before `yield`,
  /// and what it yields at the end of `yield`'s operands.
  static void inlineBody(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                         WorkLoopOp op, ValueRange indices, ValueRange carried,
                         Operation *yield) {
    SmallVector<Value> arguments;
    for (Value index : indices)
      arguments.push_back(
          arith::IndexCastUIOp::create(b, b.getIndexType(), index));
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
    Operation *yield = end(branch.thenBlock());
    b.setInsertionPoint(yield);
    inlineBody(b, rewriter, op, points.getIndices(block), op.getInits(), yield);
    rewriter.replaceOp(op, branch.getResults());
  }

  LogicalResult lowerPersistent(NVVMBuilder &b,
                                ConversionPatternRewriter &rewriter,
                                WorkLoopOp op, Points &points,
                                Value block) const {
    auto func = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!func)
      return failure();
    Value counter;
    if (op.getSchedule() == WorkSchedule::Dynamic) // Before the maps.
      counter = func.getArgument(func.getNumArguments() -
                                 plan.getTileMaps().size() - 1);
    PointChannel channel(b, plan, op, points, counter);
    size_t dims = op.getExtents().size();
    // The point's number, how many were begun before, and what `op` carries; in
    // the body with the point's indices.
    SmallVector<Value> inits = {block, b.i32(0)};
    llvm::append_range(inits, op.getInits());
    SmallVector<Type> types(ValueRange(inits).getTypes());
    SmallVector<Type> bodyTypes(dims, b.getI32Type());
    llvm::append_range(bodyTypes, types);
    auto loop = scf::WhileOp::create(b, bodyTypes, inits);
    auto createBlock = [&](Region &region, ArrayRef<Type> arguments) {
      SmallVector<Location> locs(arguments.size(), op.getLoc());
      return b.createBlock(&region, {}, arguments, locs);
    };
    Block *before = createBlock(loop.getBefore(), types);
    SmallVector<Value> point =
        channel.emitBegin(before->getArgument(0), before->getArgument(1));
    SmallVector<Value> passed(ArrayRef<Value>(point).drop_front());
    llvm::append_range(passed, before->getArguments());
    scf::ConditionOp::create(b, point.front(), passed);

    ValueRange arguments =
        createBlock(loop.getAfter(), bodyTypes)->getArguments();
    auto yield = scf::YieldOp::create(b);
    b.setInsertionPoint(yield);
    inlineBody(b, rewriter, op, arguments.take_front(dims),
               arguments.drop_front(dims + 2), yield);
    SmallVector<Value> yielded = {channel.emitNext(arguments[dims]),
                                  b.add(arguments[dims + 1], 1)};
    llvm::append_range(yielded, yield->getOperands());
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    rewriter.replaceOp(op, loop.getResults().drop_front(dims + 2));
    return success();
  }

  const KernelPlan &plan;
};
struct ClusterRankLowering : OpConversionPattern<ClusterRankOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ClusterRankOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(op, b.getIndexType(),
                                                      b.getClusterRank());
    return success();
  }
};
} // namespace

void attn::populateWorkPatterns(const TypeConverter &converter,
                                const KernelPlan &plan,
                                RewritePatternSet &patterns) {
  patterns.add<WorkLoopLowering>(converter, patterns.getContext(), plan);
  patterns.add<ClusterRankLowering>(converter, patterns.getContext());
}
