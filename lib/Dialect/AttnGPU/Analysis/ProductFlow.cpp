//===- ProductFlow.cpp - Products in flight -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the products that a warpgroup has started and that may still run, in
// their order, over all paths of its program.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Counts.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
/// A product that may still run, by the name that it has here.
struct Product {
  Value value;
  MmaOp start;

  bool operator==(const Product &other) const { return value == other.value; }
};

class ProductFlow {
public:
  ProductFlow(KernelOp kernel, KernelFaults &faults)
      : uniformity(kernel), faults(faults) {}

  void run(Region &region) {
    walk(region.front());
    for (MmaOp op : products) {
      llvm::SmallPtrSet<Operation *, 8> seen;
      if (isa<VectorType>(op.getA().getType()))
        checkMaker(op, op.getA(), seen);
    }
  }

private:
  using Products = SmallVector<Product, 4>;

  void walk(Block &block) {
    for (Operation &op : block) {
      if (auto start = dyn_cast<MmaOp>(op)) {
        products.push_back(start);
        running.push_back({start.getResult(), start});
      } else if (auto wait = dyn_cast<MmaWaitOp>(op)) {
        visit(wait);
      } else if (auto release = dyn_cast<RingReleaseOp>(op)) {
        visit(release);
      } else if (auto store = dyn_cast<StoreFragmentOp>(op)) {
        visit(store);
      } else if (op.getNumRegions() != 0) {
        enter(&op);
      }
      if (!running.empty())
        duringOf[&op] = running.back().start;
    }
  }

  void visit(MmaWaitOp wait) {
    auto *at = llvm::find_if(running, [&](const Product &product) {
      return product.value == wait.getProduct();
    });
    int64_t younger = running.end() - at - 1;
    int64_t pending = wait.getPending();
    if (at != running.end() && younger < pending) {
      faults.push_back({wait, "leaves its own product in flight: " +
                                  std::to_string(younger) +
                                  " were started after it, got pending " +
                                  std::to_string(pending)});
      faults.back().notes.push_back({at->start, "started here"});
      // As it was meant.
      pending = younger;
    }
    int64_t done = static_cast<int64_t>(running.size()) - pending;
    if (done > 0)
      running.erase(running.begin(), running.begin() + done);
  }

  /// A stage must not be given back while a product reads it.
  void visit(RingReleaseOp release) {
    for (Product &product : running)
      for (Value operand : {product.start.getA(), Value(product.start.getB())})
        if (RingWaitOp wait = getWait(operand);
            wait && wait.getRing() == release.getRing() &&
            counts.get(wait.getCount()) == counts.get(release.getCount())) {
          faults.push_back(
              {release, "gives a tile back that a product in flight reads"});
          faults.back().notes.push_back({product.start, "started here"});
          break;
        }
  }

  void visit(StoreFragmentOp store) {
    Value tile = getWhole(store.getTile());
    for (Product &product : running)
      if (getWhole(product.start.getA()) == tile ||
          getWhole(product.start.getB()) == tile) {
        faults.push_back(
            {store, "overwrites a tile that a product in flight reads"});
        faults.back().notes.push_back({product.start, "started here"});
      }
  }

  /// The tile that `operand` is a part of.
  static Value getWhole(Value operand) {
    while (auto part = operand.getDefiningOp<SubtileOp>())
      operand = part.getSource();
    return operand;
  }

  static RingWaitOp getWait(Value operand) {
    return getWhole(operand).getDefiningOp<RingWaitOp>();
  }

  void enter(Operation *op) {
    if (!running.empty() && uniformity.getDecision(op) == Sharing::None) {
      faults.push_back(
          {op,
           "is decided by each thread for itself while a product is in "
           "flight: ptxas will wait for each product at once (C7518)",
           /*isSlow=*/true});
      faults.back().notes.push_back({running.back().start, "started here"});
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return enterCondition(branch);
    if (Counts::isFollowed(op))
      return enterLoop(cast<LoopLikeOpInterface>(op));
    // Nothing may stay in flight over the border of any other region.
    for (Region &region : op->getRegions()) {
      Products before = running;
      for (Block &block : region)
        walk(block);
      if (running != before)
        failAt(op, "leaves other products in flight than there were before");
      running = before;
    }
  }

  /// The products in flight, with the names that `to` has for those of `from`.
  void rename(ValueRange from, ValueRange to) {
    for (Product &product : running)
      for (auto [old, name] : llvm::zip(from, to))
        if (product.value == old) {
          product.value = name;
          break;
        }
  }

  void failAt(Operation *op, const Twine &text) {
    faults.push_back({op, text.str()});
    for (Product &product : running)
      faults.back().notes.push_back({product.start, "may be in flight"});
  }

  void enterCondition(scf::IfOp branch) {
    Products before = running;
    walk(*branch.thenBlock());
    if (branch.getNumResults() != 0)
      rename(branch.thenYield().getOperands(), branch.getResults());
    Products afterThen = std::exchange(running, before);
    if (branch.elseBlock()) {
      walk(*branch.elseBlock());
      if (branch.getNumResults() != 0)
        rename(branch.elseYield().getOperands(), branch.getResults());
    }
    if (running != afterThen)
      failAt(branch, "its arms leave different products in flight");
    running = afterThen;
  }

  void enterLoop(LoopLikeOpInterface loop) {
    ValueRange arguments = loop.getRegionIterArgs();
    SmallVector<Value> inits(loop.getInits()), yields(loop.getYieldedValues());
    rename(inits, arguments);
    Products before = running;
    for (Region *region : loop.getLoopRegions())
      walk(region->front());
    rename(yields, arguments);
    if (running != before)
      failAt(loop,
             "a step leaves other products in flight than it begins with");
    running = before;
    rename(arguments, *loop.getLoopResults());
  }

  /// Reports what makes `value`, an operand in registers of `product`, while
  /// another product is in flight.
  void checkMaker(MmaOp product, Value value,
                  llvm::SmallPtrSetImpl<Operation *> &seen) {
    Operation *op = value.getDefiningOp();
    auto checkCarried = [&](LoopLikeOpInterface loop, size_t index) {
      if (!seen.insert(loop).second)
        return;
      checkMaker(product, loop.getInits()[index], seen);
      checkMaker(product, loop.getYieldedValues()[index], seen);
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      op = argument.getOwner()->getParentOp();
      if (!Counts::isFollowed(op))
        return;
      auto loop = cast<LoopLikeOpInterface>(op);
      auto arguments = loop.getRegionIterArgs();
      auto *at = llvm::find(arguments, argument);
      if (at != arguments.end())
        checkCarried(loop, at - arguments.begin());
      return;
    }
    size_t index = cast<OpResult>(value).getResultNumber();
    if (Counts::isFollowed(op))
      return checkCarried(cast<LoopLikeOpInterface>(op), index);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      checkMaker(product, branch.thenYield().getOperand(index), seen);
      checkMaker(product, branch.elseYield().getOperand(index), seen);
      return;
    }
    auto during = duringOf.find(op);
    if (during == duringOf.end() || matchPattern(op, m_Constant()))
      return;
    faults.push_back({op,
                      "makes an operand of a product in registers while "
                      "another is in flight: ptxas will wait for each product "
                      "at once (C7513); make it after the wait",
                      /*isSlow=*/true});
    faults.back().notes.push_back({during->second, "in flight"});
    faults.back().notes.push_back({product, "the operand of this one"});
  }

  Uniformity uniformity;
  Counts counts;
  KernelFaults &faults;
  Products running;
  std::vector<MmaOp> products;
  /// A product that was in flight when an operation ran.
  llvm::DenseMap<Operation *, MmaOp> duringOf;
};
} // namespace

void attn_gpu::findProductFaults(KernelOp kernel, KernelFaults &faults) {
  ProductFlow(kernel, faults).run(getConsumerRegion(kernel));
}
