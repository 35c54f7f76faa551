//===- Agent.cpp - Somebody who runs a program ----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps through a program.
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

Agent::Agent(ThreadBlock *block, const OpTable &table, std::string name,
             int64_t consumer)
    : block(block), table(table), name(std::move(name)), consumer(consumer) {}

const OpTable &sim::getKernelOps() {
  static const OpTable kTable = [] {
    OpTable table;
    populateElementwiseOps(table);
    populateControlOps(table);
    populateTileOps(table);
    populateProductOps(table);
    populateRingOps(table);
    return table;
  }();
  return kTable;
}

Operation *Agent::getNext() const {
  return frames.empty() ? nullptr : &*frames.back().next;
}

Outcome Agent::run() {
  bool isFirst = true;
  while (Operation *op = getNext()) {
    const OpTable::Entry *entry = table.find(op);
    if (!entry)
      return fail(FaultKind::Unsupported, op,
                  "is not an operation that the simulator knows");
    if (entry->visible && !isFirst)
      return Outcome::Done;
    isFirst = false;
    size_t depth = frames.size();
    Block::iterator here = frames.back().next++;
    Outcome outcome = entry->run(*this, op);
    if (outcome == Outcome::Blocked) {
      frames[depth - 1].next = here;
      return outcome;
    }
    if (outcome == Outcome::Failed)
      return outcome;
    // A loop without visible operations must end as well.
    if (block &&
        ++block->getLaunch().steps > block->getLaunch().options.maxSteps)
      return fail(FaultKind::TooLong, op, "runs longer than allowed");
  }
  return Outcome::Done;
}

Agent::Frame &Agent::enter(Block *to, ArrayRef<Datum> arguments) {
  setAll(to->getArguments(), arguments);
  frames.push_back({to, to->begin()});
  return frames.back();
}

bool Agent::startsCopies() const {
  return block->hasProducer() ? isProducer() : consumer == 0;
}

int32_t Agent::getWriter() const {
  // Of up to 8 consumers and a producer.
  return static_cast<int32_t>(block->getNumber() * 9 + consumer + 2);
}

Outcome Agent::fail(FaultKind kind, Operation *op, const Twine &text,
                    std::vector<std::pair<Operation *, std::string>> notes) {
  if (block)
    return block->fail(kind, op, name, text, std::move(notes));
  hostFaults->push_back({kind, op, name, text.str(), std::move(notes)});
  return Outcome::Failed;
}
