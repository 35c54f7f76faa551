//===- Flatten.cpp - Products of two points side by side ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delays the end of a point's work to the beginning of the next point's.
//
// Of a point there are the start, up to its rotated loop, the loop, and the
// end: the last product and what becomes of it. The first point has no end
// before it; there the end is run on zeros, which keeps the program straight,
// and nothing is written.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Transforms.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// What the start and the end of a point are.
class PointParts {
public:
  explicit PointParts(WorkLoopOp work)
      : work(work), body(&work.getBody().front()) {}

  LogicalResult plan() {
    return success(work.isPersistent() && findLoop() && findProducts() &&
                   findEnd() && findCarried());
  }

  WorkLoopOp work;
  Block *body;
  scf::ForOp loop;
  MmaOp early, late;
  MmaWaitOp earlyWait, lateWait;
  /// The ring of the late product's tile, and its fill before the product.
  RingWaitOp lateTile;
  RingFillOp lateFill;
  /// Operations of the end, in order: copies and products; the rest.
  llvm::SetVector<Operation *> copies, results;
  /// Operations behind the loop that stay there.
  SmallVector<Operation *> kept;
  /// What the end takes from its point.
  llvm::SetVector<Value> carried;

  bool isEnd(Operation *op) const {
    return copies.contains(op) || results.contains(op);
  }

  /// Whether `op` only numbers or places things, and can be done again.
  static bool isCheap(Operation *op) {
    return op && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
           op->getNumResults() == 1 &&
           op->getResult(0).getType().isIntOrIndex();
  }

private:
  bool findLoop() {
    for (auto inner : body->getOps<scf::ForOp>()) {
      if (inner.getBody()->getOps<MmaOp>().empty())
        continue;
      if (loop)
        return false;
      loop = inner;
    }
    return loop != nullptr;
  }

  bool findProducts() {
    for (auto product : body->getOps<MmaOp>()) {
      MmaOp &place = product->isBeforeInBlock(loop) ? early : late;
      if (place)
        return false;
      place = product;
    }
    if (!early || !late)
      return false;
    earlyWait = findWait(early);
    lateWait = findWait(late);
    lateTile = late.getB().getDefiningOp<RingWaitOp>();
    if (!earlyWait || !lateWait || !lateTile || !lateTile->hasOneUse() ||
        !earlyWait->isBeforeInBlock(loop))
      return false;
    // The next point's copies come before this point's end: they need a stage.
    for (auto fill : body->getOps<RingFillOp>())
      if (fill->isBeforeInBlock(loop) &&
          fill.getRing().getType().getStages() < 2)
        return false;
    return true;
  }

  bool isOnLateRing(Operation *op) {
    if (auto fill = dyn_cast<RingFillOp>(op))
      return fill.getRing() == lateTile.getRing();
    if (auto release = dyn_cast<RingReleaseOp>(op))
      return release.getRing() == lateTile.getRing();
    return op == lateTile;
  }

  /// Releases of what the start has waited for.
  bool isReleaseOfStart(Operation *op) {
    auto release = dyn_cast<RingReleaseOp>(op);
    return release && llvm::any_of(body->getOps<RingWaitOp>(), [&](auto wait) {
             return wait->isBeforeInBlock(loop) &&
                    wait.getRing() == release.getRing() &&
                    wait.getCount() == release.getCount();
           });
  }

  bool findEnd() {
    // Only the end uses the late product's ring, and the loop.
    for (Operation *user : lateTile.getRing().getUsers())
      if (!loop->isAncestor(user) &&
          !(user->getBlock() == body && loop->isBeforeInBlock(user)))
        return false;
    llvm::SetVector<Operation *> ofYield;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.filter = [&](Operation *op) {
      return op->getBlock() == body && loop->isBeforeInBlock(op);
    };
    (void)getBackwardSlice(body->getTerminator(), &ofYield, options);
    if (!llvm::all_of(ofYield, [](Operation *op) { return isCheap(op); }))
      return false;
    for (Operation *op = loop->getNextNode(); op != body->getTerminator();
         op = op->getNextNode()) {
      if (isOnLateRing(op)) {
        if (auto fill = dyn_cast<RingFillOp>(op))
          lateFill = fill;
        copies.insert(op);
      } else if (op == late || op == lateWait) {
        copies.insert(op);
      } else if (isReleaseOfStart(op) || ofYield.contains(op)) {
        kept.push_back(op);
      } else if (isa<RingFillOp, RingWaitOp, RingReleaseOp>(op)) {
        return false;
      } else {
        results.insert(op);
      }
    }
    return lateFill && lateFill.getCount() == lateTile.getCount();
  }

  bool findCarried() {
    llvm::SetVector<Value> asked;
    auto ask = [&](Operation *op) {
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (work.getBody().isAncestor(operand.getParentRegion()) &&
              !op->isAncestor(operand.getParentRegion()->getParentOp()))
            asked.insert(operand);
      });
    };
    for (auto *part : {&copies, &results})
      for (Operation *op : *part)
        ask(op);
    // What they are before the first point is known of these alone.
    Value count = lateFill.getCount();
    Value row = lateFill.getOffsets()[lateFill.getRowDimension()];
    for (size_t n = 0; n < asked.size(); ++n) {
      Value value = asked[n];
      Operation *op = value.getDefiningOp();
      if (op && isEnd(op))
        continue;
      if (value != count && value != row && isCheap(op) &&
          op->getBlock() == body) {
        asked.insert_range(op->getOperands());
        continue;
      }
      if (!work.getBody().isAncestor(value.getParentRegion()))
        continue;
      if (!isa<VectorType>(value.getType()) && !value.getType().isIntOrIndex())
        return false;
      carried.insert(value);
    }
    return carried.contains(count);
  }
};

/// Builds the flattened loop.
class Flattener {
public:
  Flattener(RewriterBase &b, PointParts &parts)
      : b(b), parts(parts), work(parts.work), loc(work.getLoc()) {}

  void run() {
    for (Operation *user : llvm::to_vector(parts.lateTile.getRing().getUsers()))
      if (parts.loop->isAncestor(user))
        shift(user);
    b.setInsertionPoint(work);
    SmallVector<Value> inits(work.getInits());
    size_t before = inits.size();
    inits.push_back(arith::ConstantIntOp::create(b, loc, 0, 1));
    for (Value value : parts.carried)
      inits.push_back(createZero(value));
    SmallVector<Type> types(ValueRange(inits).getTypes());
    auto flat =
        WorkLoopOp::create(b, loc, types, work.getExtents(), work.getGroup(),
                           inits, work.getDescending(), work.getSchedule());
    SmallVector<Type> argumentTypes(work.getExtents().getTypes());
    llvm::append_range(argumentTypes, types);
    SmallVector<Location> locs(argumentTypes.size(), loc);
    Block *body = b.createBlock(&flat.getBody(), {}, argumentTypes, locs);
    IRMapping now;
    unsigned known = work.getExtents().size() + before;
    now.map(parts.body->getArguments(), body->getArguments().take_front(known));
    buildPoint(now, body->getArgument(known),
               body->getArguments().drop_front(known + 1));
    SmallVector<Value> yields;
    for (Value value : parts.body->getTerminator()->getOperands())
      yields.push_back(now.lookupOrDefault(value));
    yields.push_back(arith::ConstantIntOp::create(b, loc, 1, 1));
    for (Value value : parts.carried)
      yields.push_back(narrow(value, now.lookupOrDefault(value)));
    YieldOp::create(b, loc, yields);

    // The last point's end.
    b.setInsertionPointAfter(flat);
    IRMapping last;
    mapCarried(last, flat.getResults().drop_front(before + 1));
    for (Operation *op : parts.copies)
      cloneCopy(op, last);
    buildResults(last, flat.getResult(before));
    b.replaceAllUsesWith(work.getResults(),
                         flat.getResults().take_front(before));
    b.eraseOp(work);
  }

private:
  /// Registers are dear: what is known to fit 32 bits has no more. A point's
  /// indices do, and what the copy engine and rings take.
  Type getCarriedType(Value value) {
    RingFillOp fill = parts.lateFill;
    bool fits = llvm::is_contained(parts.work.getPoint(), value) ||
                value == fill.getCount() ||
                value == fill.getOffsets()[fill.getRowDimension()];
    return value.getType().isIndex() && fits ? Type(b.getI32Type())
                                             : value.getType();
  }
  Value narrow(Value source, Value value) {
    Type type = getCarriedType(source);
    if (type == value.getType())
      return value;
    return arith::IndexCastOp::create(b, loc, type, value);
  }

  /// Before the first point there is nothing: zeros, and of the late product's
  /// tile what lies outside of any tensor, copied before all others.
  Value createZero(Value value) {
    Type type = getCarriedType(value);
    RingFillOp fill = parts.lateFill;
    if (value == fill.getCount())
      return arith::ConstantIntOp::create(b, loc, -1, 32);
    if (value.getType().isIndex() &&
        value == fill.getOffsets()[fill.getRowDimension()])
      return arith::ConstantIntOp::create(b, loc, kOutside, 32);
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  }
  static constexpr int64_t kOutside = int64_t(1) << 30;

  /// Counts `op`, if it works on the late product's ring, one higher: the copy
  /// before the first point is number 0.
  void shift(Operation *op) {
    OpOperand *count = nullptr;
    if (auto fill = dyn_cast<RingFillOp>(op))
      count = &fill.getCountMutable();
    else if (auto wait = dyn_cast<RingWaitOp>(op))
      count = &wait.getCountMutable();
    else if (auto release = dyn_cast<RingReleaseOp>(op))
      count = &release.getCountMutable();
    if (!count)
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    count->set(arith::AddIOp::create(b, loc, count->get(), one));
  }
  void cloneCopy(Operation *op, IRMapping &mapping) {
    shift(b.clone(*op, mapping));
  }

  void mapCarried(IRMapping &mapping, ValueRange values) {
    for (auto [value, carried] : llvm::zip_equal(parts.carried, values)) {
      Value back = carried;
      if (value.getType() != carried.getType())
        back = arith::IndexCastOp::create(b, loc, value.getType(), carried);
      mapping.map(value, back);
    }
    // What is cheap is made again where it is asked for.
    for (Operation &op : parts.body->without_terminator()) {
      if (parts.isEnd(&op) || !PointParts::isCheap(&op) ||
          mapping.contains(op.getResult(0)))
        continue;
      bool isKnown = llvm::all_of(op.getOperands(), [&](Value operand) {
        return mapping.contains(operand) ||
               !parts.work.getBody().isAncestor(operand.getParentRegion());
      });
      if (isKnown)
        b.clone(op, mapping);
    }
  }

  void buildResults(IRMapping &mapping, Value exists) {
    auto branch = scf::IfOp::create(b, loc, exists, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    for (Operation *op : parts.results)
      b.clone(*op, mapping);
  }

  void buildPoint(IRMapping &now, Value exists, ValueRange carried) {
    SmallVector<Operation *> start;
    for (Operation &op : *parts.body) {
      if (&op == parts.loop)
        break;
      start.push_back(&op);
    }
    llvm::SetVector<Operation *> first = getUpToProduct();
    llvm::SetVector<Operation *> feeding = getFeeding(first);
    llvm::SetVector<Operation *> done;
    auto emit = [&](auto &&isWanted) {
      for (Operation *op : start)
        if (!done.contains(op) && isWanted(op)) {
          Operation *copy = b.clone(*op, now);
          // The late product was started after this one.
          if (op == parts.earlyWait)
            cast<MmaWaitOp>(copy).setPending(1);
          done.insert(op);
        }
    };
    IRMapping end;
    mapCarried(end, carried);
    // Copies first: they take longest.
    emit([&](Operation *op) {
      return first.contains(op) && !isa<RingWaitOp>(op) && op != parts.early &&
             !dependsOnTile(op);
    });
    cloneCopy(parts.lateFill, end);
    emit([&](Operation *op) { return first.contains(op); });
    for (Operation *op : parts.copies)
      if (op != parts.lateFill &&
          (op == parts.late || op->isBeforeInBlock(parts.late)))
        cloneCopy(op, end);
    emit([&](Operation *op) { return !feeding.contains(op); });
    for (Operation *op : parts.copies)
      if (op != parts.late && parts.late->isBeforeInBlock(op))
        cloneCopy(op, end);
    buildResults(end, exists);
    emit([](Operation *) { return true; });
    b.clone(*parts.loop, now);
    for (Operation *op : parts.kept)
      b.clone(*op, now);
  }

  /// Whether `op` works on a tile, as its users do.
  static bool dependsOnTile(Operation *op) {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TileType>);
  }

  /// What the early product needs of its block, and all copies.
  llvm::SetVector<Operation *> getUpToProduct() {
    llvm::SetVector<Operation *> first;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.omitUsesFromAbove = false;
    options.inclusive = true;
    options.filter = [&](Operation *op) {
      return op->getBlock() == parts.body;
    };
    (void)getBackwardSlice(parts.early.getOperation(), &first, options);
    for (auto fill : parts.body->getOps<RingFillOp>())
      if (fill->isBeforeInBlock(parts.loop))
        (void)getBackwardSlice(fill.getOperation(), &first, options);
    return first;
  }

  /// What feeds a product from registers, and what is made of that: not made
  /// while one is in flight.
  llvm::SetVector<Operation *>
  getFeeding(const llvm::SetVector<Operation *> &first) {
    llvm::SetVector<Operation *> feeding;
    for (Operation &op : *parts.body) {
      if (&op == parts.loop)
        break;
      if (first.contains(&op))
        continue;
      auto is16Bit = [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return vector && vector.getElementTypeBitWidth() == 16;
      };
      bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
        return feeding.contains(operand.getDefiningOp());
      });
      if (follows || llvm::any_of(op.getResultTypes(), is16Bit))
        feeding.insert(&op);
    }
    return feeding;
  }

  RewriterBase &b;
  PointParts &parts;
  WorkLoopOp work;
  Location loc;
};

} // namespace

LogicalResult attn_gpu::flattenWork(RewriterBase &rewriter, WorkLoopOp work) {
  PointParts parts(work);
  if (failed(parts.plan()))
    return failure();
  Flattener(rewriter, parts).run();
  return success();
}
