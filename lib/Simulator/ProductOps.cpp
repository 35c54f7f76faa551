//===- ProductOps.cpp - Products in flight --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product reads its operands at some moment between its start and the wait
// for it; those of one warpgroup run one after the other.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

/// Row-major `rows` x `columns`, transposed.
static std::vector<float> transpose(const std::vector<float> &from,
                                    int64_t rows, int64_t columns) {
  std::vector<float> result(from.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result[j * rows + i] = from[i * columns + j];
  return result;
}

static std::vector<float> loadOperand(TileRef tile, TileType type,
                                      bool transposed) {
  std::vector<float> elements = loadTile(tile, type);
  if (!transposed)
    return elements;
  return transpose(elements, type.getRows(), type.getColumns());
}

Outcome ThreadBlock::runProduct(Product &product) {
  MmaOp op = product.op;
  std::vector<float> a;
  if (auto *tile = std::get_if<TileRef>(&product.a)) {
    if (failed(checkTile(*product.agent, op, *tile)))
      return Outcome::Failed;
    a = loadOperand(*tile, cast<TileType>(op.getA().getType()),
                    op.getTransposeA());
  } else {
    a = std::get<std::shared_ptr<const Elements>>(product.a)->floats;
  }
  if (failed(checkTile(*product.agent, op, product.b)))
    return Outcome::Failed;
  std::vector<float> b =
      loadOperand(product.b, op.getB().getType(), op.getTransposeB());

  VectorType type = op.getFragmentType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  int64_t depth = op.getContraction();
  // Products of two 16-bit numbers are exact in f32.
  std::vector<float> d =
      product.c ? product.c->floats : std::vector<float>(rows * columns);
  for (int64_t i = 0; i < rows; ++i) {
    float *row = d.data() + i * columns;
    for (int64_t k = 0; k < depth; ++k) {
      float x = a[i * depth + k];
      const float *y = b.data() + k * columns;
      for (int64_t j = 0; j < columns; ++j)
        row[j] += x * y[j];
    }
  }
  product.result = std::make_shared<const Elements>(Elements{std::move(d), {}});
  product.done = true;
  return Outcome::Done;
}

static Outcome runMma(Agent &agent, MmaOp op) {
  auto product = std::make_shared<Product>();
  product->op = op;
  product->agent = &agent;
  product->a = agent.get(op.getA());
  product->b = agent.getAs<TileRef>(op.getB());
  if (op.getC())
    product->c = agent.getAs<std::shared_ptr<const Elements>>(op.getC());
  product->number = agent.productsStarted++;
  if (auto *tile = std::get_if<TileRef>(&product->a))
    if (failed(checkTile(agent, op, *tile)))
      return Outcome::Failed;
  if (failed(checkTile(agent, op, product->b)))
    return Outcome::Failed;
  agent.set(op.getResult(), product);
  agent.openProducts.push_back(product);
  agent.products.push_back(std::move(product));
  return Outcome::Done;
}

static Outcome runMmaWait(Agent &agent, MmaWaitOp op) {
  auto product = agent.getAs<std::shared_ptr<Product>>(op.getProduct());
  std::pair<Operation *, std::string> start(product->op, "started here");
  if (product->waited)
    return agent.fail(FaultKind::InFlight, op,
                      "waits for a product a second time", {start});
  int64_t behind = agent.productsStarted - 1 - product->number;
  if (behind < int64_t(op.getPending()))
    return agent.fail(
        FaultKind::InFlight, op,
        "leaves " + Twine(op.getPending()) +
            " products in flight, its own among them: it was started with " +
            Twine(behind) + " behind it",
        {start});
  int64_t finished = agent.productsStarted - int64_t(op.getPending());
  while (!agent.products.empty() && agent.products.front()->number < finished) {
    Product &next = *agent.products.front();
    if (!next.done && agent.getBlock().runProduct(next) == Outcome::Failed)
      return Outcome::Failed;
    agent.products.pop_front();
  }
  product->waited = true;
  llvm::erase(agent.openProducts, product);
  agent.set(op.getFragment(), product->result);
  return Outcome::Done;
}

void sim::populateProductOps(OpTable &table) {
  table.add<MmaOp>(runMma, /*visible=*/true);
  table.add<MmaWaitOp>(runMmaWait, /*visible=*/true);
}
