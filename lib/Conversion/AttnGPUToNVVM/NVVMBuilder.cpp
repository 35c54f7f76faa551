//===- NVVMBuilder.cpp - Code of one thread -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thread numbers, inline assembly, places in tiles and views of tensors.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value NVVMBuilder::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(*this, getIntegerAttr(type, value));
}

Value NVVMBuilder::clamp(Value value, int64_t max) {
  Value low = arith::MaxSIOp::create(*this, value, constantLike(value, 0));
  return arith::MinSIOp::create(*this, low, constantLike(value, max));
}

Value NVVMBuilder::toI64(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(*this, getI64Type(), value);
  if (value.getType().isInteger(32))
    return arith::ExtUIOp::create(*this, getI64Type(), value);
  return value;
}

Value NVVMBuilder::toI32(Value value) {
  if (value.getType().isInteger(32))
    return value;
  return arith::TruncIOp::create(*this, getI32Type(), toI64(value));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value NVVMBuilder::getThread() {
  return NVVM::ThreadIdXOp::create(*this, getI32Type());
}

Value NVVMBuilder::getClusterRank() {
  // Read where it is used: known before, it would be kept, in a register of
  // loops that have none to spare.
  InlinePTX code;
  code.results = {getI32Type()};
  code.text = "mov.u32 $0, %cluster_ctarank;";
  return ptx(code).front();
}

Value NVVMBuilder::getWarpgroupThread() {
  return remU(getThread(), AttnGPUDialect::kWarpgroupThreads);
}

Value NVVMBuilder::getLane() { return remU(getThread(), 32); }

Value NVVMBuilder::getWarp() { return divU(getWarpgroupThread(), 32); }

Value NVVMBuilder::getFragmentRow() {
  Value ofWarp = mul(getWarp(), 16), inWarp = divU(getLane(), 4);
  return add(ofWarp, inWarp);
}

Value NVVMBuilder::getFragmentColumn() { return mul(remU(getThread(), 4), 2); }

Value NVVMBuilder::uniform(Value value) {
  Value lanes = i32(-1), from = i32(0), clamp = i32(31);
  return NVVM::ShflOp::create(*this, getI32Type(), lanes, value, from, clamp,
                              NVVM::ShflKind::idx, UnitAttr());
}

Value NVVMBuilder::opaque(Value value) {
  InlinePTX code;
  code.results = {getI32Type()};
  code.inputs = {value};
  code.text = "mov.b32 $0, " + code.input(0) + ";";
  return ptx(code).front();
}

//===----------------------------------------------------------------------===//
// Vectors and memory
//===----------------------------------------------------------------------===//

SmallVector<Value> NVVMBuilder::unpack(Value vector) {
  return llvm::to_vector_of<Value>(
      vector::ToElementsOp::create(*this, vector).getResults());
}

Value NVVMBuilder::pack(ArrayRef<Value> elements, Type vectorType) {
  return vector::FromElementsOp::create(*this, cast<VectorType>(vectorType),
                                        elements);
}

SmallVector<Value> NVVMBuilder::unpackPairs(Value vector) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  return unpack(vector::BitCastOp::create(
      *this, VectorType::get({size / 2}, getI32Type()), vector));
}

Value NVVMBuilder::offset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value NVVMBuilder::sharedMemory(int64_t offset) {
  Type type = LLVM::LLVMPointerType::get(getContext(), kSharedSpace);
  Value start = LLVM::AddressOfOp::create(*this, type, kSharedSymbol);
  return LLVM::GEPOp::create(*this, type, getI8Type(), start,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(offset)});
}

static StringRef getConstraint(Type type) {
  if (type.isF32())
    return "f";
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == kSharedSpace ? "r" : "l";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "b";
  case 16:
    return "h";
  case 32:
    return "r";
  default:
    return "l";
  }
}

SmallVector<Value> NVVMBuilder::ptx(const InlinePTX &code) {
  SmallVector<std::string> constraints;
  for (Type type : code.results)
    constraints.push_back("=" + getConstraint(type).str());
  for (size_t i = 0; i < code.tied.size(); ++i)
    constraints.push_back(std::to_string(i));
  for (Value input : code.inputs)
    constraints.push_back(getConstraint(input.getType()).str());
  constraints.push_back("~{memory}");

  SmallVector<Value> operands(code.tied);
  llvm::append_range(operands, code.inputs);
  SmallVector<Type> result;
  if (code.results.size() == 1)
    result.push_back(code.results.front());
  else if (!code.results.empty())
    result.push_back(
        LLVM::LLVMStructType::getLiteral(getContext(), code.results));
  auto op = LLVM::InlineAsmOp::create(
      *this, result, operands, code.text, llvm::join(constraints, ","),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  if (code.results.size() <= 1)
    return llvm::to_vector_of<Value>(op->getResults());
  SmallVector<Value> values;
  for (int64_t i = 0, end = code.results.size(); i < end; ++i)
    values.push_back(LLVM::ExtractValueOp::create(*this, op.getRes(), i));
  return values;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

MatrixAddress::MatrixAddress(NVVMBuilder &b, Value pointer, TileLayout tile)
    : b(b), pointer(pointer), tile(tile) {
  // As MatrixLane::get, with the warp's 16 rows.
  Value lane = b.getLane();
  row = b.mul(b.getWarp(), 16);
  row = b.add(row, b.remU(lane, 16));
  rowStart = b.mul(row, TileType::kPanelRowBytes);
  half = b.divU(lane, 16);
}

Value MatrixAddress::get(int64_t step) {
  MatrixLane first = MatrixLane::get(/*lane=*/0, step);
  int64_t panel = first.chunk / TileLayout::kPanelChunks;
  Value chunk = b.add(half, first.chunk % TileLayout::kPanelChunks);
  Value place = b.remU(b.bitXor(chunk, row), TileLayout::kPanelChunks);
  Value toRow = b.add(rowStart, panel * tile.getPanelBytes());
  Value inRow = b.mul(place, TileLayout::kChunkBytes);
  return b.offset(pointer, b.add(toRow, inRow));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

SmallVector<KernelParameter> attn::getParameters(int64_t argument, Type type) {
  using Kind = KernelParameter::Kind;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return {{Kind::Scalar, argument}};
  SmallVector<KernelParameter> parameters = {{Kind::Pointer, argument}};
  auto [strides, offset] = memref.getStridesAndOffset();
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (memref.isDynamicDim(dim))
      parameters.push_back({Kind::Extent, argument, dim});
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (ShapedType::isDynamic(strides[dim]))
      parameters.push_back({Kind::Stride, argument, dim});
  return parameters;
}

Attribute KernelParameter::getAttr(MLIRContext *context) const {
  static constexpr StringLiteral kNames[] = {"pointer", "extent",   "stride",
                                             "scalar",  "tile_map", "counter"};
  Builder b(context);
  SmallVector<NamedAttribute> fields = {
      b.getNamedAttr("kind", b.getStringAttr(kNames[static_cast<int>(kind)]))};
  if (kind != Kind::Counter)
    fields.push_back(b.getNamedAttr("argument", b.getI64IntegerAttr(argument)));
  if (kind == Kind::Extent || kind == Kind::Stride)
    fields.push_back(
        b.getNamedAttr("dimension", b.getI64IntegerAttr(dimension)));
  if (kind == Kind::TileMap)
    for (auto [name, value] :
         {std::pair("row_dimension", dimension), std::pair("rows", rows),
          std::pair("columns", TileType::kPanelColumns),
          std::pair("swizzle", TileType::kPanelRowBytes)})
      fields.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  return b.getDictionaryAttr(fields);
}

TensorView::TensorView(NVVMBuilder &b, MemRefType type, ValueRange values)
    : type(type), pointer(values[0]) {
  auto [staticStrides, offset] = type.getStridesAndOffset();
  extents.resize(type.getRank());
  strides.resize(type.getRank());
  for (auto [parameter, value] :
       llvm::zip_equal(getParameters(0, type), values)) {
    if (parameter.kind == KernelParameter::Kind::Extent)
      extents[parameter.dimension] = value;
    else if (parameter.kind == KernelParameter::Kind::Stride)
      strides[parameter.dimension] = value;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!extents[dim])
      extents[dim] = b.i64(type.getDimSize(dim));
    if (!strides[dim])
      strides[dim] = b.i64(staticStrides[dim]);
  }
}
