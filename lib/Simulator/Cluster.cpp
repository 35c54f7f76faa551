//===- Cluster.cpp - Thread blocks that run at the same time --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the block in which something happens next, and notices when none can
// go on.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Agent.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

Cluster::Cluster(Launch &launch, int64_t number)
    : launch(launch), number(number) {
  int64_t size = launch.kernel.getCluster();
  for (int64_t rank = 0; rank < size; ++rank)
    blocks.push_back(
        std::make_unique<ThreadBlock>(launch, *this, number * size + rank));
  // Some blocks run ahead of others as far as these let them.
  uint64_t choices[] = {1, 8, 64};
  bool isPlain = size == 1 || launch.options.seed == 0;
  for (int64_t rank = 0; rank < size; ++rank)
    weights.push_back(isPlain ? 1 : choices[launch.random.below(3)]);
}

Outcome Cluster::step() {
  if (llvm::all_of(blocks, [](auto &block) { return block->hasEnded(); }))
    return finish();
  uint64_t total = 0;
  for (auto [block, weight] : llvm::zip_equal(blocks, weights))
    total += block->canGoOn() ? weight : 0;
  if (total == 0)
    return reportDeadlock();
  uint64_t draw = blocks.size() == 1 ? 0 : launch.random.below(total);
  for (auto [block, weight] : llvm::zip_equal(blocks, weights)) {
    if (!block->canGoOn())
      continue;
    if (draw < weight)
      return block->step();
    draw -= weight;
  }
  llvm_unreachable("a number below the sum of all weights");
}

Outcome Cluster::finish() {
  finished = true;
  Outcome outcome = Outcome::Done;
  for (std::unique_ptr<ThreadBlock> &block : blocks)
    if (block->finish() == Outcome::Failed)
      outcome = Outcome::Failed;
  return outcome;
}

Outcome Cluster::reportDeadlock() {
  std::vector<std::pair<Operation *, std::string>> notes;
  Operation *first = nullptr;
  for (std::unique_ptr<ThreadBlock> &block : blocks)
    for (const std::unique_ptr<Agent> &agent : block->getAgents()) {
      if (agent->isFinished()) {
        notes.emplace_back(launch.kernel, agent->getName() + " is finished");
        continue;
      }
      if (!first)
        first = agent->getNext();
      notes.emplace_back(agent->getNext(), agent->getName() + " waits for " +
                                               agent->getWaitingFor());
    }
  std::string who = "block " + std::to_string(blocks.front()->getNumber());
  if (blocks.size() > 1)
    who = "cluster " + std::to_string(number);
  return blocks.front()->fail(FaultKind::Deadlock, first, who,
                              "waits, as all others do", std::move(notes));
}
