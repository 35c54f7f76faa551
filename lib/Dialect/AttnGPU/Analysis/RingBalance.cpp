//===- RingBalance.cpp - Fills, waits and releases ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows one kind of operation on one ring through the program: how often it
// has run is compared with the count that the next one names. A loop must
// carry a value that says it.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/Counts.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "attn/Dialect/AttnGPU/Analysis/RoleEquivalence.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <memory>

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
enum class Kind : uint8_t { Fill, Wait, Release };

struct KindNames {
  StringRef op, past;
};
} // namespace

static Value getRing(Operation *op) { return op->getOperand(0); }
static Value getCount(Operation *op) { return op->getOperand(1); }

static std::optional<Kind> getKind(Operation *op) {
  if (isa<RingFillOp>(op))
    return Kind::Fill;
  if (isa<RingWaitOp>(op))
    return Kind::Wait;
  if (isa<RingReleaseOp>(op))
    return Kind::Release;
  return std::nullopt;
}

static KindNames getNames(Kind kind) {
  switch (kind) {
  case Kind::Fill:
    return {"attn_gpu.ring_fill", "filled"};
  case Kind::Wait:
    return {"attn_gpu.ring_wait", "waited for"};
  case Kind::Release:
    return {"attn_gpu.ring_release", "given back"};
  }
  llvm_unreachable("all kinds are listed");
}

/// What a difference to what is expected is called.
static std::string describe(int64_t difference) {
  int64_t size = std::abs(difference);
  return std::to_string(size) + (difference < 0 ? " less" : " more");
}

/// What uses tiles where it stands.
static bool usesTiles(Operation *op) {
  return isa<MmaOp, LoadFragmentOp, StoreFragmentOp, CopyOutOp>(op);
}

//===----------------------------------------------------------------------===//
// One kind of operation on one ring
//===----------------------------------------------------------------------===//

namespace {
/// How often operations have been run. Behind a condition or a work loop of
/// which no result says it, only what they did inside.
struct Tally {
  struct Unnamed {
    Operation *op;
    std::vector<Tally> ends; ///< Of the arms, or of the body.
  };

  /// If unnamed, what was run since.
  Count count = {};
  std::shared_ptr<Unnamed> unnamed = nullptr;

  Tally operator+(int64_t more) const { return {count + more, unnamed}; }
  bool operator==(const Tally &other) const {
    return count == other.count && unnamed == other.unnamed;
  }
  bool operator!=(const Tally &other) const { return !(*this == other); }
  /// By how much `value` is more, where that is known.
  std::optional<int64_t> getLag(const Count &value) const {
    return unnamed ? std::nullopt : value.minus(count);
  }

  /// Whether this is `other` in every run, of another role.
  bool isSame(const Tally &other) const {
    if (*this == other)
      return true;
    if (!unnamed != !other.unnamed || count.offset != other.count.offset)
      return false;
    if (!unnamed)
      return count.root && other.count.root &&
             isSameInBothRoles(count.root, other.count.root);
    if (auto branch = dyn_cast<scf::IfOp>(unnamed->op)) {
      auto otherBranch = dyn_cast<scf::IfOp>(other.unnamed->op);
      if (!otherBranch ||
          !isSameInBothRoles(branch.getCondition(), otherBranch.getCondition()))
        return false;
    } else {
      auto otherWork = dyn_cast<WorkLoopOp>(other.unnamed->op);
      if (!otherWork ||
          !isSameWorkInBothRoles(cast<WorkLoopOp>(unnamed->op), otherWork))
        return false;
    }
    return llvm::all_of(
        llvm::zip_equal(unnamed->ends, other.unnamed->ends),
        [](auto pair) { return std::get<0>(pair).isSame(std::get<1>(pair)); });
  }
};

class RingWalk {
public:
  RingWalk(Counts &counts, Value ring, Kind kind)
      : counts(counts), ring(ring), kind(kind) {}

  /// From the start of `region`. Faults are kept.
  void run(Region &region) {
    Result result = walk(region.front(), Tally());
    end = result.tally;
    faults = std::move(result.faults);
  }

  /// How many there have been in all.
  Tally getEnd() const { return end; }
  KernelFaults &getFaults() { return faults; }
  /// How many there have been before `op`, if it was come by.
  std::optional<Tally> getBefore(Operation *op) const {
    auto at = before.find(op);
    return at == before.end() ? std::nullopt : std::optional(at->second);
  }
  Operation *getAny() const { return any; }

private:
  struct Result {
    Tally tally;
    KernelFaults faults;
  };

  bool isMine(Operation *op) const {
    return getKind(op) == kind && getRing(op) == ring;
  }

  bool holdsMine(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          return isMine(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
        })
        .wasInterrupted();
  }

  Result walk(Block &block, Tally tally) {
    Result result;
    result.tally = tally;
    for (Operation &op : block) {
      if (isMine(&op))
        step(&op, result);
      else if (op.getNumRegions() != 0 && holdsMine(&op))
        enter(&op, result);
      else
        op.walk([&](Operation *inner) {
          if (getKind(inner) || usesTiles(inner))
            before[inner] = result.tally;
        });
    }
    return result;
  }

  void step(Operation *op, Result &result) {
    any = op;
    before[op] = result.tally;
    Count count = counts.get(getCount(op));
    std::optional<int64_t> difference = result.tally.getLag(count);
    // A second wait finds what the first has found.
    if (kind == Kind::Wait && difference == -1 && isRepeated(op))
      return;
    if (difference != 0) {
      result.faults.push_back(
          {op, "expected the count of the ring's next fill that is to be " +
                   getNames(kind).past.str() + ", got one that is " +
                   (difference ? describe(*difference)
                               : std::string("not known to be it"))});
      if (result.tally.unnamed)
        result.faults.back().notes.push_back(
            {result.tally.unnamed->op,
             "behind this, nothing says how often it was run"});
      // Go on from what the operation says.
      result.tally = {count, nullptr};
    }
    result.tally = result.tally + 1;
  }

  /// Whether the same block has waited for this fill before.
  bool isRepeated(Operation *op) {
    for (Operation *other = op->getPrevNode(); other;
         other = other->getPrevNode()) {
      if (getKind(other) == Kind::Release && getRing(other) == ring &&
          counts.get(getCount(other)) == counts.get(getCount(op)))
        return false;
      if (isMine(other) &&
          counts.get(getCount(other)) == counts.get(getCount(op)))
        return true;
    }
    return false;
  }

  void enter(Operation *op, Result &result) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return enterCondition(branch, result);
    if (Counts::isFollowed(op))
      return enterLoop(cast<LoopLikeOpInterface>(op), result);
    result.faults.push_back(
        {op, "holds " + getNames(kind).op.str() +
                 ", whose counts are followed in scf.for, scf.if and "
                 "attn_gpu.work_loop only"});
  }

  void enterCondition(scf::IfOp branch, Result &result) {
    Result inThen = walk(*branch.thenBlock(), result.tally), inElse;
    inElse.tally = result.tally;
    if (branch.elseBlock())
      inElse = walk(*branch.elseBlock(), result.tally);
    llvm::append_range(result.faults, inThen.faults);
    llvm::append_range(result.faults, inElse.faults);
    result.tally = inThen.tally;
    if (inThen.tally == inElse.tally)
      return;
    for (OpResult given : branch.getResults()) {
      if (!given.getType().isIntOrIndex())
        continue;
      unsigned n = given.getResultNumber();
      auto ofThen =
          inThen.tally.getLag(counts.get(branch.thenYield().getOperand(n)));
      auto ofElse =
          inElse.tally.getLag(counts.get(branch.elseYield().getOperand(n)));
      if (!ofThen || ofThen != ofElse)
        continue;
      result.tally = {counts.get(given) + -*ofThen, nullptr};
      return;
    }
    result.tally = {Count(), std::make_shared<Tally::Unnamed>(Tally::Unnamed{
                                 branch, {inThen.tally, inElse.tally}})};
  }

  /// One that is run for one point at most.
  void enterWork(WorkLoopOp work, Result &result) {
    Result inside = walk(work.getBody().front(), result.tally);
    llvm::append_range(result.faults, inside.faults);
    if (inside.tally != result.tally)
      result.tally = {Count(), std::make_shared<Tally::Unnamed>(
                                   Tally::Unnamed{work, {inside.tally}})};
  }

  /// A number that goes on by one whenever the operation is run: at the begin
  /// of a loop's step, at its end, and behind the loop.
  struct Candidate {
    Count begin, end, after;
  };

  SmallVector<Candidate> findCandidates(LoopLikeOpInterface loop,
                                        const Tally &tally) {
    SmallVector<Candidate> candidates;
    auto arguments = loop.getRegionIterArgs();
    auto inits = loop.getInits();
    auto yields = loop.getYieldedValues();
    auto results = *loop.getLoopResults();
    for (size_t n = 0; n < arguments.size(); ++n) {
      if (!arguments[n].getType().isIntOrIndex())
        continue;
      auto lag = tally.getLag(counts.get(inits[n]));
      if (lag)
        candidates.push_back({counts.get(arguments[n]) + -*lag,
                              counts.get(yields[n]) + -*lag,
                              counts.get(results[n]) + -*lag});
    }
    auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
    if (!counted || !matchPattern(counted.getStep(), m_One()))
      return candidates;
    if (auto lag = tally.getLag(counts.get(counted.getLowerBound()))) {
      Count begin = counts.get(counted.getInductionVar()) + -*lag;
      candidates.push_back(
          {begin, begin + 1, counts.get(counted.getUpperBound()) + -*lag});
    }
    return candidates;
  }

  void enterLoop(LoopLikeOpInterface loop, Result &result) {
    if (auto work = dyn_cast<WorkLoopOp>(loop.getOperation());
        work && !work.isPersistent())
      return enterWork(work, result);
    Block &body = loop.getLoopRegions().front()->front();
    SmallVector<Candidate> candidates = findCandidates(loop, result.tally);
    if (candidates.empty()) {
      result.faults.push_back({loop, "runs " + getNames(kind).op.str() +
                                         ", but carries no count of them"});
      result.faults.back().notes.push_back(
          {ring.getDefiningOp(), "of this ring"});
      return;
    }
    auto attempt = [&](const Candidate &candidate) {
      Result inside = walk(body, {candidate.begin, nullptr});
      if (inside.tally == Tally{candidate.end, nullptr})
        return inside;
      std::string text = "a step runs " + getNames(kind).op.str() + " ";
      if (auto lag = inside.tally.getLag(candidate.end))
        text += std::to_string(std::abs(*lag)) +
                (*lag > 0 ? " too few" : " too many") +
                " times for the count that the loop carries";
      else
        text += "not known to be as often as the count that the loop carries "
                "goes on";
      inside.faults.push_back({loop, text});
      if (inside.tally.unnamed)
        inside.faults.back().notes.push_back(
            {inside.tally.unnamed->op,
             "nothing says how often it was run in here"});
      inside.faults.back().notes.push_back(
          {ring.getDefiningOp(), "of this ring"});
      return inside;
    };
    const Candidate *best = nullptr;
    size_t fewest = 0;
    for (const Candidate &candidate : candidates) {
      size_t number = attempt(candidate).faults.size();
      if (number == 0) {
        result.tally = {candidate.after, nullptr};
        return;
      }
      if (best && number >= fewest)
        continue;
      best = &candidate;
      fewest = number;
    }
    // Once more, since each attempt notes what was run before.
    llvm::append_range(result.faults, attempt(*best).faults);
    result.tally = {best->after, nullptr};
  }

  Counts &counts;
  Value ring;
  Kind kind;
  Tally end;
  KernelFaults faults;
  Operation *any = nullptr;
  llvm::DenseMap<Operation *, Tally> before;
};

//===----------------------------------------------------------------------===//
// One ring
//===----------------------------------------------------------------------===//

class RingChecker {
public:
  RingChecker(KernelOp kernel, Counts &counts, RingCreateOp ring,
              KernelFaults &faults)
      : kernel(kernel), counts(counts), ring(ring), faults(faults),
        fills(counts, ring.getRing(), Kind::Fill),
        waits(counts, ring.getRing(), Kind::Wait),
        releases(counts, ring.getRing(), Kind::Release) {}

  void check() {
    Region &consumer = getConsumerRegion(kernel);
    Region &producer = getProducerRegion(kernel);
    fills.run(producer);
    waits.run(consumer);
    releases.run(consumer);
    bool clean = true;
    for (RingWalk *walk : {&fills, &waits, &releases}) {
      clean &= walk->getFaults().empty();
      llvm::append_range(faults, walk->getFaults());
    }
    // Sums say nothing new where single operations are wrong.
    if (clean)
      checkSums(&consumer == &producer);
    checkOrder(&consumer == &producer);
  }

private:
  void fail(Operation *op, const Twine &text) {
    faults.push_back({op, text.str()});
    faults.back().notes.push_back({ring, "of this ring"});
  }

  void checkSums(bool isOneProgram) {
    Tally filled = fills.getEnd(), waited = waits.getEnd();
    if (releases.getAny() && !waited.isSame(releases.getEnd()))
      fail(releases.getAny(), "is not run as often as attn_gpu.ring_wait");
    if (!fills.getAny())
      return; // Told by findRingUseFaults.
    if (!waits.getAny())
      return fail(fills.getAny(), "is not waited for by anybody");
    if (filled.isSame(waited))
      return;
    if (isOneProgram)
      return fail(waits.getAny(), "is not run as often as attn_gpu.ring_fill");
    fail(waits.getAny(),
         "is not known to be run as often as the producer runs "
         "attn_gpu.ring_fill: expected the same loops and conditions in both "
         "roles");
    faults.back().notes.push_back({fills.getAny(), "of the producer"});
  }

  /// What has been run `by` before `op`, less than the count of `op`.
  std::optional<int64_t> getLead(const RingWalk &by, Operation *op,
                                 Value count) {
    std::optional<Tally> before = by.getBefore(op);
    auto lag = before ? before->getLag(counts.get(count)) : std::nullopt;
    return lag ? std::optional(-*lag) : std::nullopt;
  }

  void checkOrder(bool isOneProgram) {
    int64_t stages = ring.getRing().getType().getStages();
    for (Operation *user : ring.getRing().getUsers()) {
      Value count = getCount(user);
      if (auto wait = dyn_cast<RingWaitOp>(user)) {
        checkUses(wait, wait.getTile());
        auto lead = getLead(fills, user, count);
        if (isOneProgram && fills.getAny() && lead && *lead < 1)
          fail(user, "waits for a fill that the same program starts later");
      } else if (isa<RingReleaseOp>(user)) {
        auto lead = getLead(waits, user, count);
        if (lead && *lead < 1)
          fail(user, "gives a fill back that was not waited for before");
      } else if (isa<RingFillOp>(user)) {
        auto lead = getLead(releases, user, count);
        if (isOneProgram && lead && -*lead >= stages)
          fail(user, "waits for a stage that the same program gives back "
                     "later");
      }
    }
  }

  /// What uses `tile`, or a part of it, does so before it is given back.
  void checkUses(RingWaitOp wait, Value tile) {
    for (Operation *user : tile.getUsers()) {
      if (auto part = dyn_cast<SubtileOp>(user)) {
        checkUses(wait, part.getResult());
        continue;
      }
      auto lead = getLead(releases, user, wait.getCount());
      if (!usesTiles(user) || !lead || *lead < 1)
        continue;
      fail(user, "uses a tile that was given back before");
    }
  }

  KernelOp kernel;
  Counts &counts;
  RingCreateOp ring;
  KernelFaults &faults;
  RingWalk fills, waits, releases;
};
} // namespace

void attn_gpu::findRingFaults(KernelOp kernel, KernelFaults &faults) {
  Counts counts;
  for (auto ring : kernel.getBody().getOps<RingCreateOp>())
    RingChecker(kernel, counts, ring, faults).check();
}
