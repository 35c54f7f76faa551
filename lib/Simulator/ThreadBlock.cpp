//===- ThreadBlock.cpp - What the warpgroups of a block share -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses what happens next in a block, and checks at the end that nothing is
// left over.
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"
#include "Agent.h"
#include "Cluster.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

Buffer::Buffer(Operation *op, TileType type, int64_t consumers, int64_t sharers)
    : op(op), rows(type.getRows()), columns(type.getColumns()),
      elements(rows * columns), waited(consumers, -1), released(consumers, -1) {
  empty.expected = empty.pending = consumers * sharers;
  poison();
}

void Buffer::poison() {
  llvm::fill(elements, std::numeric_limits<float>::quiet_NaN());
}

std::string Ring::describe(int64_t count) const {
  return llvm::formatv("fill {0} of ring {1} (stage {2})", count, number,
                       count % static_cast<int64_t>(stages.size()));
}

//===----------------------------------------------------------------------===//
// ThreadBlock
//===----------------------------------------------------------------------===//

ThreadBlock::ThreadBlock(Launch &launch, Cluster &cluster, int64_t number)
    : launch(launch), cluster(cluster), number(number),
      consumers(launch.kernel.getWarpgroups()) {
  Block &body = launch.kernel.getBody().front();
  producer = !body.getOps<WarpSpecializeOp>().empty();
  for (int64_t consumer = producer ? -1 : 0; consumer < consumers; ++consumer) {
    std::string role = consumer < 0 ? "producer"
                       : producer   ? "consumer " + std::to_string(consumer)
                                    : "warpgroup " + std::to_string(consumer);
    agents.push_back(std::make_unique<Agent>(
        this, launch.table, "block " + std::to_string(number) + ", " + role,
        consumer));
    agents.back()->enter(&body, launch.arguments);
  }
  turns.resize(consumers);
  // As if the last consumer had had a turn.
  turns.front().passerArrived = true;

  // Others may fill and release them before this block has come to them.
  for (auto op : body.getOps<RingCreateOp>()) {
    auto ring = std::make_unique<Ring>();
    ring->op = op;
    ring->number = rings.size();
    if (op.getMulticast())
      ring->sharers = launch.kernel.getCluster();
    ring->releases.assign(consumers, 0);
    RingType type = op.getRing().getType();
    for (int64_t stage = 0; stage < type.getStages(); ++stage) {
      ring->stages.push_back(std::make_unique<Buffer>(
          op, type.getTile(), consumers, ring->sharers));
      ring->stages.back()->ring = ring.get();
      ring->stages.back()->stage = stage;
    }
    rings[op] = std::move(ring);
  }

  // Some agents run far ahead of others, copies land late or at once: one
  // draw for all of a block reaches more orders than many small ones.
  uint64_t weights[] = {1, 8, 64};
  for (size_t i = 0; i < agents.size(); ++i)
    agentWeights.push_back(weights[launch.random.below(3)]);
  uint64_t background[] = {0, 1, 16, 256};
  copyWeight = background[launch.random.below(4)];
  productWeight = background[launch.random.below(4)];
  if (launch.options.seed == 0)
    copyWeight = productWeight = 0;
}

ThreadBlock::~ThreadBlock() = default;

int64_t ThreadBlock::getRank() const { return number % cluster.getSize(); }

Buffer &ThreadBlock::getBuffer(ReadOp op) {
  std::unique_ptr<Buffer> &buffer = buffers[op];
  if (!buffer)
    buffer = std::make_unique<Buffer>(op, op.getTile().getType(), consumers);
  return *buffer;
}

Buffer &ThreadBlock::getBuffer(TileCreateOp op) {
  std::unique_ptr<Buffer> &buffer = buffers[op];
  if (!buffer) {
    buffer = std::make_unique<Buffer>(op, op.getTile().getType(), consumers);
    // It is never filled as a whole.
    buffer->generation = 0;
  }
  return *buffer;
}

std::optional<int64_t> ThreadBlock::getPoint(WorkLoopOp op, int64_t loop,
                                             int64_t index, Agent &agent) {
  SmallVector<int64_t> &numbers = points[loop];
  if (index < int64_t(numbers.size()))
    return numbers[index];
  if (!agent.startsCopies())
    return std::nullopt;
  // All blocks of a cluster run the same points.
  int64_t clusters = launch.options.blocks / cluster.getSize();
  int64_t next = cluster.getNumber();
  if (index > 0 && op.getSchedule() == WorkSchedule::Strided)
    next = numbers[index - 1] + clusters;
  else if (index > 0)
    next = launch.nextPoints.try_emplace(loop, clusters).first->second++;
  numbers.push_back(next);
  return next;
}

static bool reads(const Product &product, const Buffer *buffer) {
  if (product.b.buffer == buffer)
    return true;
  auto *tile = std::get_if<TileRef>(&product.a);
  return tile && tile->buffer == buffer;
}

std::shared_ptr<Product> ThreadBlock::findReader(const Buffer *buffer,
                                                 Agent *agent) {
  for (std::unique_ptr<Agent> &other : agents)
    if (!agent || other.get() == agent)
      for (const std::shared_ptr<Product> &product : other->products)
        if (reads(*product, buffer))
          return product;
  return nullptr;
}

static bool overlap(TileRef a, int64_t aRows, TileRef b, int64_t bRows) {
  return a.buffer == b.buffer && a.firstRow < b.firstRow + bRows &&
         b.firstRow < a.firstRow + aRows;
}

std::shared_ptr<Product> ThreadBlock::findReader(TileRef tile, int64_t rows) {
  for (std::unique_ptr<Agent> &agent : agents)
    for (const std::shared_ptr<Product> &product : agent->products) {
      auto *a = std::get_if<TileRef>(&product->a);
      if (a &&
          overlap(*a, cast<TileType>(product->op.getA().getType()).getRows(),
                  tile, rows))
        return product;
      if (overlap(product->b, product->op.getB().getType().getRows(), tile,
                  rows))
        return product;
    }
  return nullptr;
}

std::shared_ptr<CopyOut> ThreadBlock::findCopyOut(TileRef tile, int64_t rows,
                                                  Agent *agent) {
  for (std::unique_ptr<Agent> &other : agents)
    if (!agent || other.get() == agent)
      for (const std::shared_ptr<CopyOut> &copy : other->openCopies)
        if (!copy->readingWaitedFor &&
            overlap(copy->tile, copy->op.getTile().getType().getRows(), tile,
                    rows))
          return copy;
  return nullptr;
}

Outcome
ThreadBlock::fail(FaultKind kind, Operation *op, StringRef agent,
                  const Twine &text,
                  std::vector<std::pair<Operation *, std::string>> notes) {
  launch.faults.push_back(
      {kind, op, agent.str(), text.str(), std::move(notes)});
  return Outcome::Failed;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

bool ThreadBlock::hasEnded() const {
  return llvm::all_of(agents, [](auto &agent) { return agent->isFinished(); });
}

static bool hasProductToRun(const Agent &agent) {
  return llvm::any_of(agent.products, [](auto &p) { return !p->done; });
}

bool ThreadBlock::canGoOn() const {
  return !copies.empty() || !arrivals.empty() || !copiesOut.empty() ||
         llvm::any_of(agents, [](const std::unique_ptr<Agent> &agent) {
           return (!agent->isFinished() && !agent->blocked) ||
                  hasProductToRun(*agent);
         });
}

void ThreadBlock::wake() {
  for (std::unique_ptr<Agent> &agent : agents)
    agent->blocked = false;
}

Outcome ThreadBlock::step() {
  struct Choice {
    uint64_t weight;
    enum { Run, Land, Arrive, Send, Multiply } what;
    size_t index;
  };
  SmallVector<Choice> choices;
  bool isPlain = launch.options.seed == 0;
  for (size_t n = 0, e = agents.size(); n < e; ++n) {
    // The plain order begins behind the agent that was last.
    size_t i = (lastAgent + 1 + n) % e;
    Agent &agent = *agents[i];
    if (!agent.isFinished() && !agent.blocked && !(isPlain && !choices.empty()))
      choices.push_back({isPlain ? 1 : agentWeights[i], Choice::Run, i});
  }
  for (size_t i = 0, e = copies.size(); i < e; ++i)
    choices.push_back({copyWeight, Choice::Land, i});
  for (size_t i = 0, e = arrivals.size(); i < e; ++i)
    choices.push_back({copyWeight, Choice::Arrive, i});
  for (size_t i = 0, e = copiesOut.size(); i < e; ++i)
    choices.push_back({copyWeight, Choice::Send, i});
  for (size_t i = 0, e = agents.size(); i < e; ++i)
    if (hasProductToRun(*agents[i]))
      choices.push_back({productWeight, Choice::Multiply, i});
  assert(!choices.empty() && "asked for by canGoOn");

  uint64_t total = 0;
  for (Choice &choice : choices)
    total += choice.weight;
  if (total == 0) {
    for (Choice &choice : choices)
      choice.weight = 1;
    total = choices.size();
  }
  uint64_t draw = launch.random.below(total);
  const Choice *chosen = choices.begin();
  for (; draw >= chosen->weight; ++chosen)
    draw -= chosen->weight;

  if (chosen->what == Choice::Land) {
    Copy copy = std::move(copies[chosen->index]);
    copies.erase(copies.begin() + chosen->index);
    wake();
    return land(std::move(copy));
  }
  if (chosen->what == Choice::Arrive) {
    arrivals[chosen->index]->empty.arrive();
    arrivals.erase(arrivals.begin() + chosen->index);
    wake();
    return Outcome::Done;
  }
  if (chosen->what == Choice::Send) {
    std::shared_ptr<CopyOut> copy = copiesOut[chosen->index];
    wake();
    Outcome outcome = advance(*copy);
    if (copy->isDone)
      llvm::erase(copiesOut, copy);
    return outcome;
  }
  Agent &agent = *agents[chosen->index];
  if (chosen->what == Choice::Multiply) {
    auto next = llvm::find_if(agent.products, [](auto &p) { return !p->done; });
    return runProduct(**next);
  }
  lastAgent = chosen->index;
  // Arriving somewhere can let others go on, even if this one stays.
  bool hadArrived = agent.arrivedInRound.has_value();
  Outcome outcome = agent.run();
  if (outcome == Outcome::Blocked) {
    agent.blocked = true;
    if (hadArrived == agent.arrivedInRound.has_value())
      return Outcome::Done;
  }
  for (std::unique_ptr<Agent> &other : agents)
    if (other.get() != &agent)
      other->blocked = false;
  return outcome == Outcome::Failed ? outcome : Outcome::Done;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

Outcome ThreadBlock::finish() {
  size_t before = launch.faults.size();
  int64_t turnsTaken = -1;
  for (std::unique_ptr<Agent> &agent : agents) {
    // Its registers may have been used for something else in the meantime.
    for (const std::shared_ptr<Product> &product : agent->openProducts)
      fail(FaultKind::InFlight, product->op, agent->getName(),
           "is a product that nobody waited for");
    for (const std::shared_ptr<CopyOut> &copy : agent->openCopies)
      fail(FaultKind::Signal, copy->op, agent->getName(),
           "is a copy whose end nobody waited for");
    if (agent->isProducer())
      continue;
    if (agent->hasTurn)
      fail(FaultKind::Turn, launch.kernel, agent->getName(),
           "ends with a turn that it has not passed");
    if (turnsTaken >= 0 && turnsTaken != agent->turnsTaken)
      fail(FaultKind::Turn, launch.kernel, agent->getName(),
           "has had " + Twine(agent->turnsTaken) + " turns, others " +
               Twine(turnsTaken));
    turnsTaken = agent->turnsTaken;
    for (auto &[op, ring] : rings)
      if (int64_t released = ring->releases[agent->getConsumer()];
          released != ring->fills)
        fail(FaultKind::Signal, op, agent->getName(),
             "is ring " + Twine(ring->number) + ", of whose " +
                 Twine(ring->fills) + " fills " + Twine(released) +
                 " were given back");
  }
  return launch.faults.size() == before ? Outcome::Done : Outcome::Failed;
}
