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
//===----------------------------------------------------------------------===//

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
  agent.set(op.getRing(), agent.getBlock().getRing(op));
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
        Twine(stage.generation) + " back");
  // What the barrier let through.
  bool isFree = !stage.landing;
  for (int64_t released : stage.released)
    isFree &= released == stage.generation;
  if (!isFree)
    return agent.fail(FaultKind::InUse, op,
                      "overwrites fill " + Twine(stage.generation) + " by " +
                          what + " before all consumers gave it back",
                      {noteRing(ring)});
  if (auto reader = block.findReader(&stage, /*agent=*/nullptr))
    return agent.fail(
        FaultKind::InUse, op,
        "overwrites by " + what + " what a product in flight reads",
        {{reader->op, "the product, of " + reader->agent->getName()},
         noteRing(ring)});
  ++ring.fills;
  stage.generation = count;
  stage.landing = true;
  stage.poison();
  stage.full.expectCopy();
  stage.full.arrive();
  block.startCopy({op, &agent, &stage,
                   agent.getAs<std::shared_ptr<TensorView>>(op.getSource()),
                   agent.getIntegers(op.getOffsets())});
  return Outcome::Done;
}

Outcome ThreadBlock::land(Copy copy) {
  Buffer &stage = *copy.buffer;
  if (!readBox(*copy.source, copy.offsets, copy.op.getRowDimension(),
               stage.rows, stage.columns, stage.elements))
    return fail(FaultKind::Race, copy.op, copy.agent->getName(),
                "copies elements that were written in this launch");
  stage.landing = false;
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
        (stage.generation == count
             ? Twine("it is on its way")
             : Twine(ring.fills) + " fills of the ring were started"));
  // What the barrier let through.
  if (stage.landing || stage.generation != count)
    return agent.fail(
        stage.landing ? FaultKind::NotFull : FaultKind::Signal, op,
        "waits for " + what + ", and goes on while the stage holds " +
            (stage.generation < 0 ? Twine("nothing")
                                  : "fill " + Twine(stage.generation)) +
            (stage.landing ? ", which has not landed" : "") +
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
  stage.released[consumer] = count;
  ++ring.releases[consumer];
  stage.empty.arrive();
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
