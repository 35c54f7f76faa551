//===- WalkOp.cpp - The walk over keys ------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies and canonicalizes attn.walk.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/Faults.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

static bool isList(Attribute segment) {
  return cast<SegmentAttr>(segment).getKind() == SegmentKind::List;
}

Value WalkOp::getSegmentList(unsigned n) {
  assert(isList(getSegments()[n]) && "only a list segment has a list");
  unsigned place =
      llvm::count_if(getSegments().getValue().take_front(n), isList);
  return getLists()[place];
}

LogicalResult WalkOp::verify() {
  Faults faults(*this);
  size_t segments = getSegments().size();
  faults.require(getBounds().size() == 2 * segments, "'bounds' expected ",
                 2 * segments, " values, begin and end of ", segments,
                 " segments, got ", getBounds().size()); // C1
  size_t lists = llvm::count_if(getSegments(), isList);
  faults.require(getLists().size() == lists, "'lists' expected ", lists,
                 " operands, one per list segment, got ", getLists().size());
  for (auto [n, list] : llvm::enumerate(getLists()))
    detail::requireTensor(faults, list, "list " + Twine(n),
                          detail::Elements::I32, 1);
  faults.require(static_cast<int64_t>(getTile()) >= 1,
                 "'tile' expected at least 1, got ",
                 static_cast<int64_t>(getTile())); // C2
  return faults.emit();
}

LogicalResult WalkOp::verifyRegions() {
  Faults faults(*this);
  Builder b(getContext());
  SmallVector<Type> expected = {b.getIndexType(), b.getIndexType(),
                                b.getI1Type()};
  llvm::append_range(expected, getInits().getTypes());
  Block &block = getBody().front();
  // C3
  faults.require(TypeRange(block.getArgumentTypes()) == TypeRange(expected),
                 "body expected arguments (", TypeRange(expected), "), got (",
                 TypeRange(block.getArgumentTypes()), ")");
  Operation *yield = block.getTerminator();
  faults.require(TypeRange(yield->getOperandTypes()) ==
                     TypeRange(getInits().getTypes()),
                 "body expected to yield (", getInits().getTypes(), "), got (",
                 TypeRange(yield->getOperandTypes()), ")");
  return faults.emit();
}

namespace {
/// Drops segments that are empty whatever the lengths are.
struct DropEmptySegments : OpRewritePattern<WalkOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WalkOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Attribute> segments;
    SmallVector<Value> bounds, lists;
    for (unsigned n = 0, e = op.getSegments().size(); n < e; ++n) {
      auto [begin, end] = op.getSegmentBounds(n);
      std::optional<int64_t> first = getConstantIntValue(begin);
      std::optional<int64_t> last = getConstantIntValue(end);
      if (begin == end || (first && last && *first >= *last))
        continue;
      segments.push_back(op.getSegment(n));
      bounds.append({begin, end});
      if (isList(op.getSegment(n)))
        lists.push_back(op.getSegmentList(n));
    }
    if (segments.size() == op.getSegments().size())
      return rewriter.notifyMatchFailure(op, "no segment is known to be empty");
    if (segments.empty()) {
      rewriter.replaceOp(op, op.getInits());
      return success();
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setSegmentsAttr(rewriter.getArrayAttr(segments));
      op.getBoundsMutable().assign(bounds);
      op.getListsMutable().assign(lists);
    });
    return success();
  }
};
} // namespace

void WalkOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropEmptySegments>(context);
}
