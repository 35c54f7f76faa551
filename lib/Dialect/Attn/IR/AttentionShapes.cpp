//===- AttentionShapes.cpp - Which extents attention asks to be equal -----===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints C4, C5, C9 and C10 of attn.attention on extents that are known at
// run time only, for the check at a function's entry.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Ties extents to the first operand that has them.
class SharedExtent {
public:
  SharedExtent(ShapeFacts &facts, StringRef name) : facts(facts), name(name) {}

  void add(Value value, int64_t dim, int64_t offset = 0) {
    if (!value)
      return;
    if (!first.value && offset == 0) {
      first = {value, dim};
      facts.name(first, name);
    } else if (first.value) {
      facts.equal({value, dim}, first, offset);
    }
  }
  ExtentRef get() const { return first; }

private:
  ShapeFacts &facts;
  StringRef name;
  ExtentRef first = {nullptr, 0};
};

} // namespace

static void addCaptures(OperandRange captures, std::optional<ArrayAttr> maps,
                        ArrayRef<SharedExtent *> domain) {
  if (!maps)
    return;
  for (auto [capture, attr] : llvm::zip(captures, *maps)) {
    AffineMap map = cast<AffineMapAttr>(attr).getValue();
    for (auto [n, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        domain[dim.getPosition()]->add(capture, n);
  }
}

void AttentionOp::collectShapeFacts(ShapeFacts &facts) {
  SharedExtent batch(facts, "B"), heads(facts, "Hq"), kvHeads(facts, "Hkv");
  SharedExtent queries(facts, isPacked() ? "total_q" : "Sq");
  SharedExtent keys(facts, isPacked() ? "total_kv" : "Skv");
  SharedExtent width(facts, "D"), valueWidth(facts, "Dv");
  auto addAll = [](Value value, ArrayRef<SharedExtent *> dims) {
    for (auto [n, dim] : llvm::enumerate(dims))
      dim->add(value, n);
  };
  if (isPacked()) {
    addAll(getQ(), {&queries, &heads, &width});
    addAll(getK(), {&keys, &kvHeads, &width});
    addAll(getV(), {&keys, &kvHeads, &valueWidth});
    addAll(getOut(), {&queries, &heads, &valueWidth});
    addAll(getLse(), {&heads, &queries});
  } else {
    addAll(getQ(), {&batch, &heads, &queries, &width});
    addAll(getK(), {&batch, &kvHeads, &keys, &width});
    addAll(getV(), {&batch, &kvHeads, &keys, &valueWidth});
    addAll(getOut(), {&batch, &heads, &queries, &valueWidth});
    addAll(getLse(), {&batch, &heads, &queries});
  }
  batch.add(getPrefix(), 0);
  batch.add(getSequsedQ(), 0);
  batch.add(getSequsedKv(), 0);
  // B + 1 entries; of equal number also where nothing has B entries.
  batch.add(getCuSeqlensQ(), 0, /*offset=*/1);
  if (isPacked()) {
    facts.name({getCuSeqlensQ(), 0}, "B_plus_1");
    facts.equal({getCuSeqlensKv(), 0}, {getCuSeqlensQ(), 0});
  }
  heads.add(getSinks(), 0);
  if (getQIds()) {
    if (!isPacked()) {
      batch.add(getQIds(), 0);
      batch.add(getKvIds(), 0);
    }
    queries.add(getQIds(), 1);
    keys.add(getKvIds(), 1);
  }
  SharedExtent *domain[] = {&batch, &heads, &queries, &keys};
  addCaptures(getScoreCaptures(), getScoreMaps(), domain);
  addCaptures(getMaskCaptures(), getMaskMaps(), domain);
  facts.multiple(heads.get(), kvHeads.get());

  for (auto [value, name] : {std::pair<Value, StringRef>{getQ(), "q"},
                             {getK(), "k"},
                             {getV(), "v"},
                             {getSinks(), "sinks"},
                             {getQIds(), "q_ids"},
                             {getKvIds(), "kv_ids"},
                             {getPrefix(), "prefix"},
                             {getCuSeqlensQ(), "cu_seqlens_q"},
                             {getCuSeqlensKv(), "cu_seqlens_kv"},
                             {getSequsedQ(), "seqused_q"},
                             {getSequsedKv(), "seqused_kv"},
                             {getOut(), "out"},
                             {getLse(), "lse"}})
    if (value)
      facts.name(value, name);
}
