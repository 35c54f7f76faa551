//===- WalkMask.cpp - The mask of a walk as an expression -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the mask of the attn.partial in a walk as a MaskExpr.
//
//===----------------------------------------------------------------------===//

#include "WalkMask.h"
#include "attn/Analysis/MaskRegion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

Value attn::hoistOutOfWalk(RewriterBase &rewriter, WalkOp walk, Value value) {
  if (!walk.getBody().isAncestor(value.getParentRegion()))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() != &walk.getBody() ||
      op->getNumRegions() != 0 || !isPure(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (!hoistOutOfWalk(rewriter, walk, operand))
      return nullptr;
  rewriter.moveOpBefore(op, walk);
  return value;
}

/// Arguments of a mask region: batch, head, query and key position, captures.
static constexpr unsigned kBatchArgument = 0, kHeadArgument = 1,
                          kFirstCapture = 4;

WalkMask::WalkMask(RewriterBase &rewriter, WalkOp walk, PartialOp tile,
                   OpFoldResult keyOrigin)
    : rewriter(rewriter), loc(tile.getLoc()), walk(walk), tile(tile),
      keyOrigin(keyOrigin) {
  // Uniforms of the region have the numbers of its arguments.
  uniforms.assign(kFirstCapture + tile.getMaskCaptures().size(),
                  rewriter.getIndexAttr(0));
}

MaskExpr WalkMask::build() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(walk);
  return tile.getMaskAttr() ? convert(tile.getMaskAttr()) : MaskExpr::all();
}

MaskExpr WalkMask::opaque(Location loc, const Twine &what) {
  opaqueParts.push_back({loc, what.str()});
  return MaskExpr::opaque();
}

bool WalkMask::isSingle(unsigned dim) {
  return cast<RankedTensorType>(tile.getM().getType()).getDimSize(dim) == 1;
}

UniformSum WalkMask::addUniform(IRArith::Value value) {
  uniforms.push_back(value);
  return UniformSum::uniform(uniforms.size() - 1);
}

Value WalkMask::readElement(Value tensor) {
  tensor = hoistOutOfWalk(rewriter, walk, tensor);
  if (!tensor)
    return nullptr;
  rewriter.setInsertionPoint(walk);
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<Value> zeros(
      rank, rank == 0
                ? Value()
                : arith::ConstantIndexOp::create(rewriter, loc, 0).getResult());
  Value element = tensor::ExtractOp::create(rewriter, loc, tensor, zeros);
  return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                    element);
}

MaskExpr WalkMask::convert(Attribute mask) {
  auto join = [&](ArrayRef<Attribute> parts, auto combine) {
    MaskExpr joined = convert(parts.front());
    for (Attribute part : parts.drop_front())
      joined = combine(std::move(joined), convert(part));
    return joined;
  };
  return llvm::TypeSwitch<Attribute, MaskExpr>(mask)
      .Case([](CausalAttr) { return MaskExpr::causal(); })
      .Case([](WindowAttr window) {
        return MaskExpr::window(window.getLeft(), window.getRight());
      })
      .Case([](WindowSizeAttr window) {
        return MaskExpr::window(window.getSize() - 1, 0);
      })
      .Case([&](PrefixAttr prefix) { return convertPrefix(prefix); })
      .Case([](ChunkedAttr chunked) {
        return MaskExpr::chunked(chunked.getSize());
      })
      .Case([&](RegionMaskAttr) { return convertRegion(); })
      .Case([&](AndAttr all) {
        return join(all.getParts(), MaskExpr::conjunction);
      })
      .Case([&](OrAttr any) {
        return join(any.getParts(), MaskExpr::disjunction);
      })
      .Default([&](Attribute) {
        std::string text;
        llvm::raw_string_ostream(text) << mask;
        return opaque(loc, text);
      });
}

MaskExpr WalkMask::convertPrefix(PrefixAttr prefix) {
  if (prefix.getLength())
    // Every key is below the limit, and so is a prefix that is moved there.
    return MaskExpr::prefix(std::min(*prefix.getLength(), kPositionLimit - 1));
  Value length =
      isSingle(PartialOp::Batch) ? readElement(tile.getPrefix()) : Value();
  if (!length)
    return opaque(loc, "a prefix that differs inside the tile");
  return MaskExpr::prefix(addUniform(length));
}

Value WalkMask::getUniformCapture(unsigned n) {
  Value capture = tile.getMaskCaptures()[n];
  AffineMap map = cast<AffineMapAttr>((*tile.getMaskMaps())[n]).getValue();
  // Wider integers may be no positions: the analysis would leave 64 bits.
  auto isNarrow = [](Type type) {
    return type.isSignlessInteger() && type.getIntOrFloatBitWidth() > 1 &&
           type.getIntOrFloatBitWidth() <= 32;
  };
  if (map.getNumResults() == 0) {
    if (!isNarrow(capture.getType()))
      return nullptr;
    capture = hoistOutOfWalk(rewriter, walk, capture);
    if (!capture)
      return nullptr;
    rewriter.setInsertionPoint(walk);
    return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                      capture);
  }
  if (!isNarrow(cast<RankedTensorType>(capture.getType()).getElementType()))
    return nullptr;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim &&
        (dim.getPosition() >= PartialOp::Query || !isSingle(dim.getPosition())))
      return nullptr;
  }
  return readElement(capture);
}

MaskExpr WalkMask::convertRegion() {
  MaskRegionSignature signature;
  auto add = [&](unsigned argument, Value value) {
    if (!value || llvm::is_contained(signature.uniformArguments, argument))
      return;
    signature.uniformArguments.push_back(argument);
    uniforms[argument] = IRArith::get(value);
  };
  auto hoist = [&](Value value) {
    return hoistOutOfWalk(rewriter, walk, value);
  };
  if (isSingle(PartialOp::Batch))
    add(kBatchArgument, hoist(tile.getOrigin()[PartialOp::Batch]));
  if (isSingle(PartialOp::KvHead) && isSingle(PartialOp::Group) &&
      !tile.getVisible().getArgument(kHeadArgument).use_empty()) {
    Value kvHead = hoist(tile.getOrigin()[PartialOp::KvHead]);
    Value group = hoist(tile.getOrigin()[PartialOp::Group]);
    Value groupSize = hoist(tile.getGroupSize());
    if (kvHead && group && groupSize) {
      rewriter.setInsertionPoint(walk);
      Value first = arith::MulIOp::create(rewriter, loc, kvHead, groupSize);
      add(kHeadArgument, arith::AddIOp::create(rewriter, loc, first, group));
    }
  }
  for (unsigned n = 0, e = tile.getMaskCaptures().size(); n < e; ++n)
    add(kFirstCapture + n, getUniformCapture(n));
  rewriter.setInsertionPoint(walk);
  return maskFromRegion(tile.getVisible(), signature, [&](Value value) {
    Operation *op = value.getDefiningOp();
    (void)opaque(op ? op->getLoc() : loc,
                 op ? op->getName().getStringRef() : "a captured condition");
  });
}
