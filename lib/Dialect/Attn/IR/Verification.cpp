//===- Verification.cpp - Checks that several operations share ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of masks, captures and regions shared by attn.attention and
// attn.partial.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using mlir::attn::detail::DomainExtents;

void DomainExtents::set(unsigned dim, int64_t extent, StringRef operand) {
  if (ShapedType::isDynamic(extent))
    return;
  auto &[value, source] = known[dim];
  if (ShapedType::isDynamic(value)) {
    value = extent;
    source = operand;
    return;
  }
  faults.require(value == extent, "'", operand, "' expected extent ", value,
                 " (", names[dim], ") as in '", source, "', got ", extent);
}

void DomainExtents::set(AffineMap map, RankedTensorType type,
                        StringRef operand) {
  for (auto [n, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      set(dim.getPosition(), type.getDimSize(n), operand);
}

bool mlir::attn::detail::requireTensor(Faults &faults, Value value,
                                       const Twine &name, Elements elements,
                                       int64_t rank) {
  if (!value)
    return true;
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!faults.require(tensor && (rank < 0 || tensor.getRank() == rank), "'",
                      name.str(), "' expected a tensor of ",
                      rank < 0 ? "known rank" : "rank " + std::to_string(rank),
                      ", got ", value.getType()))
    return false;
  Type element = tensor.getElementType();
  bool isFloat = element.isF32() || element.isBF16() || element.isF16();
  bool fits = elements == Elements::F32     ? element.isF32()
              : elements == Elements::Float ? isFloat
                                            : element.isInteger(32);
  StringRef expected = elements == Elements::F32     ? "f32"
                       : elements == Elements::Float ? "f32, bf16 or f16"
                                                     : "i32";
  fits = faults.require(fits, "'", name.str(), "' expected element type ",
                        expected, ", got ", element);
  return faults.require(!tensor.getEncoding(), "'", name.str(),
                        "' expected a tensor without encoding, got ", tensor) &&
         fits;
}

void mlir::attn::detail::requireTensors(Faults &faults, ValueRange values,
                                        ArrayRef<StringRef> names,
                                        Elements elements) {
  for (auto [value, name] : llvm::zip_equal(values, names))
    requireTensor(faults, value, name, elements);
}

/// Whether each result of `map` is a dimension, used once, or the constant 0.
static bool isProjectionWithZeros(AffineMap map) {
  return map.getNumSymbols() == 0 &&
         map.isProjectedPermutation(/*allowZeroInResults=*/true);
}

void mlir::attn::detail::verifyRegion(Faults &faults, StringRef what,
                                      Region &region, ValueRange captures,
                                      std::optional<ArrayAttr> maps,
                                      ArrayRef<Type> leading, Type yielded,
                                      DomainExtents &extents,
                                      unsigned numDims) {
  size_t numMaps = maps ? maps->size() : 0;
  if (region.empty()) {
    faults.require(captures.empty() && numMaps == 0, "'", what, "' captures ",
                   captures.size(), " operands by ", numMaps,
                   " maps, but there is no ", what, " region");
    return;
  }
  if (!faults.require(numMaps == captures.size(), "'", what, "_maps' expected ",
                      captures.size(), " maps, one per capture, got ", numMaps))
    return;

  SmallVector<Type> expected(leading);
  for (auto [n, capture] : llvm::enumerate(captures)) {
    std::string name = (what + " capture " + Twine(n)).str();
    AffineMap map = cast<AffineMapAttr>((*maps)[n]).getValue();
    auto tensor = dyn_cast<RankedTensorType>(capture.getType());
    if (!faults.require(map.getNumDims() == numDims, "'", name,
                        "' expected a map of ", numDims, " dimensions, got ",
                        map.getNumDims()) ||
        !faults.require(isProjectionWithZeros(map), "'", name,
                        "' expected a map whose results are dimensions, each "
                        "used once, or 0, got ",
                        map,
                        "; pass the operand whole by a map without results and "
                        "read it by tensor.extract"))
      return;
    if (!faults.require(!tensor || !tensor.getEncoding(), "'", name,
                        "' expected a tensor without encoding, got ",
                        capture.getType()))
      return;
    if (map.getNumResults() == 0) {
      if (!faults.require(tensor || capture.getType().isIntOrIndexOrFloat(),
                          "'", name,
                          "' expected a tensor of known rank or a scalar, got ",
                          capture.getType()))
        return;
      expected.push_back(capture.getType());
      continue;
    }
    if (!faults.require(tensor && tensor.getRank() == map.getNumResults(), "'",
                        name, "' expected a tensor of rank ",
                        map.getNumResults(), " for its map, got ",
                        capture.getType()))
      return;
    expected.push_back(tensor.getElementType());
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      int64_t extent = tensor.getDimSize(axis);
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        extents.set(dim.getPosition(), extent, name);
      else
        faults.require(extent != 0, "'", name, "' expected an element at 0 of ",
                       "axis ", axis, ", got extent 0");
    }
  }

  Block &block = region.front();
  if (!faults.require(block.getNumArguments() == expected.size(), "'", what,
                      "' region expected ", expected.size(), " arguments, got ",
                      block.getNumArguments()))
    return;
  for (auto [n, type] : llvm::enumerate(expected))
    faults.require(block.getArgument(n).getType() == type, "'", what,
                   "' region expected argument ", n, " of type ", type,
                   ", got ", block.getArgument(n).getType());

  auto yield = dyn_cast_or_null<YieldOp>(
      block.mightHaveTerminator() ? block.getTerminator() : nullptr);
  if (!faults.require(static_cast<bool>(yield), "'", what,
                      "' region expected attn.yield as its last operation"))
    return;
  faults.require(yield.getNumOperands() == 1 &&
                     yield.getOperand(0).getType() == yielded,
                 "'", what, "' region expected to yield (", yielded, "), got (",
                 yield.getOperandTypes(), ")");
  for (Operation &op : block.without_terminator())
    faults.require(isMemoryEffectFree(&op), "'", what,
                   "' region expected operations without side effects, got ",
                   op.getName().getStringRef());
}

void mlir::attn::detail::verifyMaskOperands(Faults &faults, Attribute mask,
                                            Region &visible, Value qIds,
                                            Value kvIds, Value prefix) {
  MaskNeeds needs = getMaskNeeds(mask);
  if (faults.require(static_cast<bool>(qIds) == static_cast<bool>(kvIds),
                     "'documents' expected ids of queries and of keys "
                     "together, got those of ",
                     qIds ? "queries" : "keys", " alone"))
    faults.require(
        needs.documents == static_cast<bool>(qIds),
        needs.documents
            ? "#attn.documents expected 'documents' operands, got none"
            : "'documents' operands given, but the mask has no "
              "#attn.documents");
  faults.require(needs.prefixOperand == static_cast<bool>(prefix),
                 needs.prefixOperand
                     ? "#attn.prefix without a number expected a 'prefix' "
                       "operand, got none"
                     : "'prefix' operand given, but the mask has no "
                       "#attn.prefix without a number");
  faults.require(needs.region == !visible.empty(),
                 needs.region
                     ? "#attn.region expected a 'visible' region, got none"
                     : "'visible' region given, but the mask has no "
                       "#attn.region");
}

void mlir::attn::detail::verifyScale(Faults &faults, double scale) {
  // Scores are f32, so that is where the scale must neither overflow, times
  // log2(e) included, nor vanish.
  auto narrow = static_cast<float>(scale);
  faults.require(narrow < 0x1p127f && narrow > 0,
                 "'scale' expected greater than 0 and below 2^127 in f32, got ",
                 scale,
                 scale <= 0 ? "; a negative or zero scale breaks the running "
                              "maximum: negate or drop 'q' instead"
                            : "");
}
