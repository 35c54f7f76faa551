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
#include "DocumentBounds.h"
#include "attn/Analysis/MaskRegion.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
                   OpFoldResult rows, OpFoldResult keyOrigin)
    : rewriter(rewriter), loc(tile.getLoc()), walk(walk), tile(tile),
      rows(rows), keyOrigin(keyOrigin) {
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

MaskExpr
attn::convertMask(Attribute mask,
                  llvm::function_ref<MaskExpr(Attribute)> convertOther) {
  auto join = [&](ArrayRef<Attribute> parts, auto combine) {
    MaskExpr joined = convertMask(parts.front(), convertOther);
    for (Attribute part : parts.drop_front())
      joined = combine(std::move(joined), convertMask(part, convertOther));
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
      .Case([](ChunkedAttr chunked) {
        return MaskExpr::chunked(chunked.getSize());
      })
      .Case([&](PrefixAttr prefix) {
        if (!prefix.getLength())
          return convertOther(prefix);
        // Every key is below the limit, and so is a prefix that is moved there.
        return MaskExpr::prefix(
            std::min(*prefix.getLength(), kPositionLimit - 1));
      })
      .Case([&](AndAttr all) {
        return join(all.getParts(), MaskExpr::conjunction);
      })
      .Case([&](OrAttr any) {
        return join(any.getParts(), MaskExpr::disjunction);
      })
      .Default(convertOther);
}

MaskExpr WalkMask::convert(Attribute mask) {
  return convertMask(mask, [&](Attribute other) -> MaskExpr {
    return llvm::TypeSwitch<Attribute, MaskExpr>(other)
        .Case([&](PrefixAttr) { return convertPrefix(); })
        .Case([&](DocumentsAttr) { return convertDocuments(); })
        .Case([&](RegionMaskAttr) { return convertRegion(); });
  });
}

MaskExpr WalkMask::convertPrefix() {
  Value length =
      isSingle(PartialOp::Batch) ? readElement(tile.getPrefix()) : Value();
  if (!length)
    return opaque(loc, "a prefix that differs inside the tile");
  return MaskExpr::prefix(addUniform(length));
}

namespace {
/// Keys [0, ...) of row `batch` of `ids` [batch, keys].
struct KeyIds {
  Value ids;
  OpFoldResult batch;
};
} // namespace

/// Where the walk's key ids come from: as far outside the loop over query tiles
/// as they are the same keys. None if a tile's ids are not those that its
/// `start` names.
static std::optional<KeyIds> findKeyIds(RewriterBase &rewriter, WalkOp walk,
                                        Value tileIds) {
  Value ids = tileIds;
  Region &body = walk.getBody();
  auto isInBody = [&](Value value) {
    return body.isAncestor(value.getParentRegion());
  };
  KeyIds found = {nullptr, rewriter.getIndexAttr(0)};
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  // One slice of the row `batch`, whose first key is `firstKey`.
  auto enter = [&](tensor::ExtractSliceOp slice, OpFoldResult firstKey) {
    auto offsets = slice.getMixedOffsets();
    if (slice.getSourceType().getRank() != 2 ||
        slice.getType().getRank() != 2 || slice.getType().getDimSize(0) != 1 ||
        !llvm::all_of(slice.getMixedStrides(),
                      [](OpFoldResult s) { return isConstantIntValue(s, 1); }))
      return false;
    if (!isEqualConstantIntOrValue(offsets[1], firstKey))
      return false;
    if (auto batch = dyn_cast<Value>(offsets[0]))
      if (!hoistOutOfWalk(rewriter, walk, batch))
        return false;
    rewriter.setInsertionPoint(walk);
    found.batch = affine::makeComposedFoldedAffineApply(
        rewriter, slice.getLoc(), d0 + d1, {found.batch, offsets[0]});
    ids = slice.getSource();
    return true;
  };

  // In the body: the tile, padded or not.
  bool sliced = false;
  while (isInBody(ids)) {
    if (auto pad = ids.getDefiningOp<tensor::PadOp>();
        pad && pad.hasZeroLowPad()) {
      ids = pad.getSource();
    } else if (auto cast = ids.getDefiningOp<tensor::CastOp>()) {
      ids = cast.getSource();
    } else if (auto slice = ids.getDefiningOp<tensor::ExtractSliceOp>();
               slice && !sliced && enter(slice, walk.getStart())) {
      sliced = true;
    } else {
      return std::nullopt;
    }
  }
  if (!sliced)
    return std::nullopt;

  // In the loop over tiles: the batch.
  auto loop = walk->getParentOfType<scf::ForallOp>();
  OpFoldResult zero = rewriter.getIndexAttr(0);
  while (loop && loop.getRegion().isAncestor(ids.getParentRegion())) {
    if (auto cast = ids.getDefiningOp<tensor::CastOp>())
      ids = cast.getSource();
    else if (auto slice = ids.getDefiningOp<tensor::ExtractSliceOp>();
             !slice || !enter(slice, zero))
      break;
  }
  found.ids = ids;
  return found;
}

MaskExpr WalkMask::convertDocuments() {
  Value queryIds = hoistOutOfWalk(rewriter, walk, tile.getQIds());
  std::optional<KeyIds> keyIds;
  if (queryIds && isSingle(PartialOp::Batch))
    keyIds = findKeyIds(rewriter, walk, tile.getKvIds());
  if (!keyIds)
    return opaque(loc, "document ids that are not those of the walk's keys");
  KeyTileIds keys(rewriter, loc, keyIds->ids, walk.getTile());
  rewriter.setInsertionPoint(walk);
  DocumentBounds bounds = computeDocumentBounds(
      rewriter, loc, queryIds, rows, keys, keyIds->batch, walk.getTile());
  UniformSum origin = addUniform(IRArith::get(keyOrigin));
  auto position = [&](Value offset) {
    UniformSum sum = addUniform(offset);
    sum += origin;
    return sum;
  };
  KeySpan possible{position(bounds.possibleBegin),
                   position(bounds.possibleEnd)};
  KeySpan certain{position(bounds.certainBegin), position(bounds.certainEnd)};
  return MaskExpr::span(possible, certain);
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
