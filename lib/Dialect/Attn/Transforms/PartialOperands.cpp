//===- PartialOperands.cpp - What attn.partial reads along a loop ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects operands by their maps.
//
//===----------------------------------------------------------------------===//

#include "PartialOperands.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<std::pair<OpOperand *, unsigned>>
attn::getOperandsAlong(PartialOp op, unsigned dim) {
  SmallVector<std::pair<OpOperand *, unsigned>> found;
  auto add = [&](OpOperand &operand, AffineMap map) {
    if (std::optional<unsigned> axis = PartialOp::getAxis(map, dim))
      found.push_back({&operand, *axis});
  };
  auto addCaptures = [&](MutableOperandRange captures,
                         std::optional<ArrayAttr> maps) {
    for (auto [n, operand] : llvm::enumerate(captures))
      add(operand, cast<AffineMapAttr>((*maps)[n]).getValue());
  };
  add(op.getQMutable(), op.getQMap());
  add(op.getKMutable(), op.getKMap());
  add(op.getVMutable(), op.getVMap());
  addCaptures(op.getScoreCapturesMutable(), op.getScoreMaps());
  addCaptures(op.getMaskCapturesMutable(), op.getMaskMaps());
  auto addIds = [&](MutableOperandRange ids, unsigned second) {
    for (OpOperand &operand : ids)
      if (dim == PartialOp::Batch || dim == second)
        found.push_back({&operand, dim == PartialOp::Batch ? 0 : 1});
  };
  addIds(op.getQIdsMutable(), PartialOp::Query);
  addIds(op.getKvIdsMutable(), PartialOp::Key);
  return found;
}
