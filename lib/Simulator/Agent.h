//===- Agent.h - Somebody who runs a program --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An agent is a warpgroup, or the host: it has values, a place in the program,
// and runs one operation after the other by a table of what operations do.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_AGENT_H
#define ATTN_LIB_SIMULATOR_AGENT_H

#include "ThreadBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

namespace mlir::attn::sim {

/// What operations do. To add one, write a handler and add it in a
/// `populate...` function.
class OpTable {
public:
  using Handler = std::function<Outcome(Agent &, Operation *)>;
  struct Entry {
    Handler run;
    /// Others can see it or hold it up: the scheduler may let anything happen
    /// before it.
    bool visible = false;
  };

  template <typename OpT, typename Fn>
  void add(Fn fn, bool visible = false) {
    entries[TypeID::get<OpT>()] = {
        [fn](Agent &agent, Operation *op) { return fn(agent, cast<OpT>(op)); },
        visible};
  }

  /// Null if there is none.
  const Entry *find(Operation *op) const {
    auto info = op->getRegisteredInfo();
    auto it = info ? entries.find(info->getTypeID()) : entries.end();
    return it == entries.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<TypeID, Entry> entries;
};

void populateElementwiseOps(OpTable &table);
void populateControlOps(OpTable &table);
void populateTileOps(OpTable &table);
void populateProductOps(OpTable &table);
void populateRingOps(OpTable &table);
void populateHostOps(OpTable &table);

/// What a kernel may hold.
const OpTable &getKernelOps();

class Agent {
public:
  /// `consumer` counts warpgroups from 0; -1: the producer. The host has no
  /// block.
  Agent(ThreadBlock *block, const OpTable &table, std::string name,
        int64_t consumer);

  /// Runs to the next operation that others can see. Where it is blocked,
  /// `getWaitingFor` says why.
  Outcome run();
  bool isFinished() const { return frames.empty(); }
  /// The operation that comes next, null at the end.
  Operation *getNext() const;

  /// "block 3, consumer 1".
  const std::string &getName() const { return name; }
  int64_t getConsumer() const { return consumer; }
  bool isProducer() const { return consumer < 0; }
  /// Whether this is the agent that starts copies.
  bool startsCopies() const;
  ThreadBlock &getBlock() { return *block; }
  /// For `TensorView::writers`.
  int32_t getWriter() const;

  // Values.
  const Datum &get(Value value) const { return values.find(value)->second; }
  void set(Value value, Datum datum) { values[value] = std::move(datum); }
  template <typename T>
  const T &getAs(Value value) const {
    return std::get<T>(get(value));
  }
  const Elements &getElements(Value value) const {
    return *getAs<std::shared_ptr<const Elements>>(value);
  }
  int64_t getInteger(Value value) const { return getElements(value).ints[0]; }
  SmallVector<int64_t> getIntegers(ValueRange range) const {
    return llvm::map_to_vector(range, [&](Value v) { return getInteger(v); });
  }
  SmallVector<Datum> getAll(ValueRange range) const {
    return llvm::map_to_vector(range, [&](Value v) { return get(v); });
  }
  void setAll(ValueRange range, ArrayRef<Datum> data) {
    for (auto [value, datum] : llvm::zip_equal(range, data))
      set(value, datum);
  }

  // Where it is. Handlers that call these return Done.
  struct Frame {
    Block *block;
    Block::iterator next;
    /// Of an scf.for.
    int64_t induction = 0, upper = 0, step = 0;
  };
  /// Goes on at the start of `block`, with its arguments set.
  Frame &enter(Block *block, ArrayRef<Datum> arguments);
  /// Goes on behind the operation that holds the present block.
  void leave() { frames.pop_back(); }
  /// Goes on at the start of the present block.
  void repeat() { frames.back().next = frames.back().block->begin(); }
  Frame &getFrame() { return frames.back(); }
  void stop() { frames.clear(); }

  Outcome waitFor(const Twine &reason) {
    waitingFor = reason.str();
    return Outcome::Blocked;
  }
  const std::string &getWaitingFor() const { return waitingFor; }
  Outcome fail(FaultKind kind, Operation *op, const Twine &text,
               std::vector<std::pair<Operation *, std::string>> notes = {});

  // Products in flight, in the order in which they were started.
  std::deque<std::shared_ptr<Product>> products;
  int64_t productsStarted = 0;
  /// Those that no operation has waited for itself, in flight or not.
  std::vector<std::shared_ptr<Product>> openProducts;
  // Turns.
  bool hasTurn = false;
  int64_t turnsTaken = 0;
  /// Has arrived where it is blocked, in this round.
  std::optional<int64_t> arrivedInRound;
  /// Nothing has changed since it was found blocked.
  bool blocked = false;
  /// Faults of the host, which has no block.
  std::vector<Fault> *hostFaults = nullptr;

private:
  ThreadBlock *block;
  const OpTable &table;
  std::string name;
  int64_t consumer;
  llvm::DenseMap<Value, Datum> values;
  SmallVector<Frame> frames;
  std::string waitingFor;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_AGENT_H
