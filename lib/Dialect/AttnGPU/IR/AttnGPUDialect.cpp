//===- AttnGPUDialect.cpp - The attn_gpu dialect --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the dialect, its types and its operations; layouts of vectors.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_gpu;

#include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.cpp.inc"
#include "attn/Dialect/AttnGPU/IR/AttnGPUEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.cpp.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.cpp.inc"

void AttnGPUDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

std::optional<Layout> attn_gpu::getLayout(VectorType type) {
  if (type.getRank() != 2 || type.isScalable())
    return std::nullopt;
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  if (rows == 1)
    return columns % 8 == 0 ? std::optional(Layout::ColumnValues)
                            : std::nullopt;
  if (rows != AttnGPUDialect::kFragmentRows)
    return std::nullopt;
  if (columns == 1)
    return Layout::RowValues;
  if (columns == 4)
    return Layout::RowPartials;
  return columns % 8 == 0 ? std::optional(Layout::Fragment) : std::nullopt;
}

static bool hasLayout(Type type, Layout layout) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && getLayout(vector) == layout;
}

bool attn_gpu::isFragment(Type type) {
  return hasLayout(type, Layout::Fragment);
}

bool attn_gpu::isRowValues(Type type) {
  return hasLayout(type, Layout::RowValues);
}

//===----------------------------------------------------------------------===//
// TileType
//===----------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, false) ||
      parser.parseType(elementType))
    return {};
  if (shape.size() != 2) {
    parser.emitError(loc, "expected rows and columns, got ")
        << shape.size() << " extents";
    return {};
  }
  int64_t panelRows = shape[0];
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("panel_rows") || parser.parseEqual() ||
       parser.parseInteger(panelRows)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape[0],
                                     shape[1], elementType, panelRows);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getColumns() << "x" << getElementType();
  if (getPanelRows() != getRows())
    printer << ", panel_rows = " << getPanelRows();
  printer << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t rows, int64_t columns, Type elementType,
                               int64_t panelRows) {
  if (rows <= 0 || rows % 8 != 0)
    return emitError() << "expected rows in multiples of 8, got " << rows;
  if (columns <= 0 || columns % kPanelColumns != 0)
    return emitError() << "expected columns in multiples of " << kPanelColumns
                       << ", got " << columns;
  if (!elementType.isBF16() && !elementType.isF16())
    return emitError() << "expected elements of bf16 or f16, got "
                       << elementType;
  if (panelRows < rows || panelRows % 8 != 0)
    return emitError() << "expected panel_rows in multiples of 8 and at least "
                       << rows << ", got " << panelRows;
  return success();
}
