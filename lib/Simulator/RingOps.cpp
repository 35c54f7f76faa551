//===- RingOps.cpp - Rings of staged copies, and turns --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waits are on barriers as the hardware has them, which know one bit of how
// often they were completed. What a warpgroup then finds is compared with what
// it asked for.
//
// Of a multicast ring, each block of the cluster announces the whole tile at
// its own barrier and starts one copy to each block, of its share of the rows;
// a release arrives at the barriers of all blocks.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "TileOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

using Note = std::pair<Operation *, std::string>;

static Note noteRing(Ring &ring) {
  return {ring.op, "ring " + std::to_string(ring.number)};
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

static Outcome runRingCreate(Agent &agent, RingCreateOp op) {
  agent.set(op.getRing(), &agent.getBlock().getRing(op));
  return Outcome::Done;
}

/// A count that no ring can have.
static Outcome checkCount(Agent &agent, Operation *op, Ring &ring,
                          int64_t count) {
  if (count >= 0)
    return Outcome::Done;
  return agent.fail(FaultKind::Signal, op,
                    "expected a count from 0, got " + Twine(count),
                    {noteRing(ring)});
}

/// Checks what a barrier has let through, that `agent` copies into `stage` of
/// `receiver`, its own block or another of the cluster, and notes what that
/// stage holds from now on.
static Outcome beginFill(Agent &agent, RingFillOp op, ThreadBlock &receiver,
                         Buffer &stage) {
  Ring &ring = *stage.ring;
  int64_t count = agent.getInteger(op.getCount());
  std::string what = ring.describe(count);
  bool isOwn = &receiver == &agent.getBlock();
  std::string where =
      isOwn ? "" : " in block " + std::to_string(receiver.getNumber());
  const TensorView *source =
      agent.getAs<std::shared_ptr<TensorView>>(op.getSource()).get();
  SmallVector<int64_t> offsets = agent.getIntegers(op.getOffsets());
  // Another block has started its share before.
  if (ring.sharers > 1 && stage.generation == count) {
    if (stage.source == source && stage.offsets == offsets)
      return Outcome::Done;
    return agent.fail(
        FaultKind::Divergence, op,
        "puts a share of another tile into " + what + where,
        {{stage.fill, "filled here by another block"}, noteRing(ring)});
  }
  bool isFree = stage.landing == 0;
  for (int64_t released : stage.released)
    isFree &= released == stage.generation;
  if (!isFree)
    return agent.fail(FaultKind::InUse, op,
                      "overwrites fill " + Twine(stage.generation) + " by " +
                          what + where + " before all consumers gave it back",
                      {noteRing(ring)});
  if (auto reader = receiver.findReader(&stage, /*agent=*/nullptr))
    return agent.fail(
        FaultKind::InUse, op,
        "overwrites by " + what + where + " what a product in flight reads",
        {{reader->op, "the product, of " + reader->agent->getName()},
         noteRing(ring)});
  stage.generation = count;
  stage.landing = ring.sharers;
  stage.fill = op;
  stage.source = source;
  stage.offsets = offsets;
  stage.poison();
  return Outcome::Done;
}

static Outcome runRingFill(Agent &agent, RingFillOp op) {
  // One thread of the block does it.
  if (!agent.startsCopies())
    return Outcome::Done;
  ThreadBlock &block = agent.getBlock();
  Ring &ring = *agent.getAs<Ring *>(op.getRing());
  int64_t count = agent.getInteger(op.getCount());
  if (checkCount(agent, op, ring, count) == Outcome::Failed)
    return Outcome::Failed;
  Buffer &stage = ring.getStage(count);
  std::string what = ring.describe(count);
  if (count != ring.fills)
    return agent.fail(FaultKind::Signal, op,
                      "starts " + what + ", but fill " + Twine(ring.fills) +
                          " comes next",
                      {noteRing(ring)});
  if (!stage.empty.hasCompleted(ring.getParity(count) ^ 1))
    return agent.waitFor(
        "stage " + Twine(stage.stage) + " of ring " + Twine(ring.number) +
        " to be empty, for " + what + ": " +
        Twine(stage.empty.expected - stage.empty.pending) + " of " +
        Twine(stage.empty.expected) + " consumers gave fill " +
        Twine(count - int64_t(ring.stages.size())) + " back");

  // Of a ring of its own, to the block itself alone.
  bool isShared = ring.sharers > 1;
  int64_t rows = stage.rows / ring.sharers;
  int64_t firstRow = isShared ? block.getRank() * rows : 0;
  SmallVector<ThreadBlock *> receivers;
  for (int64_t rank = 0; rank < ring.sharers; ++rank)
    receivers.push_back(isShared ? &block.getCluster().getBlock(rank) : &block);
  for (ThreadBlock *receiver : receivers)
    if (beginFill(agent, op, *receiver,
                  receiver->getRing(ring.op).getStage(count)) ==
        Outcome::Failed)
      return Outcome::Failed;
  ++ring.fills;
  stage.full.expectCopies(ring.sharers);
  stage.full.arrive();
  for (ThreadBlock *receiver : receivers)
    receiver->startCopy(
        {op, &agent, &receiver->getRing(ring.op).getStage(count), firstRow,
         rows, agent.getAs<std::shared_ptr<TensorView>>(op.getSource()),
         agent.getIntegers(op.getOffsets())});
  return Outcome::Done;
}

Outcome ThreadBlock::land(Copy copy) {
  Buffer &stage = *copy.buffer;
  int64_t dimension = copy.op.getRowDimension();
  copy.offsets[dimension] += copy.firstRow;
  if (!readBox(
          *copy.source, copy.offsets, dimension, copy.rows, stage.columns,
          MutableArrayRef(stage.elements)
              .slice(copy.firstRow * stage.columns, copy.rows * stage.columns)))
    return fail(FaultKind::Race, copy.op, copy.agent->getName(),
                "copies elements that were written in this launch");
  --stage.landing;
  stage.full.landCopy();
  return Outcome::Done;
}

static Outcome runRingWait(Agent &agent, RingWaitOp op) {
  Ring &ring = *agent.getAs<Ring *>(op.getRing());
  int64_t count = agent.getInteger(op.getCount());
  if (checkCount(agent, op, ring, count) == Outcome::Failed)
    return Outcome::Failed;
  Buffer &stage = ring.getStage(count);
  std::string what = ring.describe(count);
  if (!stage.full.hasCompleted(ring.getParity(count)))
    return agent.waitFor(
        what + " to land: " +
        (stage.generation != count
             ? Twine(ring.fills) + " fills of the ring were started"
         : ring.sharers > 1
             ? Twine(ring.sharers - stage.landing) + " of " +
                   Twine(ring.sharers) + " shares have landed, and " +
                   Twine(ring.fills) +
                   " fills of the ring were started by this block"
             : Twine("it is on its way")));
  // What the barrier let through.
  bool isLanding = stage.landing != 0;
  if (isLanding || stage.generation != count)
    return agent.fail(
        isLanding ? FaultKind::NotFull : FaultKind::Signal, op,
        "waits for " + what + ", and goes on while the stage holds " +
            (stage.generation < 0 ? Twine("nothing")
                                  : "fill " + Twine(stage.generation)) +
            (isLanding ? ", which has not landed" : "") +
            ": its barrier is phases away",
        {noteRing(ring)});
  if (!agent.isProducer()) {
    if (stage.released[agent.getConsumer()] == count)
      return agent.fail(FaultKind::Signal, op,
                        "waits for " + what + " after having given it back",
                        {noteRing(ring)});
    stage.waited[agent.getConsumer()] = count;
  }
  agent.set(op.getTile(), TileRef{&stage, count, 0});
  return Outcome::Done;
}

static Outcome runRingRelease(Agent &agent, RingReleaseOp op) {
  ThreadBlock &block = agent.getBlock();
  Ring &ring = *agent.getAs<Ring *>(op.getRing());
  int64_t count = agent.getInteger(op.getCount());
  if (checkCount(agent, op, ring, count) == Outcome::Failed)
    return Outcome::Failed;
  Buffer &stage = ring.getStage(count);
  std::string what = ring.describe(count);
  if (agent.isProducer())
    return agent.fail(FaultKind::Signal, op,
                      "gives " + what + " back: consumers do",
                      {noteRing(ring)});
  int64_t consumer = agent.getConsumer();
  if (stage.released[consumer] == count)
    return agent.fail(FaultKind::Signal, op,
                      "gives " + what + " back a second time",
                      {noteRing(ring)});
  if (stage.waited[consumer] != count)
    return agent.fail(FaultKind::Signal, op,
                      "gives " + what + " back without having waited for it",
                      {noteRing(ring)});
  if (auto reader = block.findReader(&stage, &agent))
    return agent.fail(FaultKind::InFlight, op,
                      "gives " + what +
                          " back while a product in flight reads it",
                      {{reader->op, "the product"}, noteRing(ring)});
  if (auto copy = block.findCopyOut({&stage, count, 0}, stage.rows, &agent))
    return agent.fail(FaultKind::InUse, op,
                      "gives " + what +
                          " back while a copy to global memory may read it",
                      {{copy->op, "the copy"}, noteRing(ring)});
  stage.released[consumer] = count;
  ++ring.releases[consumer];
  stage.empty.arrive();
  // An arrival that comes late lets somebody go on later, and does nothing
  // else: to come at once is the most that hardware may do. That those at other
  // blocks may come late lets blocks be further apart.
  Cluster &cluster = block.getCluster();
  for (int64_t rank = 0; ring.sharers > 1 && rank < ring.sharers; ++rank)
    if (ThreadBlock &other = cluster.getBlock(rank); &other != &block)
      other.startArrival(other.getRing(ring.op).getStage(count));
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// One of the two at `barrier` comes.
static void meet(TurnBarrier &barrier, bool &mine) {
  mine = true;
  if (!barrier.waiterArrived || !barrier.passerArrived)
    return;
  barrier.waiterArrived = barrier.passerArrived = false;
  ++barrier.round;
}

static Outcome runTurnWait(Agent &agent, TurnWaitOp op) {
  ThreadBlock &block = agent.getBlock();
  if (agent.isProducer())
    return agent.fail(FaultKind::Turn, op, "waits for a turn of consumers");
  if (agent.hasTurn)
    return agent.fail(FaultKind::Turn, op,
                      "waits for its turn while having it");
  TurnBarrier &barrier = block.getTurnBarrier(agent.getConsumer());
  if (block.getConsumers() > 1) {
    if (!agent.arrivedInRound) {
      agent.arrivedInRound = barrier.round;
      meet(barrier, barrier.waiterArrived);
    }
    if (*agent.arrivedInRound == barrier.round)
      return agent.waitFor("its turn, number " + Twine(agent.turnsTaken));
    agent.arrivedInRound.reset();
  }
  agent.hasTurn = true;
  ++agent.turnsTaken;
  return Outcome::Done;
}

static Outcome runTurnPass(Agent &agent, TurnPassOp op) {
  ThreadBlock &block = agent.getBlock();
  if (!agent.hasTurn)
    return agent.fail(FaultKind::Turn, op, "passes a turn that it has not got");
  agent.hasTurn = false;
  if (block.getConsumers() == 1)
    return Outcome::Done;
  int64_t next = (agent.getConsumer() + 1) % block.getConsumers();
  TurnBarrier &barrier = block.getTurnBarrier(next);
  meet(barrier, barrier.passerArrived);
  return Outcome::Done;
}

void sim::populateRingOps(OpTable &table) {
  table.add<RingCreateOp>(runRingCreate);
  table.add<RingFillOp>(runRingFill, /*visible=*/true);
  table.add<RingWaitOp>(runRingWait, /*visible=*/true);
  table.add<RingReleaseOp>(runRingRelease, /*visible=*/true);
  table.add<TurnWaitOp>(runTurnWait, /*visible=*/true);
  table.add<TurnPassOp>(runTurnPass, /*visible=*/true);
}
