//===- StagedWriteOps.cpp - Writes through shared memory ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy engine reads a tile at some moment after the copy's start, and
// writes to global memory at some moment after that.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

static Outcome runStoreFragment(Agent &agent, StoreFragmentOp op) {
  ThreadBlock &block = agent.getBlock();
  TileRef tile = agent.getAs<TileRef>(op.getTile());
  if (failed(checkTile(agent, op, tile)))
    return Outcome::Failed;
  int64_t rows = op.getTile().getType().getRows();
  if (auto reader = block.findReader(tile, rows))
    return agent.fail(
        FaultKind::InUse, op, "overwrites what a product in flight reads",
        {{reader->op, "the product, of " + reader->agent->getName()}});
  if (auto copy = block.findCopyOut(tile, rows, /*agent=*/nullptr))
    return agent.fail(FaultKind::InUse, op,
                      "overwrites what a copy to global memory may still read",
                      {{copy->op, "the copy, of " + copy->agent->getName()}});
  const std::vector<float> &elements =
      agent.getElements(op.getFragment()).floats;
  int64_t columns = tile.buffer->columns;
  int64_t all = cast<VectorType>(op.getFragment().getType()).getDimSize(1);
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(elements.begin() + row * all + op.getColumn(), columns,
                tile.buffer->elements.begin() +
                    (tile.firstRow + row) * columns);
  return Outcome::Done;
}

static Outcome runCopyOut(Agent &agent, CopyOutOp op) {
  TileRef tile = agent.getAs<TileRef>(op.getTile());
  if (failed(checkTile(agent, op, tile)))
    return Outcome::Failed;
  auto copy = std::make_shared<CopyOut>();
  copy->op = op;
  copy->agent = &agent;
  copy->tile = tile;
  copy->destination =
      agent.getAs<std::shared_ptr<TensorView>>(op.getDestination());
  copy->offsets = agent.getIntegers(op.getOffsets());
  agent.openCopies.push_back(copy);
  agent.getBlock().startCopy(std::move(copy));
  return Outcome::Done;
}

Outcome ThreadBlock::advance(CopyOut &copy) {
  TileType type = copy.op.getTile().getType();
  if (!copy.isRead) {
    copy.isRead = true;
    if (failed(checkTile(*copy.agent, copy.op, copy.tile)))
      return Outcome::Failed;
    copy.elements = loadTile(copy.tile, type);
    return Outcome::Done;
  }
  copy.isDone = true;
  return writeBox(*copy.agent, copy.op, *copy.destination, copy.offsets,
                  copy.op.getRowDimension(), type.getRows(), type.getColumns(),
                  copy.elements);
}

static Outcome runCopyWait(Agent &agent, CopyWaitOp op) {
  for (const std::shared_ptr<CopyOut> &copy : agent.openCopies)
    if (op.getRead() ? !copy->isRead : !copy->isDone)
      return agent.waitFor("its copies to global memory");
  for (const std::shared_ptr<CopyOut> &copy : agent.openCopies)
    copy->readingWaitedFor = true;
  if (!op.getRead())
    agent.openCopies.clear();
  return Outcome::Done;
}

void sim::populateStagedWriteOps(OpTable &table) {
  table.add<TileCreateOp>([](Agent &agent, TileCreateOp op) {
    agent.set(op.getTile(), TileRef{&agent.getBlock().getBuffer(op), 0, 0});
    return Outcome::Done;
  });
  table.add<StoreFragmentOp>(runStoreFragment, /*visible=*/true);
  table.add<CopyOutOp>(runCopyOut, /*visible=*/true);
  table.add<CopyWaitOp>(runCopyWait, /*visible=*/true);
}
