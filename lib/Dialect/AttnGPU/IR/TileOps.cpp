//===- TileOps.cpp - Work on tiles ----------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax and constraints of reads, writes, fragments and products.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// ReadOp, WriteOp
//===----------------------------------------------------------------------===//

LogicalResult attn_gpu::detail::verifyAccess(Operation *op, StringRef name,
                                             MemRefType tensor, size_t offsets,
                                             int64_t rowDim) {
  LogicalResult valid = success();
  if (offsets != static_cast<size_t>(tensor.getRank()))
    valid = op->emitOpError("expected an offset for each dimension of '")
            << name << "', " << tensor.getRank() << ", got " << offsets;
  if (rowDim < 0 || rowDim >= tensor.getRank() - 1)
    valid = op->emitOpError("'row_dim' expected a dimension of '")
            << name << "' other than the last, got " << rowDim;
  if (!tensor.isLastDimUnitStride())
    valid = op->emitOpError("'")
            << name << "' expected unit stride in the last dimension, got "
            << tensor;
  return valid;
}

LogicalResult attn_gpu::detail::verifyCopiedColumns(Operation *op,
                                                    MemRefType tensor,
                                                    OperandRange offsets) {
  std::optional<int64_t> column =
      offsets.empty() ? std::nullopt : getConstantIntValue(offsets.back());
  int64_t unit =
      AttnGPUDialect::kCopiedBytes * 8 / tensor.getElementTypeBitWidth();
  if (!column || *column % unit == 0)
    return success();
  return op->emitOpError("the last offset expected a multiple of ")
         << unit << ", 16 bytes, got " << *column;
}

void attn_gpu::detail::addCopyEffects(OpOperand &source, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &source,
                       SideEffects::DefaultResource::get());
  // The memory of the tile, or of the stage.
  effects.emplace_back(MemoryEffects::Write::get(),
                       SideEffects::DefaultResource::get());
}

void ReadOp::getEffects(attn_gpu::detail::Effects &effects) {
  attn_gpu::detail::addCopyEffects(getSourceMutable(), effects);
}

LogicalResult ReadOp::verify() {
  MemRefType source = getSource().getType();
  LogicalResult valid = attn_gpu::detail::verifyAccess(
      *this, "source", source, getOffsets().size(), getRowDimension());
  if (source.getElementType() != getTile().getType().getElementType())
    valid = emitOpError("'source' expected elements of ")
            << getTile().getType().getElementType() << " as the tile, got "
            << source.getElementType();
  return valid;
}

void WriteOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable(),
                       SideEffects::DefaultResource::get());
}

LogicalResult WriteOp::verify() {
  MemRefType destination = getDestination().getType();
  LogicalResult valid =
      attn_gpu::detail::verifyAccess(*this, "destination", destination,
                                     getOffsets().size(), getRowDimension());
  Type element = cast<VectorType>(getValue().getType()).getElementType();
  if (destination.getElementType() != element)
    valid = emitOpError("'destination' expected elements of ")
            << element << " as the value, got " << destination.getElementType();
  return valid;
}

//===----------------------------------------------------------------------===//
// SubtileOp, LoadFragmentOp
//===----------------------------------------------------------------------===//

LogicalResult SubtileOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (result.getColumns() != source.getColumns() ||
      result.getElementType() != source.getElementType() ||
      result.getPanelRows() != source.getPanelRows() ||
      result.getRows() > source.getRows())
    return emitOpError("'result' expected columns, elements and panel_rows of ")
           << source << " and no more rows, got " << result;
  return success();
}

LogicalResult attn_gpu::detail::verifyFragmentOfTile(Operation *op,
                                                     TileType tile,
                                                     VectorType fragment) {
  auto expected = VectorType::get({tile.getRows(), tile.getColumns()},
                                  tile.getElementType());
  if (tile.getRows() != AttnGPUDialect::kFragmentRows)
    return op->emitOpError("'tile' expected 64 rows, got ") << tile.getRows();
  if (fragment != expected)
    return op->emitOpError("'fragment' expected ")
           << expected << ", got " << fragment;
  return success();
}

LogicalResult LoadFragmentOp::verify() {
  return attn_gpu::detail::verifyFragmentOfTile(
      *this, getTile().getType(), cast<VectorType>(getFragment().getType()));
}

//===----------------------------------------------------------------------===//
// MmaOp, MmaWaitOp
//===----------------------------------------------------------------------===//

/// `a`, `b` (`acc` c)? (`transpose_a`)? (`transpose_b`)? attr-dict
///   `:` type(a), type(b) `->` fragment
ParseResult MmaOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand a, b, c;
  Type aType, bType;
  VectorType fragment;
  Builder &builder = parser.getBuilder();
  if (parser.parseOperand(a) || parser.parseComma() || parser.parseOperand(b))
    return failure();
  bool accumulates = succeeded(parser.parseOptionalKeyword("acc"));
  if (accumulates && parser.parseOperand(c))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("transpose_a")))
    result.addAttribute(getTransposeAAttrName(result.name),
                        builder.getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("transpose_b")))
    result.addAttribute(getTransposeBAttrName(result.name),
                        builder.getUnitAttr());
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(aType) || parser.parseComma() ||
      parser.parseType(bType) || parser.parseArrow() ||
      parser.parseType(fragment) ||
      parser.resolveOperand(a, aType, result.operands) ||
      parser.resolveOperand(b, bType, result.operands) ||
      (accumulates && parser.resolveOperand(c, fragment, result.operands)))
    return failure();
  result.addTypes(InFlightType::get(builder.getContext(), fragment));
  return success();
}

void MmaOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getA() << ", " << getB();
  if (getC())
    printer << " acc " << getC();
  if (getTransposeA())
    printer << " transpose_a";
  if (getTransposeB())
    printer << " transpose_b";
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {getTransposeAAttrName(), getTransposeBAttrName()});
  printer << " : " << getA().getType() << ", " << getB().getType() << " -> "
          << getFragmentType();
}

int64_t MmaOp::getContraction() {
  TileType b = getB().getType();
  return getTransposeB() ? b.getColumns() : b.getRows();
}

LogicalResult MmaOp::verify() {
  LogicalResult valid = success();
  VectorType d = getFragmentType();
  TileType b = getB().getType();
  int64_t contraction = getContraction();
  int64_t columns = getTransposeB() ? b.getRows() : b.getColumns();

  int64_t aRows, aColumns;
  Type aElement;
  if (auto tile = dyn_cast<TileType>(getA().getType())) {
    aRows = tile.getRows();
    aColumns = tile.getColumns();
    aElement = tile.getElementType();
    if (getTransposeA())
      std::swap(aRows, aColumns);
  } else {
    auto fragment = cast<VectorType>(getA().getType());
    aRows = fragment.getDimSize(0);
    aColumns = fragment.getDimSize(1);
    aElement = fragment.getElementType();
    if (getTransposeA())
      valid = emitOpError("'transpose_a' expected 'a' to be a tile, got ")
              << fragment;
  }
  if (!aElement.isBF16() && !aElement.isF16())
    valid = emitOpError("'a' expected elements of bf16 or f16, got ")
            << aElement;
  else if (aElement != b.getElementType())
    valid = emitOpError("'b' expected elements of ")
            << aElement << " as 'a', got " << b.getElementType();
  if (!d.getElementType().isF32() || !isFragment(d))
    valid = emitOpError("expected the result to be a fragment of f32, got ")
            << d;
  if (getC() && getC().getType() != d)
    valid = emitOpError("'c' expected ")
            << d << " as the result, got " << getC().getType();
  if (aRows != AttnGPUDialect::kFragmentRows)
    valid = emitOpError("'a' expected 64 rows, got ") << aRows;
  if (aColumns != contraction)
    valid = emitOpError("'b' expected ")
            << aColumns << " as the contracted extent of 'a', got "
            << contraction;
  if (d.getRank() == 2 && d.getDimSize(1) != columns)
    valid = emitOpError("expected a result of ")
            << columns << " columns, got " << d.getDimSize(1);
  if (contraction % 16 != 0)
    valid = emitOpError("expected a contracted extent in multiples of 16, got ")
            << contraction;
  if (columns > 256)
    valid = emitOpError("expected at most 256 columns, got ") << columns;
  return valid;
}

ParseResult MmaWaitOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand product;
  VectorType fragment;
  int64_t pending = 0;
  Builder &b = parser.getBuilder();
  if (parser.parseOperand(product) ||
      (succeeded(parser.parseOptionalKeyword("pending")) &&
       parser.parseInteger(pending)) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(fragment) ||
      parser.resolveOperand(product,
                            InFlightType::get(b.getContext(), fragment),
                            result.operands))
    return failure();
  result.addAttribute(getPendingAttrName(result.name),
                      b.getI64IntegerAttr(pending));
  result.addTypes(fragment);
  return success();
}

void MmaWaitOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getProduct();
  if (getPending() != 0)
    printer << " pending " << getPending();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getPendingAttrName()});
  printer << " : " << getFragment().getType();
}

LogicalResult MmaWaitOp::verify() {
  if (getFragment().getType() != getProduct().getType().getFragment())
    return emitOpError("expected the result ")
           << getProduct().getType().getFragment() << ", got "
           << getFragment().getType();
  if (getPending() < 0 || getPending() > 7)
    return emitOpError("'pending' expected 0 to 7, got ") << getPending();
  return success();
}

//===----------------------------------------------------------------------===//
// RowReduceOp, ScaleRowsOp, MakeNowOp, IotaOp
//===----------------------------------------------------------------------===//

LogicalResult RowReduceOp::verify() {
  auto source = cast<VectorType>(getSource().getType());
  auto result = cast<VectorType>(getResult().getType());
  std::optional<Layout> from = getLayout(source), to = getLayout(result);
  bool fits = (from == Layout::Fragment && to == Layout::RowPartials) ||
              (from == Layout::Fragment && to == Layout::RowValues) ||
              (from == Layout::RowPartials && to == Layout::RowValues);
  LogicalResult valid = success();
  if (!fits)
    valid = emitOpError("expected a reduction from 64xN to 64x4 or 64x1, or "
                        "from 64x4 to 64x1, got ")
            << source << " to " << result;
  using Kind = vector::CombiningKind;
  if (!llvm::is_contained({Kind::ADD, Kind::MAXNUMF, Kind::MINNUMF}, getKind()))
    valid = emitOpError("'kind' expected add, maxnumf or minnumf, got ")
            << vector::stringifyCombiningKind(getKind());
  return valid;
}

OpFoldResult ScaleRowsOp::fold(FoldAdaptor) {
  return matchPattern(getFragment(), m_AnyZeroFloat()) ? getFragment()
                                                       : OpFoldResult();
}

LogicalResult MakeNowOp::verify() {
  std::optional<Layout> layout =
      getLayout(cast<VectorType>(getValue().getType()));
  if (layout == Layout::RowValues || layout == Layout::RowPartials)
    return success();
  return emitOpError("expected vector<64x1xf32> or vector<64x4xf32>, got ")
         << getValue().getType();
}

LogicalResult ScaleRowsOp::verify() {
  auto fragment = cast<VectorType>(getFragment().getType());
  auto factors = cast<VectorType>(getFactors().getType());
  if (getLayout(fragment) == Layout::Fragment &&
      fragment.getElementType().isF32() &&
      getLayout(factors) == Layout::RowValues)
    return success();
  return emitOpError("expected a fragment 64xN of f32 and factors 64x1, got ")
         << fragment << " and " << factors;
}

LogicalResult IotaOp::verify() {
  auto type = cast<VectorType>(getResult().getType());
  std::optional<Layout> layout = getLayout(type);
  if (layout != Layout::RowValues && layout != Layout::ColumnValues)
    return emitOpError("expected a vector of 64x1 or 1xN, got ") << type;
  return success();
}
