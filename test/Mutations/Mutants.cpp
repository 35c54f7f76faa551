//===- Mutants.cpp - Kernels with one thing wrong -------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists and applies mutations, and says of some why they change nothing.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

static bool isOnRing(Operation *op) {
  return isa<RingFillOp, RingWaitOp, RingReleaseOp>(op);
}

static bool synchronises(Operation *op) {
  return isOnRing(op) || isa<TurnWaitOp, TurnPassOp, MmaOp, MmaWaitOp,
                             StoreFragmentOp, CopyOutOp, CopyWaitOp>(op);
}

static std::vector<Operation *> listOps(KernelOp kernel) {
  std::vector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  return ops;
}

static Operation *getNextThatSynchronises(Operation *op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (synchronises(next))
      return next;
  return nullptr;
}

/// The ring after that of `op` that has its type, or null.
static RingCreateOp getOtherRing(Operation *op) {
  SmallVector<RingCreateOp> same;
  for (auto ring :
       op->getParentOfType<KernelOp>().getBody().getOps<RingCreateOp>())
    if (ring.getType() == op->getOperand(0).getType())
      same.push_back(ring);
  for (auto [i, ring] : llvm::enumerate(same))
    if (ring.getRing() == op->getOperand(0) && same.size() > 1)
      return same[(i + 1) % same.size()];
  return {};
}

//===----------------------------------------------------------------------===//
// Swaps
//===----------------------------------------------------------------------===//

/// Whether `op` may stand behind `next`, of its block: nothing up to there uses
/// its results.
static bool canSink(Operation *op, Operation *next) {
  return llvm::none_of(op->getUsers(), [&](Operation *user) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    return here && !next->isBeforeInBlock(here);
  });
}

/// Whether `next` may stand before `op`: its operands are there.
static bool canRise(Operation *op, Operation *next) {
  return llvm::none_of(next->getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return def && def->getBlock() == op->getBlock() &&
           !def->isBeforeInBlock(op);
  });
}

//===----------------------------------------------------------------------===//
// Equivalence
//===----------------------------------------------------------------------===//

// Why a mutant that nobody can tell from its kernel is equal to it. Each
// argument holds for every program that is right before the mutation. Those on
// swaps rest on this: agents wait for one thing at a time, and what is
// signalled stays so until it is used. So whether all end up waiting depends on
// the program and its input, not on who runs first: a deadlock shows in every
// run, and a swap that survives has none.

static constexpr char kTurns[] =
    "turns order the start of products of different warpgroups, for speed: no "
    "warpgroup reads what another computes";
static constexpr char kOtherRings[] =
    "operations on different rings touch different barriers and stages, and "
    "the order on each ring is kept";
static constexpr char kStartOfProduct[] =
    "the start of a product holds nobody up, and it reads none of the other's "
    "ring, or only tiles that are neither waited for nor given back here";
static constexpr char kLaterRelease[] =
    "a stage that is given back later was not free earlier";

static constexpr char kFreshTile[] =
    "nothing has been copied from that tile before, so there is no reading to "
    "wait for";

/// Whether `wait` stands before the first copy from the tile that is stored to
/// behind it: it runs once, and all of them are behind it in its block.
static bool isForFreshTile(CopyWaitOp wait) {
  auto store =
      dyn_cast_if_present<StoreFragmentOp>(getNextThatSynchronises(wait));
  if (!store || wait->getParentOfType<LoopLikeOpInterface>())
    return false;
  Value tile = store.getTile();
  while (auto part = tile.getDefiningOp<SubtileOp>())
    tile = part.getSource();
  auto isCopiedLater = [&](Operation *user) {
    return !isa<CopyOutOp>(user) || (user->getBlock() == wait->getBlock() &&
                                     wait->isBeforeInBlock(user));
  };
  return tile.getDefiningOp<TileCreateOp>() &&
         llvm::all_of(tile.getUsers(), [&](Operation *user) {
           return isa<SubtileOp>(user)
                      ? llvm::all_of(user->getUsers(), isCopiedLater)
                      : isCopiedLater(user);
         });
}

static std::string getSwapArgument(Operation *op) {
  Operation *next = getNextThatSynchronises(op);
  if (auto wait = dyn_cast<CopyWaitOp>(op); wait && isForFreshTile(wait))
    return kFreshTile;
  bool hasTurn =
      isa<TurnWaitOp, TurnPassOp>(op) || isa<TurnWaitOp, TurnPassOp>(next);
  bool bothTurns =
      isa<TurnWaitOp, TurnPassOp>(op) && isa<TurnWaitOp, TurnPassOp>(next);
  if (hasTurn)
    return bothTurns ? "" : kTurns;
  if (isOnRing(op) && isOnRing(next))
    return op->getOperand(0) != next->getOperand(0) ? kOtherRings : "";
  if (isa<RingReleaseOp>(op))
    return kLaterRelease;
  bool hasRelease = isa<RingReleaseOp>(next);
  if (!hasRelease &&
      (isa<MmaOp>(op) ? isOnRing(next) : isOnRing(op) && isa<MmaOp>(next)))
    return kStartOfProduct;
  return "";
}

static std::string getArgument(Operation *op, Change change, int64_t amount) {
  if (change == Change::Swap)
    return getSwapArgument(op);
  if (auto wait = dyn_cast<CopyWaitOp>(op);
      change == Change::Drop && wait && isForFreshTile(wait))
    return kFreshTile;
  if (change == Change::Pending && amount < 0)
    return "waits for more products than it must, which all finish by "
           "themselves";
  if (change == Change::Read && cast<CopyWaitOp>(op).getRead())
    return "waits for the end of copies instead of their reading, which comes "
           "before";
  if (change == Change::Duplicate && isa<StoreFragmentOp, CopyOutOp>(op))
    return "the same elements are written to the same place a second time";
  if (change == Change::Duplicate && isa<CopyWaitOp>(op))
    return "the second wait finds all copies done";
  if (change == Change::Duplicate && isa<RingWaitOp>(op))
    return "the second wait is for a phase that the first found complete and "
           "that stays so until the stage is given back";
  return "";
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

std::vector<Mutation> sim::listMutations(KernelOp kernel) {
  std::vector<Mutation> mutations;
  for (auto [index, op] : llvm::enumerate(listOps(kernel))) {
    if (!synchronises(op))
      continue;
    auto add = [&, index = index, op = op](Change change, const Twine &name,
                                           int64_t amount = 0) {
      Mutation mutation;
      mutation.index = index;
      mutation.change = change;
      mutation.amount = amount;
      mutation.name = name.str();
      mutation.op = op->getName().stripDialect().str();
      if (change == Change::Swap)
        mutation.other =
            getNextThatSynchronises(op)->getName().stripDialect().str();
      mutation.equivalence = getArgument(op, change, amount);
      mutations.push_back(std::move(mutation));
    };
    if (op->use_empty())
      add(Change::Drop, "drop");
    add(Change::Duplicate, "duplicate");
    Operation *next = getNextThatSynchronises(op);
    if (next && (canSink(op, next) || canRise(op, next)))
      add(Change::Swap, "swap");
    if (isOnRing(op)) {
      auto type = cast<RingType>(op->getOperand(0).getType());
      llvm::SmallSetVector<int64_t, 4> amounts;
      for (int64_t amount :
           {int64_t(1), int64_t(-1), type.getStages(), -type.getStages()})
        amounts.insert(amount);
      for (int64_t amount : amounts)
        add(Change::Count,
            "count " + Twine(amount < 0 ? "- " : "+ ") +
                Twine(std::abs(amount)),
            amount);
      if (getOtherRing(op))
        add(Change::Ring, "other ring");
      if (op->getOperand(0).getDefiningOp<RingCreateOp>().getMulticast() &&
          !isa<RingWaitOp>(op))
        add(Change::FirstBlock, "first block's");
      if (isa<RingFillOp>(op) &&
          op->getOperand(0).getDefiningOp<RingCreateOp>().getMulticast())
        add(Change::Rows, "other rows");
    }
    if (isa<CopyWaitOp>(op))
      add(Change::Read, "other kind of");
    if (auto wait = dyn_cast<MmaWaitOp>(op)) {
      add(Change::Pending, "pending + 1", 1);
      if (wait.getPending() > 0)
        add(Change::Pending, "pending - 1", -1);
    }
  }
  return mutations;
}

static void apply(Operation *op, const Mutation &mutation) {
  OpBuilder b(op);
  switch (mutation.change) {
  case Change::Drop:
    op->erase();
    return;
  case Change::Duplicate:
    b.setInsertionPointAfter(op);
    b.clone(*op);
    return;
  case Change::Swap: {
    Operation *next = getNextThatSynchronises(op);
    if (canSink(op, next))
      op->moveAfter(next);
    else
      next->moveBefore(op);
    return;
  }
  case Change::Count: {
    Value amount =
        arith::ConstantIndexOp::create(b, op->getLoc(), mutation.amount);
    op->setOperand(
        1, arith::AddIOp::create(b, op->getLoc(), op->getOperand(1), amount));
    return;
  }
  case Change::Pending: {
    auto wait = cast<MmaWaitOp>(op);
    wait.setPending(wait.getPending() + mutation.amount);
    return;
  }
  case Change::Read: {
    auto wait = cast<CopyWaitOp>(op);
    wait.setRead(!wait.getRead());
    return;
  }
  case Change::Ring:
    op->setOperand(0, getOtherRing(op).getRing());
    return;
  case Change::FirstBlock: {
    Location loc = op->getLoc();
    Value isFirst = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, ClusterRankOp::create(b, loc),
        arith::ConstantIndexOp::create(b, loc, 0));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    op->moveBefore(branch.thenBlock()->getTerminator());
    return;
  }
  case Change::Rows: {
    auto fill = cast<RingFillOp>(op);
    OpOperand &row = fill.getOffsetsMutable()[fill.getRowDimension()];
    row.set(arith::AddIOp::create(b, op->getLoc(), row.get(),
                                  ClusterRankOp::create(b, op->getLoc())));
    return;
  }
  }
}

OwningOpRef<ModuleOp> sim::applyMutation(KernelOp kernel,
                                         const Mutation &mutation) {
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(kernel->getParentOp()->clone()));
  KernelOp copy = *module->getOps<KernelOp>().begin();
  apply(listOps(copy)[mutation.index], mutation);
  if (failed(verify(*module)))
    llvm::report_fatal_error("a mutant is not valid IR");
  return module;
}
