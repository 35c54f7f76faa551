//===- AsyncOps.cpp - Asynchronous programs -------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax and constraints of rings and roles.
//
//===----------------------------------------------------------------------===//

#include "Verification.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Utils/Layouts.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::attn_gpu;

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t stages, TileType tile) {
  if (stages < 1 || stages > 8)
    return emitError() << "expected 1 to 8 stages, got " << stages;
  return success();
}

//===----------------------------------------------------------------------===//
// RingCreateOp, RingFillOp, RingWaitOp
//===----------------------------------------------------------------------===//

bool attn_gpu::canShareRows(int64_t rows, int64_t cluster) {
  return rows % (cluster * TileType::kSwizzleRows) == 0;
}

LogicalResult RingCreateOp::verify() {
  if (!getMulticast())
    return success();
  int64_t cluster = (*this)->getParentOfType<KernelOp>().getCluster();
  int64_t rows = getRing().getType().getTile().getRows();
  if (cluster == 1)
    return emitOpError("is 'multicast', but the kernel has no clusters");
  if (!canShareRows(rows, cluster))
    return emitOpError("is 'multicast': expected a multiple of ")
           << cluster << " * " << TileType::kSwizzleRows << " rows, got "
           << rows;
  return success();
}

void RingFillOp::getEffects(attn_gpu::detail::Effects &effects) {
  attn_gpu::detail::addCopyEffects(getSourceMutable(), effects);
}

LogicalResult RingFillOp::verify() {
  MemRefType source = getSource().getType();
  LogicalResult valid = attn_gpu::detail::verifyAccess(
      *this, "source", source, getOffsets().size(), getRowDimension());
  Type element = getRing().getType().getTile().getElementType();
  if (source.getElementType() != element)
    valid = emitOpError("'source' expected elements of ")
            << element << " as the ring, got " << source.getElementType();
  if (failed(
          attn_gpu::detail::verifyCopiedColumns(*this, source, getOffsets())))
    valid = failure();
  return valid;
}

ParseResult RingWaitOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand ring, count;
  RingType type;
  if (parser.parseOperand(ring) || parser.parseLSquare() ||
      parser.parseOperand(count) || parser.parseRSquare() ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(ring, type, result.operands) ||
      parser.resolveOperand(count, parser.getBuilder().getIndexType(),
                            result.operands))
    return failure();
  result.addTypes(type.getTile());
  return success();
}

void RingWaitOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getRing() << '[' << getCount() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getRing().getType();
}

LogicalResult RingWaitOp::verify() {
  if (getTile().getType() != getRing().getType().getTile())
    return emitOpError("expected the ring's tile ")
           << getRing().getType().getTile() << ", got " << getTile().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// StoreFragmentOp, CopyOutOp
//===----------------------------------------------------------------------===//

LogicalResult StoreFragmentOp::verify() {
  TileType tile = getTile().getType();
  auto fragment = cast<VectorType>(getFragment().getType());
  constexpr int64_t kStep =
      MatrixOperand::kStep; // what stmatrix stores at once
  LogicalResult valid = success();
  if (getColumn() < 0 || getColumn() % kStep != 0)
    valid = emitOpError("'column' expected a multiple of ")
            << kStep << ", got " << getColumn();
  if (fragment.getDimSize(1) - getColumn() < tile.getColumns())
    valid = emitOpError("'fragment' expected ")
            << tile.getColumns() << " columns from column " << getColumn()
            << " on, got " << fragment;
  if (failed(valid))
    return valid;
  return attn_gpu::detail::verifyFragmentOfTile(
      *this, tile,
      VectorType::get({fragment.getDimSize(0), tile.getColumns()},
                      fragment.getElementType()));
}

void CopyOutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // The tile, and what the warpgroup's threads have stored in it.
  effects.emplace_back(MemoryEffects::Read::get(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable(),
                       SideEffects::DefaultResource::get());
}

LogicalResult CopyOutOp::verify() {
  MemRefType destination = getDestination().getType();
  LogicalResult valid =
      attn_gpu::detail::verifyAccess(*this, "destination", destination,
                                     getOffsets().size(), getRowDimension());
  Type element = getTile().getType().getElementType();
  if (destination.getElementType() != element)
    valid = emitOpError("'destination' expected elements of ")
            << element << " as the tile, got " << destination.getElementType();
  if (failed(attn_gpu::detail::verifyCopiedColumns(*this, destination,
                                                   getOffsets())))
    valid = failure();
  return valid;
}

//===----------------------------------------------------------------------===//
// WarpSpecializeOp
//===----------------------------------------------------------------------===//

LogicalResult WarpSpecializeOp::verify() {
  LogicalResult valid = success();
  for (auto [name, registers] :
       {std::pair("producer", getProducerRegisters()),
        std::pair("consumers", getConsumerRegisters())})
    if (registers < 24 || registers > 256 || registers % 8 != 0)
      valid = emitOpError("'")
              << name
              << "' expected registers in multiples of 8 from 24 to "
                 "256, got "
              << registers;
  int64_t consumers = (*this)->getParentOfType<KernelOp>().getWarpgroups();
  int64_t all = AttnGPUDialect::kWarpgroupThreads *
                (getProducerRegisters() + consumers * getConsumerRegisters());
  if (all > 65536)
    valid = emitOpError("expected at most 65536 registers in all, got ") << all;
  return valid;
}

LogicalResult WarpSpecializeOp::verifyRegions() {
  auto isOnTiles = [](Type type) { return isa<TileType, VectorType>(type); };
  WalkResult producer = getProducer().walk([&](Operation *op) {
    if (llvm::none_of(op->getOperandTypes(), isOnTiles) &&
        llvm::none_of(op->getResultTypes(), isOnTiles))
      return WalkResult::advance();
    op->emitOpError("works on tiles or fragments, which the producer must not");
    return WalkResult::interrupt();
  });
  WalkResult consumer = getConsumer().walk([&](RingFillOp fill) {
    fill.emitOpError("belongs to the producer, not to the consumers");
    return WalkResult::interrupt();
  });
  return failure(producer.wasInterrupted() || consumer.wasInterrupted());
}
