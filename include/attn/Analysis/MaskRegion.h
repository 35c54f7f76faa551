//===- MaskRegion.h - Mask regions as mask expressions ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a mask region (one block, `arith` operations, an i1 at the end) as a
// MaskExpr. Whatever it does not recognise becomes opaque there and only there:
// `causal and f(captured tensor)` still skips the tiles above the diagonal.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_MASKREGION_H
#define ATTN_ANALYSIS_MASKREGION_H

#include "attn/Analysis/MaskExpr.h"

#include "mlir/IR/Region.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::attn {

struct MaskRegionSignature {
  /// Numbers of the block arguments p and r.
  unsigned queryArgument = 2, keyArgument = 3;
  /// Arguments that have one value per query tile (b, h, captured scalars), of
  /// type `index` or a signless integer, below 2^40 in magnitude. In the result
  /// the number of such a uniform is the number of its argument.
  llvm::SmallVector<unsigned, 2> uniformArguments;
  /// Positions are below 2^positionBits in magnitude (at most 40). Arithmetic
  /// in an integer type that could wrap under this bound is opaque.
  unsigned positionBits = kPositionBits;
};

/// The mask of a region of one block whose terminator has one i1 operand;
/// opaque for any other region. Recognised: `cmpi` with signed predicates of
/// sums, differences and constant multiples of p, r, uniforms and of their
/// quotients by constants (`floordivsi`, `ceildivsi`, `divsi`, `shrsi`);
/// `index_cast`, `extsi`, `trunci` where the value is kept; `andi`, `ori`,
/// `xori` with true, `select` and constants of i1. `onOpaque` hears of each i1
/// value that is not.
MaskExpr maskFromRegion(Region &region, const MaskRegionSignature &signature,
                        llvm::function_ref<void(Value)> onOpaque = nullptr);

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_MASKREGION_H
