//===- TileOps.cpp - Reads, writes, tiles and fragments -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves elements between global memory, tiles and registers at once.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

bool sim::readBox(const TensorView &tensor, ArrayRef<int64_t> offsets,
                  int64_t rowDimension, int64_t rows, int64_t columns,
                  MutableArrayRef<float> elements) {
  bool isAlone = true;
  SmallVector<int64_t> index(offsets);
  for (int64_t i = 0; i < rows; ++i) {
    index[rowDimension] = offsets[rowDimension] + i;
    for (int64_t j = 0; j < columns; ++j) {
      index.back() = offsets.back() + j;
      int64_t number = tensor.getNumber(index);
      elements[i * columns + j] = number < 0 ? 0 : tensor.load(index);
      isAlone &= number < 0 || tensor.writers[number] == 0;
    }
  }
  return isAlone;
}

LogicalResult sim::checkTile(Agent &agent, Operation *op, TileRef tile) {
  Buffer &buffer = *tile.buffer;
  std::pair<Operation *, std::string> place(buffer.op, "the tile's memory");
  auto say = [&](FaultKind kind, const Twine &text) {
    (void)agent.fail(kind, op, text, {place});
    return failure();
  };
  std::string what = buffer.ring ? buffer.ring->describe(tile.generation)
                                 : "a tile read before";
  if (buffer.generation != tile.generation)
    return say(
        FaultKind::Stale,
        "reads " + what + ", which has been overwritten" +
            (buffer.ring ? " by fill " + Twine(buffer.generation) : Twine()));
  if (buffer.landing != 0)
    return say(FaultKind::NotFull, "reads " + what + " before it has landed");
  if (buffer.ring && !agent.isProducer() &&
      buffer.released[agent.getConsumer()] == tile.generation)
    return say(FaultKind::Stale,
               "reads " + what + " after this warpgroup has given it back");
  return success();
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

/// The last agent to come, which reads for all.
static Outcome readForAll(Agent &agent, ReadOp op) {
  ThreadBlock &block = agent.getBlock();
  Buffer &buffer = block.getBuffer(op);
  if (auto reader = block.findReader(&buffer, /*agent=*/nullptr))
    return agent.fail(
        FaultKind::InUse, op,
        "overwrites a tile that a product in flight reads",
        {{reader->op, "the product, of " + reader->agent->getName()}});
  const auto &tensor = agent.getAs<std::shared_ptr<TensorView>>(op.getSource());
  ++buffer.generation;
  if (!readBox(*tensor, agent.getIntegers(op.getOffsets()),
               op.getRowDimension(), buffer.rows, buffer.columns,
               buffer.elements))
    return agent.fail(FaultKind::Race, op,
                      "reads elements that were written in this launch");
  return Outcome::Done;
}

static Outcome runRead(Agent &agent, ReadOp op) {
  ThreadBlock &block = agent.getBlock();
  Meeting &meeting = block.getMeeting();
  if (!agent.arrivedInRound) {
    SmallVector<int64_t> offsets = agent.getIntegers(op.getOffsets());
    if (meeting.arrived == 0) {
      meeting.op = op;
      meeting.first = &agent;
      meeting.operands = offsets;
    } else if (meeting.op != op) {
      return agent.fail(
          FaultKind::Divergence, op,
          "is reached while another warpgroup is at another read",
          {{meeting.op, "where " + meeting.first->getName() + " is"}});
    } else if (meeting.operands != offsets) {
      return agent.fail(FaultKind::Divergence, op,
                        "has other offsets than in " +
                            meeting.first->getName());
    }
    agent.arrivedInRound = meeting.round;
    if (++meeting.arrived == block.getNumAgents()) {
      if (readForAll(agent, op) == Outcome::Failed)
        return Outcome::Failed;
      meeting.arrived = 0;
      ++meeting.round;
    } else {
      // Somebody came: others may be told so.
      return agent.waitFor("the other warpgroups to come to this read");
    }
  } else if (*agent.arrivedInRound == meeting.round) {
    return agent.waitFor("the other warpgroups to come to this read");
  }
  agent.arrivedInRound.reset();
  Buffer &buffer = block.getBuffer(op);
  agent.set(op.getTile(), TileRef{&buffer, buffer.generation, 0});
  return Outcome::Done;
}

Outcome sim::writeBox(Agent &agent, Operation *op, TensorView &tensor,
                      ArrayRef<int64_t> offsets, int64_t rowDimension,
                      int64_t rows, int64_t columns,
                      const std::vector<float> &elements) {
  SmallVector<int64_t> index(offsets);
  for (int64_t i = 0; i < rows; ++i) {
    index[rowDimension] = offsets[rowDimension] + i;
    for (int64_t j = 0; j < columns; ++j) {
      index.back() = offsets.back() + j;
      int64_t number = tensor.getNumber(index);
      if (number < 0)
        continue;
      int32_t &writer = tensor.writers[number];
      if (writer != 0 && writer != agent.getWriter())
        return agent.fail(FaultKind::Race, op,
                          llvm::formatv("writes an element, row {0} and column "
                                        "{1} of the value, that another "
                                        "warpgroup has written",
                                        i, j)
                              .str());
      writer = agent.getWriter();
      tensor.store(index, elements[i * columns + j]);
    }
  }
  return Outcome::Done;
}

static Outcome runWrite(Agent &agent, WriteOp op) {
  auto type = cast<VectorType>(op.getValue().getType());
  return writeBox(
      agent, op, *agent.getAs<std::shared_ptr<TensorView>>(op.getDestination()),
      agent.getIntegers(op.getOffsets()), op.getRowDimension(),
      type.getDimSize(0), type.getDimSize(1),
      agent.getElements(op.getValue()).floats);
}

static Outcome runDim(Agent &agent, memref::DimOp op) {
  const auto &tensor = agent.getAs<std::shared_ptr<TensorView>>(op.getSource());
  int64_t dim = agent.getInteger(op.getIndex());
  int64_t rank = tensor->shape.size();
  if (dim < 0 || dim >= rank)
    return agent.fail(FaultKind::Bounds, op,
                      "asks for dimension " + Twine(dim) + " of " +
                          Twine(rank));
  agent.set(op.getResult(), makeInteger(tensor->shape[dim]));
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Tiles and fragments
//===----------------------------------------------------------------------===//

static Outcome runSubtile(Agent &agent, SubtileOp op) {
  TileRef tile = agent.getAs<TileRef>(op.getSource());
  int64_t row = agent.getInteger(op.getRow());
  int64_t rows = op.getResult().getType().getRows();
  int64_t all = op.getSource().getType().getRows();
  if (row < 0 || row % 8 != 0 || row + rows > all)
    return agent.fail(FaultKind::Bounds, op,
                      llvm::formatv("expected rows within the source's {0}, "
                                    "from a multiple of 8, got [{1}, {2})",
                                    all, row, row + rows)
                          .str());
  tile.firstRow += row;
  agent.set(op.getResult(), tile);
  return Outcome::Done;
}

std::vector<float> sim::loadTile(TileRef tile, TileType type) {
  int64_t columns = type.getColumns();
  auto begin = tile.buffer->elements.begin() + tile.firstRow * columns;
  return std::vector<float>(begin, begin + type.getRows() * columns);
}

static Outcome runLoadFragment(Agent &agent, LoadFragmentOp op) {
  TileRef tile = agent.getAs<TileRef>(op.getTile());
  if (failed(checkTile(agent, op, tile)))
    return Outcome::Failed;
  agent.set(op.getFragment(),
            makeDatum({loadTile(tile, op.getTile().getType()), {}}));
  return Outcome::Done;
}

static Outcome runIota(Agent &agent, IotaOp op) {
  Elements result;
  for (int64_t i = 0, e = getNumElements(op.getType()); i < e; ++i)
    result.ints.push_back(i);
  agent.set(op.getResult(), makeDatum(std::move(result)));
  return Outcome::Done;
}

static Outcome runRowReduce(Agent &agent, RowReduceOp op) {
  auto combine = [kind = op.getKind()](float x, float y) {
    switch (kind) {
    case vector::CombiningKind::MAXNUMF:
      return std::fmax(x, y);
    case vector::CombiningKind::MINNUMF:
      return std::fmin(x, y);
    default: // The verifier leaves but this.
      return x + y;
    }
  };
  const std::vector<float> &source = agent.getElements(op.getSource()).floats;
  auto fromType = cast<VectorType>(op.getSource().getType());
  auto toType = cast<VectorType>(op.getResult().getType());
  int64_t rows = fromType.getDimSize(0), columns = fromType.getDimSize(1);
  std::vector<float> result;
  for (int64_t i = 0; i < rows; ++i) {
    const float *row = source.data() + i * columns;
    float lanes[4];
    // Each lane its own, in order; a vector<64x4> has one for each.
    for (int64_t lane = 0; lane < 4; ++lane) {
      bool isFragment = getLayout(fromType) == Layout::Fragment;
      lanes[lane] = isFragment ? row[2 * lane] : row[lane];
      for (int64_t j = 2 * lane + 1; isFragment && j < columns; ++j)
        if (j / 2 % 4 == lane)
          lanes[lane] = combine(lanes[lane], row[j]);
    }
    if (toType.getDimSize(1) == 4)
      result.insert(result.end(), lanes, lanes + 4);
    else
      result.push_back(
          combine(combine(lanes[0], lanes[1]), combine(lanes[2], lanes[3])));
  }
  agent.set(op.getResult(), makeDatum({std::move(result), {}}));
  return Outcome::Done;
}

static Outcome runScaleRows(Agent &agent, ScaleRowsOp op) {
  std::vector<float> result = agent.getElements(op.getFragment()).floats;
  const std::vector<float> &factors = agent.getElements(op.getFactors()).floats;
  size_t columns = result.size() / factors.size();
  for (size_t i = 0; i < result.size(); ++i)
    result[i] *= factors[i / columns];
  agent.set(op.getResult(), makeDatum({std::move(result), {}}));
  return Outcome::Done;
}

static Outcome runMakeNow(Agent &, MakeNowOp) { return Outcome::Done; }

void sim::populateTileOps(OpTable &table) {
  table.add<ReadOp>(runRead, /*visible=*/true);
  table.add<WriteOp>(runWrite, /*visible=*/true);
  table.add<memref::DimOp>(runDim);
  table.add<SubtileOp>(runSubtile);
  table.add<LoadFragmentOp>(runLoadFragment, /*visible=*/true);
  table.add<IotaOp>(runIota);
  table.add<RowReduceOp>(runRowReduce);
  table.add<ScaleRowsOp>(runScaleRows);
  table.add<MakeNowOp>(runMakeNow);
}
