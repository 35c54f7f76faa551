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

static Outcome runWorkLoop(Agent &agent, WorkLoopOp op) {
  SmallVector<int64_t> extents = agent.getIntegers(op.getExtents());
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= std::max<int64_t>(extent, 0);
  int64_t rest = agent.getBlock().getNumber();
  if (rest >= points)
    return Outcome::Done;
  SmallVector<Datum> point(extents.size());
  for (int64_t dim = extents.size() - 1; dim >= 0; --dim) {
    int64_t at = rest % extents[dim];
    rest /= extents[dim];
    if (llvm::is_contained(op.getDescending(), dim))
      at = extents[dim] - 1 - at;
    point[dim] = makeInteger(at);
  }
  agent.enter(&op.getBody().front(), point);
  return Outcome::Done;
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

void sim::populateControlOps(OpTable &table) {
  table.add<scf::ForOp>(runFor);
  table.add<scf::IfOp>(runIf);
  table.add<scf::WhileOp>([](Agent &agent, scf::WhileOp op) {
    agent.enter(op.getBeforeBody(), agent.getAll(op.getInits()));
    return Outcome::Done;
  });
  table.add<scf::ConditionOp>(runCondition);
  table.add<scf::YieldOp>(runYield);
  table.add<WorkLoopOp>(runWorkLoop);
  table.add<WarpSpecializeOp>(runRoles);
  table.add<WarpgroupIndexOp>(runWarpgroupIndex);
  table.add<YieldOp>([](Agent &agent, YieldOp) {
    agent.leave();
    return Outcome::Done;
  });
  table.add<ReturnOp>([](Agent &agent, ReturnOp) {
    agent.stop();
    return Outcome::Done;
  });
}
