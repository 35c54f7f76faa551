//===- RegisterTiling.cpp - plan register-tiled loops ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan: which dimension runs along lanes, which one is blocked in
// registers, in what order the loops stand.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/RegisterTiling.h"
#include "RegisterTilingDetail.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::detail;

/// Fewer lanes than this are not worth vector code.
static constexpr int64_t kMinLanes = 4;

/// Bound on the size of one unrolled elementwise body, in instructions, and on
/// the vectors in it: more only costs time in the code generator.
static constexpr int64_t kMaxBodySize = 64;
static constexpr int64_t kMaxUnrolledVectors = 4;

/// Steps of a sum between two additions to the result. Measured on contractions
/// over 64 and 128: 16 halves the error of one long sum for 6 % of the time.
static constexpr int64_t kMinChunk = 4;
static constexpr int64_t kMaxChunk = 16;

/// True if `operand` is read or written by whole vectors along `dim`.
static bool isContiguousAlong(OpOperand *operand, AffineMap map, unsigned dim) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  if (!type || map.getNumResults() == 0)
    return false;
  if (map.getResult(map.getNumResults() - 1) !=
      getAffineDimExpr(dim, map.getContext()))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

/// True if `inner` uses one of `values`, in its regions or as an operand.
static bool usesAny(Operation &inner,
                    const llvm::SmallPtrSetImpl<Value> &values) {
  return inner
      .walk([&](Operation *nested) {
        return llvm::any_of(nested->getOperands(),
                            [&](Value v) { return values.contains(v); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The values of the body that differ between the lanes along `dim`.
static llvm::SmallPtrSet<Value, 16> varyingValues(linalg::LinalgOp op,
                                                  unsigned dim) {
  llvm::SmallPtrSet<Value, 16> varying;
  for (OpOperand &operand : op->getOpOperands())
    if (mapUses(op.getMatchingIndexingMap(&operand), dim))
      varying.insert(op.getMatchingBlockArgument(&operand));
  for (Operation &inner : *op.getBlock()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (index ? index.getDim() == dim : usesAny(inner, varying))
      varying.insert(inner.result_begin(), inner.result_end());
  }
  return varying;
}

/// True if every operation of the body can be vectorized along `dim`, at worst
/// by repeating it for every lane. Operations with regions cannot.
static bool isBodyVectorizable(linalg::LinalgOp op, unsigned dim) {
  // A vector of i1 is a mask of bits; in memory each i1 is a byte.
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (mapUses(op.getMatchingIndexingMap(&operand), dim) &&
        element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 != 0)
      return false;
  }
  llvm::SmallPtrSet<Value, 16> varying = varyingValues(op, dim);
  for (Operation &inner : op.getBlock()->without_terminator())
    if (usesAny(inner, varying) &&
        (inner.getNumRegions() != 0 ||
         !llvm::all_of(inner.getResultTypes(), VectorType::isValidElementType)))
      return false;
  return true;
}

/// The widest element among the operands that vary along `dim`, in bits.
static int64_t vectorElementBits(linalg::LinalgOp op, unsigned dim) {
  int64_t bits = 8;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!mapUses(op.getMatchingIndexingMap(&operand), dim))
      continue;
    Type element = getElementTypeOrSelf(operand.get().getType());
    bits = std::max<int64_t>(
        bits, element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  }
  return bits;
}

/// A rough count of the instructions of the body.
static int64_t bodySize(linalg::LinalgOp op) {
  int64_t size = 1;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    bool isExpanded =
        isa<math::Exp2Op, math::ExpOp, math::LogOp, math::Log2Op, math::TanhOp>(
            inner);
    size += isExpanded || !isLaneWise(inner) ? 16 : 1;
  }
  return size;
}

std::optional<vector::CombiningKind>
mlir::attn::detail::combinerOf(linalg::LinalgOp op, OpOperand *init) {
  using Kind = vector::CombiningKind;
  SmallVector<Operation *> combiners;
  unsigned position =
      op.getMatchingBlockArgument(init).getArgNumber() - op.getNumDpsInputs();
  if (!matchReduction(op.getRegionOutputArgs(), position, combiners) ||
      combiners.size() != 1)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(combiners.front())
      .Case([](arith::AddFOp) { return Kind::ADD; })
      .Case([](arith::AddIOp) { return Kind::ADD; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Default(std::nullopt);
}

static std::optional<unsigned>
chooseVectorDim(linalg::LinalgOp op, ArrayRef<int64_t> extents,
                ArrayRef<unsigned> candidates, bool isReduction,
                const VectorRegisters &registers) {
  std::optional<unsigned> best;
  int64_t bestLanes = kMinLanes - 1;
  for (unsigned dim : llvm::reverse(candidates)) {
    if (ShapedType::isDynamic(extents[dim]))
      continue;
    bool legal = true;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      bool isOutput = op.isDpsInit(&operand);
      if (mapUses(map, dim) ? !isContiguousAlong(&operand, map, dim)
                            : isOutput && !isReduction)
        legal = false;
    }
    if (!legal || !isBodyVectorizable(op, dim))
      continue;
    int64_t lanes = registers.lanes(vectorElementBits(op, dim), extents[dim]);
    if (lanes > bestLanes) {
      bestLanes = lanes;
      best = dim;
    }
  }
  return best;
}

/// A dimension along which some vector of a reduction can be reused.
static std::optional<unsigned> chooseRowDim(linalg::LinalgOp op,
                                            ArrayRef<int64_t> extents,
                                            ArrayRef<unsigned> parallel,
                                            ArrayRef<unsigned> reductions,
                                            unsigned vectorDim) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!isAccumulator(op.getMatchingIndexingMap(&init), reductions))
      return std::nullopt;
  for (unsigned dim : llvm::reverse(parallel)) {
    if (dim == vectorDim || ShapedType::isDynamic(extents[dim]))
      continue;
    bool everyOutputHasRow =
        llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
          return mapUses(op.getMatchingIndexingMap(&init), dim);
        });
    bool reuse = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      AffineMap map = op.getMatchingIndexingMap(in);
      return !mapUses(map, dim) && mapUses(map, vectorDim) &&
             !isAccumulator(map, reductions);
    });
    if (everyOutputHasRow && reuse)
      return dim;
  }
  return std::nullopt;
}

/// The chunk by which the reduction of `op` is summed; 0 if it is not one sum
/// of floats over one dimension of known extent.
static int64_t chooseChunk(linalg::LinalgOp op, ArrayRef<int64_t> extents,
                           ArrayRef<unsigned> reductions) {
  if (reductions.size() != 1 || ShapedType::isDynamic(extents[reductions[0]]))
    return 0;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!isAccumulator(op.getMatchingIndexingMap(&init), reductions) ||
        !isa<FloatType>(getElementTypeOrSelf(init.get().getType())) ||
        combinerOf(op, &init) != vector::CombiningKind::ADD)
      return 0;
  int64_t extent = extents[reductions[0]];
  for (int64_t chunk = kMaxChunk; chunk >= kMinChunk; --chunk)
    if (extent % chunk == 0)
      return chunk;
  return extent < kMinChunk ? 0 : extent;
}

FailureOr<RegisterTiling> RegisterTiling::plan(linalg::LinalgOp op,
                                               const VectorRegisters &registers,
                                               std::string *reason) {
  auto fail = [&](const char *why) -> FailureOr<RegisterTiling> {
    if (reason)
      *reason = why;
    return failure();
  };
  if (!op.hasPureBufferSemantics())
    return fail("operands are not all buffers or scalars");
  if (!llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return fail("an indexing map is not a projected permutation");

  RegisterTiling tiling;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel, reductions;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    (kind == utils::IteratorType::parallel ? parallel : reductions)
        .push_back(dim);

  tiling.numParallel = parallel.size();
  tiling.vectorDim = chooseVectorDim(op, extents, parallel,
                                     /*isReduction=*/false, registers);
  if (!tiling.vectorDim &&
      llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return isAccumulator(op.getMatchingIndexingMap(&init), reductions) &&
               combinerOf(op, &init);
      })) {
    tiling.vectorDim = chooseVectorDim(op, extents, reductions,
                                       /*isReduction=*/true, registers);
    tiling.reducesLanes = tiling.vectorDim.has_value();
  }
  if (tiling.vectorDim) {
    unsigned vectorDim = *tiling.vectorDim;
    int64_t bits = vectorElementBits(op, vectorDim);
    if (!reductions.empty() && !tiling.reducesLanes)
      tiling.rowDim =
          chooseRowDim(op, extents, parallel, reductions, vectorDim);
    if (tiling.rowDim) {
      tiling.kernel = MicroKernel::choose(
          registers, bits, extents[*tiling.rowDim], extents[vectorDim]);
    } else {
      tiling.kernel.lanes = registers.lanes(bits, extents[vectorDim]);
      int64_t columns = extents[vectorDim] / tiling.kernel.lanes;
      int64_t limit = std::clamp<int64_t>(kMaxBodySize / bodySize(op), 1,
                                          kMaxUnrolledVectors);
      for (int64_t vectors = 1; vectors <= std::min(limit, columns); ++vectors)
        if (columns % vectors == 0)
          tiling.kernel.vectors = vectors;
    }
    // A contraction walks the rows inside a slab of columns: the slab of the
    // operand that is read by vectors then stays in the first-level cache.
    if (!tiling.reducesLanes) {
      llvm::erase(parallel, vectorDim);
      parallel.insert(tiling.rowDim ? parallel.begin() : parallel.end(),
                      vectorDim);
    }
  }
  if (tiling.vectorDim && !tiling.reducesLanes)
    tiling.chunk = chooseChunk(op, extents, reductions);
  tiling.order = parallel;
  tiling.order.append(reductions);
  return tiling;
}

int64_t RegisterTiling::step(unsigned dim) const {
  if (vectorDim == dim)
    return kernel.vectors * kernel.lanes;
  return rowDim == dim ? kernel.rows : 1;
}
