//===- DocumentBounds.h - Key tiles that hold a tile's documents *- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which key tiles may hold, and which surely hold nothing but, the documents of
// a query tile: from the least and greatest id of each tile. Each key is looked
// at once, however many query tiles and heads there are.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_DOCUMENTBOUNDS_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_DOCUMENTBOUNDS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// Least and greatest id of each key tile.
class KeyTileIds {
public:
  /// For `ids` [batch, keys] in tiles of `tileSize` keys, emitted behind the
  /// definition of `ids`: O(batch * keys) steps.
  KeyTileIds(RewriterBase &rewriter, Location loc, Value ids, int64_t tileSize);

  /// [batch, key tiles, 2], i32: the least, then the greatest.
  Value getTable() const { return table; }

private:
  Value table;
};

/// Keys as offsets from the first one; begin may exceed end if there is none.
struct DocumentBounds {
  /// From the first key tile whose ids overlap those of the rows to the last.
  Value possibleBegin, possibleEnd;
  /// The first run of key tiles that hold the rows' one document only.
  Value certainBegin, certainEnd;
};

/// The bounds of the query tile whose ids are the first `rows` (at least 1) of
/// `queryIds` [1, n], against the keys of batch `batch`. Emits O(rows + key
/// tiles) steps at the insertion point.
DocumentBounds computeDocumentBounds(RewriterBase &rewriter, Location loc,
                                     Value queryIds, OpFoldResult rows,
                                     const KeyTileIds &keys, OpFoldResult batch,
                                     int64_t tileSize);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_DOCUMENTBOUNDS_H
