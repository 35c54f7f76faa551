//===- ThreadBlock.h - What the warpgroups of a block share -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory, barriers, copies and products in flight, and the agents of one
// thread block. Barriers work as the hardware's do; beside them stands what a
// right program would know (which fill a stage holds, who still reads it), so
// that a barrier which lets somebody through too early is noticed.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_THREADBLOCK_H
#define ATTN_LIB_SIMULATOR_THREADBLOCK_H

#include "Datum.h"
#include "attn/Simulator/Simulator.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <random>

namespace mlir::attn::sim {

class Agent;
class OpTable;
class ThreadBlock;

/// What became of a step.
enum class Outcome : uint8_t {
  /// Go on with the next operation.
  Done,
  /// Nothing happened: try the same operation again later.
  Blocked,
  /// A fault was noticed.
  Failed,
};

/// An mbarrier (PTX ISA): a phase is complete when `expected` arrivals came and
/// all bytes that were announced have landed.
struct Barrier {
  int64_t expected = 1, pending = 1, copies = 0, phase = 0;

  void expectCopy() { ++copies; }
  void landCopy() {
    --copies;
    completeIfDone();
  }
  void arrive() {
    --pending;
    completeIfDone();
  }
  /// Whether the phase of `parity` is complete, as far as one bit tells: the
  /// phase before the current one is.
  bool hasCompleted(int64_t parity) const { return (phase & 1) != parity; }

private:
  void completeIfDone() {
    if (pending != 0 || copies != 0)
      return;
    ++phase;
    pending = expected;
  }
};

/// A tile's place in shared memory: of a synchronous read, or a ring's stage.
struct Buffer {
  Buffer(Operation *op, attn_gpu::TileType type, int64_t consumers);

  /// The read or the ring.
  Operation *op;
  int64_t rows, columns;
  /// Row-major; NaN where nothing has been written.
  std::vector<float> elements;
  /// Which fill or read it holds, or is about to; -1: none.
  int64_t generation = -1;
  /// A copy into it has not landed yet.
  bool landing = false;

  /// Of a stage: its barriers, and by consumer the last fill waited for and
  /// the last one given back.
  Ring *ring = nullptr;
  int64_t stage = 0;
  Barrier full, empty;
  SmallVector<int64_t> waited, released;

  void poison();
};

struct Ring {
  attn_gpu::RingCreateOp op;
  int64_t number = 0;
  std::vector<std::unique_ptr<Buffer>> stages;
  /// Fills that were started.
  int64_t fills = 0;
  /// By consumer, how many fills it gave back.
  SmallVector<int64_t> releases;

  Buffer &getStage(int64_t count) { return *stages[count % stages.size()]; }
  /// The parity of the phase that fill `count` completes.
  int64_t getParity(int64_t count) const { return count / stages.size() & 1; }
  /// "fill 5 of ring 1 (stage 1)".
  std::string describe(int64_t count) const;
};

/// A product that was started.
struct Product {
  attn_gpu::MmaOp op;
  Agent *agent = nullptr;
  Datum a;
  TileRef b;
  std::shared_ptr<const Elements> c;
  /// How many of its agent's were started before.
  int64_t number = 0;
  bool done = false, waited = false;
  std::shared_ptr<const Elements> result;
};

/// A copy that the copy engine has not finished.
struct Copy {
  attn_gpu::RingFillOp op;
  Agent *agent;
  Buffer *buffer;
  std::shared_ptr<TensorView> source;
  SmallVector<int64_t> offsets;
};

/// A named barrier of two warpgroups: who waits for its turn, who passes it.
struct TurnBarrier {
  bool waiterArrived = false, passerArrived = false;
  /// How often both came.
  int64_t round = 0;
};

/// Where all agents meet.
struct Meeting {
  Operation *op = nullptr;
  Agent *first = nullptr;
  SmallVector<int64_t> operands;
  int64_t arrived = 0, round = 0;
};

/// Draws numbers, the same ones for a seed on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// From 0 to `bound - 1`.
  uint64_t below(uint64_t bound) { return engine() % bound; }

private:
  std::mt19937_64 engine;
};

/// What runs of one launch have in common.
struct Launch {
  attn_gpu::KernelOp kernel;
  const OpTable &table;
  SmallVector<Datum> arguments;
  const Options &options;
  Random random;
  std::vector<Fault> faults;
  int64_t steps = 0;
};

class ThreadBlock {
public:
  ThreadBlock(Launch &launch, int64_t number);
  ~ThreadBlock();

  /// Lets one thing happen, chosen by the launch's seed.
  Outcome step();
  bool isFinished() const { return finished; }

  Launch &getLaunch() { return launch; }
  int64_t getNumber() const { return number; }
  int64_t getConsumers() const { return consumers; }
  bool hasProducer() const { return producer; }
  int64_t getNumAgents() const { return agents.size(); }

  Ring *getRing(attn_gpu::RingCreateOp op);
  Buffer &getBuffer(attn_gpu::ReadOp op);
  TurnBarrier &getTurnBarrier(int64_t consumer) { return turns[consumer]; }
  Meeting &getMeeting() { return meeting; }
  void startCopy(Copy copy) { copies.push_back(std::move(copy)); }

  /// A product in flight that reads `buffer`, of `agent` or, if null, of
  /// anybody.
  std::shared_ptr<Product> findReader(const Buffer *buffer, Agent *agent);
  /// Runs a product: reads its tiles, computes its result.
  Outcome runProduct(Product &product);

  Outcome fail(FaultKind kind, Operation *op, StringRef agent,
               const Twine &text,
               std::vector<std::pair<Operation *, std::string>> notes = {});

private:
  Outcome land(Copy copy);
  Outcome finish();
  Outcome reportDeadlock();

  Launch &launch;
  int64_t number, consumers;
  bool producer, finished = false;
  std::vector<std::unique_ptr<Agent>> agents;
  llvm::MapVector<Operation *, std::unique_ptr<Ring>> rings;
  llvm::DenseMap<Operation *, std::unique_ptr<Buffer>> buffers;
  SmallVector<TurnBarrier> turns;
  Meeting meeting;
  std::deque<Copy> copies;
  /// How likely each agent, a copy and a product are to be chosen.
  SmallVector<uint64_t> agentWeights;
  uint64_t copyWeight, productWeight;
  int64_t lastAgent = -1;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_THREADBLOCK_H
