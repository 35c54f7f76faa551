//===- RegisterTilingDetail.h - shared by plan and emission -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicates that the plan and the emission of register tiling must agree on.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_CPU_REGISTERTILINGDETAIL_H
#define ATTN_LIB_TARGET_CPU_REGISTERTILINGDETAIL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineMap.h"
#include <optional>

namespace mlir::attn::detail {

inline bool mapUses(AffineMap map, unsigned dim) {
  return map.isFunctionOfDim(dim);
}

/// True if every reduction is absent from the map: the element is an
/// accumulator over the whole reduction.
inline bool isAccumulator(AffineMap map, ArrayRef<unsigned> reductions) {
  return llvm::none_of(reductions, [&](unsigned d) { return mapUses(map, d); });
}

/// True if `inner` applies to vectors as it does to scalars, lane by lane.
inline bool isLaneWise(Operation &inner) {
  return OpTrait::hasElementwiseMappableTraits(&inner) ||
         isa<linalg::IndexOp>(inner);
}

/// The operation by which the body combines `init` with one more value, if it
/// is one whose order can be changed.
std::optional<vector::CombiningKind> combinerOf(linalg::LinalgOp op,
                                                OpOperand *init);

} // namespace mlir::attn::detail

#endif // ATTN_LIB_TARGET_CPU_REGISTERTILINGDETAIL_H
