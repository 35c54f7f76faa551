//===- Signals.cpp - Turns and staged writes ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States of a warpgroup that its program changes in order: whether it has the
// turn, and how far its copies to global memory are.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

namespace {
class TurnFlow {
public:
  explicit TurnFlow(KernelFaults &faults) : faults(faults) {}

  void run(Region &region) {
    walk(region.front());
    if (taken)
      fail(taken, "takes a turn that is not passed on");
  }

private:
  void fail(Operation *op, StringRef text) {
    faults.push_back({op, text.str()});
    if (taken && taken != op)
      faults.back().notes.push_back({taken, "taken here"});
  }

  void walk(Block &block) {
    for (Operation &op : block) {
      if (isa<TurnWaitOp>(op)) {
        if (taken)
          fail(&op, "takes a turn that this warpgroup has already");
        taken = &op;
      } else if (isa<TurnPassOp>(op)) {
        if (!taken)
          fail(&op, "passes a turn that this warpgroup does not have");
        taken = nullptr;
      } else {
        enter(&op);
      }
    }
  }

  /// Each region must end with or without the turn as all others do: those of a
  /// loop as it begins.
  void enter(Operation *op) {
    if (op->getNumRegions() == 0)
      return;
    Operation *before = taken;
    bool isLoop = isa<LoopLikeOpInterface>(op);
    // An arm that is not there changes nothing.
    std::optional<Operation *> after;
    for (Region &region : op->getRegions()) {
      taken = before;
      if (!region.empty())
        walk(region.front());
      if (isLoop && !taken != !before)
        fail(op, "a step ends with the turn and begins without it, or the "
                 "reverse");
      else if (after && !taken != !*after)
        fail(op, "its arms end one with the turn and one without it");
      if (!after)
        after = taken;
    }
    taken = isLoop || !after ? before : *after;
  }

  KernelFaults &faults;
  Operation *taken = nullptr;
};
} // namespace

void attn_gpu::findTurnFaults(KernelOp kernel, KernelFaults &faults) {
  TurnFlow(faults).run(getConsumerRegion(kernel));
}

//===----------------------------------------------------------------------===//
// Staged writes
//===----------------------------------------------------------------------===//

namespace {
/// How far a warpgroup's copies to global memory are, at worst.
enum class Copies : uint8_t { Done, Read, Started };

class StagedWriteFlow {
public:
  explicit StagedWriteFlow(KernelFaults &faults) : faults(faults) {}

  void run(Region &region) {
    walk(region.front(), /*report=*/true);
    if (state != Copies::Done)
      faults.push_back({last, "is not known to be complete when the kernel "
                              "ends, and its shared memory with it: expected "
                              "an attn_gpu.copy_wait behind it"});
  }

private:
  void walk(Block &block, bool report) {
    for (Operation &op : block) {
      if (auto wait = dyn_cast<CopyWaitOp>(op)) {
        state = std::min(state, wait.getRead() ? Copies::Read : Copies::Done);
      } else if (isa<CopyOutOp>(op)) {
        state = Copies::Started;
        last = &op;
      } else if (isa<StoreFragmentOp, RingReleaseOp>(op)) {
        if (report && state == Copies::Started &&
            (isa<StoreFragmentOp>(op) || copiesFrom(&op)))
          fail(&op);
      } else {
        enter(&op, report);
      }
    }
  }

  /// Whether the last copy is of a tile of the ring that `op` gives back to.
  bool copiesFrom(Operation *op) {
    Value tile = cast<CopyOutOp>(last).getTile();
    while (auto part = tile.getDefiningOp<SubtileOp>())
      tile = part.getSource();
    auto wait = tile.getDefiningOp<RingWaitOp>();
    return wait && wait.getRing() == cast<RingReleaseOp>(op).getRing();
  }

  void fail(Operation *op) {
    std::string text = isa<StoreFragmentOp>(op) ? "overwrites shared memory"
                                                : "gives a tile back";
    faults.push_back({op, text +
                              " that a copy to global memory may still "
                              "read: expected an attn_gpu.copy_wait before"});
    faults.back().notes.push_back({last, "started here"});
  }

  void enter(Operation *op, bool report) {
    if (op->getNumRegions() == 0)
      return;
    Copies before = state, worst = Copies::Done;
    bool mayPass = isa<LoopLikeOpInterface>(op);
    for (int round = mayPass ? 0 : 1; round < 2; ++round) {
      bool mayReport = report && round == 1;
      for (Region &region : op->getRegions()) {
        state = before;
        if (region.empty())
          mayPass = true;
        else
          walk(region.front(), mayReport);
        worst = std::max(worst, state);
      }
      // A step may begin as another ends.
      if (isa<LoopLikeOpInterface>(op))
        before = std::max(before, worst);
    }
    state = mayPass ? std::max(before, worst) : worst;
  }

  KernelFaults &faults;
  Copies state = Copies::Done;
  Operation *last = nullptr;
};
} // namespace

namespace {
/// Who uses a tile, or parts of it.
struct TileUses {
  bool stores = false, copies = false, reads = false;

  explicit TileUses(Value tile) { add(tile); }

private:
  void add(Value tile) {
    for (Operation *user : tile.getUsers()) {
      stores |= isa<StoreFragmentOp>(user);
      copies |= isa<CopyOutOp>(user);
      reads |= isa<MmaOp, LoadFragmentOp>(user);
      if (auto part = dyn_cast<SubtileOp>(user))
        add(part.getResult());
    }
  }
};
} // namespace

void attn_gpu::findStagedWriteFaults(KernelOp kernel, KernelFaults &faults) {
  for (auto tile : kernel.getBody().getOps<TileCreateOp>()) {
    TileUses uses(tile.getTile());
    if (!uses.stores && (uses.copies || uses.reads))
      faults.push_back({tile, "is used, but nothing is stored to it"});
    else if (uses.stores && !uses.copies && !uses.reads)
      faults.push_back({tile, "is stored to, but nobody uses it"});
  }
  StagedWriteFlow(faults).run(getConsumerRegion(kernel));
}
