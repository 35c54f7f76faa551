//===- ControlOps.cpp - Loops, conditions, roles, work --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decides which operation comes next.
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "Cluster.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// scf
//===----------------------------------------------------------------------===//

static Outcome runFor(Agent &agent, scf::ForOp op) {
  int64_t lower = agent.getInteger(op.getLowerBound());
  int64_t upper = agent.getInteger(op.getUpperBound());
  int64_t step = agent.getInteger(op.getStep());
  if (step <= 0)
    return agent.fail(FaultKind::Bounds, op,
                      "expected a step above 0, got " + Twine(step));
  SmallVector<Datum> carried = agent.getAll(op.getInitArgs());
  if (lower >= upper) {
    agent.setAll(op.getResults(), carried);
    return Outcome::Done;
  }
  carried.insert(carried.begin(), makeInteger(lower));
  Agent::Frame &frame = agent.enter(op.getBody(), carried);
  frame.induction = lower;
  frame.upper = upper;
  frame.step = step;
  return Outcome::Done;
}

static Outcome endStep(Agent &agent, scf::ForOp loop, ArrayRef<Datum> yielded) {
  Agent::Frame &frame = agent.getFrame();
  frame.induction += frame.step;
  if (frame.induction >= frame.upper) {
    agent.leave();
    agent.setAll(loop.getResults(), yielded);
    return Outcome::Done;
  }
  agent.set(loop.getInductionVar(), makeInteger(frame.induction));
  agent.setAll(loop.getRegionIterArgs(), yielded);
  agent.repeat();
  return Outcome::Done;
}

static Outcome runIf(Agent &agent, scf::IfOp op) {
  bool condition = agent.getInteger(op.getCondition()) != 0;
  Region &taken = condition ? op.getThenRegion() : op.getElseRegion();
  if (!taken.empty())
    agent.enter(&taken.front(), {});
  return Outcome::Done;
}

static Outcome runYield(Agent &agent, scf::YieldOp op) {
  SmallVector<Datum> yielded = agent.getAll(op.getOperands());
  Operation *parent = op->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return endStep(agent, loop, yielded);
  agent.leave();
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    agent.enter(loop.getBeforeBody(), yielded);
    return Outcome::Done;
  }
  if (!isa<scf::IfOp>(parent))
    return agent.fail(FaultKind::Unsupported, parent,
                      "is not a loop or condition that the simulator knows");
  agent.setAll(parent->getResults(), yielded);
  return Outcome::Done;
}

static Outcome runCondition(Agent &agent, scf::ConditionOp op) {
  auto loop = cast<scf::WhileOp>(op->getParentOp());
  SmallVector<Datum> passed = agent.getAll(op.getArgs());
  agent.leave();
  if (agent.getInteger(op.getCondition()))
    agent.enter(loop.getAfterBody(), passed);
  else
    agent.setAll(loop.getResults(), passed);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// attn_gpu
//===----------------------------------------------------------------------===//

/// How many points a work loop has.
static int64_t countPoints(Agent &agent, WorkLoopOp op) {
  int64_t points = 1;
  for (int64_t extent : agent.getIntegers(op.getExtents()))
    points *= std::max<int64_t>(extent, 0);
  return points;
}

/// The indices of point `number`, which there is.
static SmallVector<Datum> getPoint(Agent &agent, WorkLoopOp op,
                                   int64_t number) {
  SmallVector<int64_t> extents = agent.getIntegers(op.getExtents());
  SmallVector<int64_t> point(extents.size());
  int64_t dim = extents.size() - 1;
  if (op.getGroup()) {
    // The dimensions before the last as one, `members` of it at a time.
    int64_t before = countPoints(agent, op) / extents[dim];
    int64_t members = std::min(agent.getInteger(op.getGroup()), before);
    int64_t first = number / (members * extents[dim]) * members;
    int64_t inGroup = number % (members * extents[dim]);
    int64_t here = std::min(members, before - first);
    point[dim--] = inGroup / here;
    number = first + inGroup % here;
  }
  for (; dim >= 0; --dim) {
    point[dim] = number % extents[dim];
    number /= extents[dim];
  }
  for (int64_t descending : op.getDescending())
    point[descending] = extents[descending] - 1 - point[descending];
  return llvm::map_to_vector(point, makeInteger);
}

/// Goes on with the point that the block runs as number `index`, or behind the
/// loop. `carried` is what goes into the one, or comes out of the other.
static Outcome startPoint(Agent &agent, WorkLoopOp op, int64_t loop,
                          int64_t index, ArrayRef<Datum> carried) {
  ThreadBlock &block = agent.getBlock();
  if (op.getGroup() && agent.getInteger(op.getGroup()) < 1)
    return agent.fail(FaultKind::Bounds, op,
                      "expected a group of at least 1, got " +
                          Twine(agent.getInteger(op.getGroup())));
  std::optional<int64_t> number;
  if (op.isPersistent())
    number = block.getPoint(op, loop, index, agent);
  else
    number = index == 0 ? block.getCluster().getNumber() : INT64_MAX;
  if (!number)
    return agent.waitFor("the number of the point that comes next");
  if (index > 0)
    agent.leave();
  if (*number >= countPoints(agent, op)) {
    agent.setAll(op.getResults(), carried);
    return Outcome::Done;
  }
  SmallVector<Datum> arguments = getPoint(agent, op, *number);
  llvm::append_range(arguments, carried);
  Agent::Frame &frame = agent.enter(&op.getBody().front(), arguments);
  frame.workLoop = loop;
  frame.induction = index;
  return Outcome::Done;
}

static Outcome runWorkLoop(Agent &agent, WorkLoopOp op) {
  Outcome outcome = startPoint(agent, op, agent.workLoops, /*index=*/0,
                               agent.getAll(op.getInits()));
  if (outcome == Outcome::Done)
    ++agent.workLoops;
  return outcome;
}

/// The end of a point or of a role.
static Outcome runEnd(Agent &agent, YieldOp op) {
  auto loop = dyn_cast<WorkLoopOp>(op->getParentOp());
  if (!loop) {
    agent.leave();
    return Outcome::Done;
  }
  Agent::Frame frame = agent.getFrame();
  return startPoint(agent, loop, frame.workLoop, frame.induction + 1,
                    agent.getAll(op.getOperands()));
}

static Outcome runRoles(Agent &agent, WarpSpecializeOp op) {
  Region &role = agent.isProducer() ? op.getProducer() : op.getConsumer();
  agent.enter(&role.front(), {});
  return Outcome::Done;
}

static Outcome runWarpgroupIndex(Agent &agent, WarpgroupIndexOp op) {
  // As the lowering has it: -1 in the producer, which must not use it.
  agent.set(op.getResult(), makeInteger(agent.getConsumer()));
  return Outcome::Done;
}

static Outcome runClusterRank(Agent &agent, ClusterRankOp op) {
  agent.set(op.getResult(), makeInteger(agent.getBlock().getRank()));
  return Outcome::Done;
}

void sim::populateControlOps(OpTable &table) {
  table.add<scf::ForOp>(runFor);
  table.add<scf::IfOp>(runIf);
  table.add<scf::WhileOp>([](Agent &agent, scf::WhileOp op) {
    agent.enter(op.getBeforeBody(), agent.getAll(op.getInits()));
    return Outcome::Done;
  });
  table.add<scf::ConditionOp>(runCondition);
  table.add<scf::YieldOp>(runYield);
  table.add<WorkLoopOp>(runWorkLoop, /*visible=*/true);
  table.add<WarpSpecializeOp>(runRoles);
  table.add<WarpgroupIndexOp>(runWarpgroupIndex);
  table.add<ClusterRankOp>(runClusterRank);
  table.add<YieldOp>(runEnd, /*visible=*/true);
  table.add<ReturnOp>([](Agent &agent, ReturnOp) {
    agent.stop();
    return Outcome::Done;
  });
}
