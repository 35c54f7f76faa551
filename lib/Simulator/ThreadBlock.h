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
#include <map>
#include <random>

namespace mlir::attn::sim {

class Agent;
class Cluster;
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
/// all bytes that were announced have landed. What lands before it is announced
/// makes `copies`, the tx-count, negative; the phase stays open, since who
/// announces it has yet to arrive.
struct Barrier {
  int64_t expected = 1, pending = 1, copies = 0, phase = 0;

  void expectCopies(int64_t number) { copies += number; }
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
  Buffer(Operation *op, attn_gpu::TileType type, int64_t consumers,
         int64_t sharers = 1);

  /// The read or the ring.
  Operation *op;
  int64_t rows, columns;
  /// Row-major; NaN where nothing has been written.
  std::vector<float> elements;
  /// Which fill or read it holds, or is about to; -1: none.
  int64_t generation = -1;
  /// Copies into it that have not landed yet: of a ring that several blocks
  /// fill, one for each of them, started or not.
  int64_t landing = 0;

  /// Of a stage: its barriers, and by consumer the last fill waited for and
  /// the last one given back.
  Ring *ring = nullptr;
  int64_t stage = 0;
  Barrier full, empty;
  SmallVector<int64_t> waited, released;
  /// What it is filled with, of the first block that starts its share.
  Operation *fill = nullptr;
  const TensorView *source = nullptr;
  SmallVector<int64_t> offsets;

  void poison();
};

struct Ring {
  attn_gpu::RingCreateOp op;
  int64_t number = 0;
  /// Blocks that fill it together: 1, or all of the cluster.
  int64_t sharers = 1;
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

/// A copy that the copy engine has not finished, of some rows of a tile. Its
/// agent may be one of another block.
struct Copy {
  attn_gpu::RingFillOp op;
  Agent *agent;
  Buffer *buffer;
  int64_t firstRow, rows;
  std::shared_ptr<TensorView> source;
  SmallVector<int64_t> offsets;
};

/// A copy to global memory. The copy engine first reads the tile, then writes.
struct CopyOut {
  attn_gpu::CopyOutOp op;
  Agent *agent;
  TileRef tile;
  std::shared_ptr<TensorView> destination;
  SmallVector<int64_t> offsets;
  /// What was read.
  std::vector<float> elements;
  bool isRead = false, isDone = false;
  /// Its agent has waited for the reading.
  bool readingWaitedFor = false;
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
  /// By work loop, in the order in which a block comes to them: the first point
  /// that no block has taken, of those with schedule `dynamic`.
  std::map<int64_t, int64_t> nextPoints;
  int64_t steps = 0;
};

class ThreadBlock {
public:
  ThreadBlock(Launch &launch, Cluster &cluster, int64_t number);
  ~ThreadBlock();

  /// Whether its agents have come to the end.
  bool hasEnded() const;
  /// Whether something can happen in it.
  bool canGoOn() const;
  /// Lets one thing happen, chosen by the launch's seed.
  Outcome step();
  /// Reports what is left over at the end.
  Outcome finish();

  Launch &getLaunch() { return launch; }
  Cluster &getCluster() { return cluster; }
  int64_t getNumber() const { return number; }
  /// In its cluster.
  int64_t getRank() const;
  int64_t getConsumers() const { return consumers; }
  bool hasProducer() const { return producer; }
  int64_t getNumAgents() const { return agents.size(); }
  ArrayRef<std::unique_ptr<Agent>> getAgents() const { return agents; }

  Ring &getRing(attn_gpu::RingCreateOp op) { return *rings.find(op)->second; }
  /// That of an `attn_gpu.tile_create`.
  Buffer &getBuffer(attn_gpu::TileCreateOp op);
  Buffer &getBuffer(attn_gpu::ReadOp op);
  TurnBarrier &getTurnBarrier(int64_t consumer) { return turns[consumer]; }
  Meeting &getMeeting() { return meeting; }
  void startCopy(Copy copy) { copies.push_back(std::move(copy)); }
  /// An arrival from another block, at `stage` of this one.
  void startArrival(Buffer &stage) { arrivals.push_back(&stage); }
  void startCopy(std::shared_ptr<CopyOut> copy) {
    copiesOut.push_back(std::move(copy));
  }

  /// The number of the point that the block runs as `index`th in work loop
  /// `loop`. It comes from the producer, or else from the first warpgroup; none
  /// before that has come there.
  std::optional<int64_t> getPoint(attn_gpu::WorkLoopOp op, int64_t loop,
                                  int64_t index, Agent &agent);

  /// A product in flight that reads `buffer`, of `agent` or, if null, of
  /// anybody.
  std::shared_ptr<Product> findReader(const Buffer *buffer, Agent *agent);
  /// A product in flight that reads some of `rows` rows from `tile` on.
  std::shared_ptr<Product> findReader(TileRef tile, int64_t rows);
  /// A copy out of `rows` rows from `tile` on whose reading `agent`, or, if
  /// null, anybody, has not waited for.
  std::shared_ptr<CopyOut> findCopyOut(TileRef tile, int64_t rows,
                                       Agent *agent);
  /// Runs a product: reads its tiles, computes its result.
  Outcome runProduct(Product &product);

  Outcome fail(FaultKind kind, Operation *op, StringRef agent,
               const Twine &text,
               std::vector<std::pair<Operation *, std::string>> notes = {});

private:
  Outcome land(Copy copy);
  /// The next thing that happens to a copy to global memory.
  Outcome advance(CopyOut &copy);
  /// Something has changed that agents may wait for.
  void wake();

  Launch &launch;
  Cluster &cluster;
  int64_t number, consumers;
  bool producer;
  std::vector<std::unique_ptr<Agent>> agents;
  llvm::MapVector<Operation *, std::unique_ptr<Ring>> rings;
  llvm::DenseMap<Operation *, std::unique_ptr<Buffer>> buffers;
  SmallVector<TurnBarrier> turns;
  Meeting meeting;
  std::deque<Copy> copies;
  /// By stage whose consumers of other blocks have released it.
  std::deque<Buffer *> arrivals;
  std::deque<std::shared_ptr<CopyOut>> copiesOut;
  /// By work loop, the numbers of the points that this block runs.
  std::map<int64_t, SmallVector<int64_t>> points;
  /// How likely each agent, a copy or arrival, and a product are to be chosen.
  SmallVector<uint64_t> agentWeights;
  uint64_t copyWeight, productWeight;
  int64_t lastAgent = -1;
};

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_THREADBLOCK_H
