//===- Datum.cpp - What values are while a program runs -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounding, and elements in memory.
//
//===----------------------------------------------------------------------===//

#include "Datum.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

int64_t sim::getNumElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Type sim::getElementType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static uint16_t encodeBF16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return (bits >> 16) | 0x40;
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

static float decodeBF16(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

static uint16_t encodeF16(float value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static float decodeF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3FF;
  if (exponent == 0) // Below the normal numbers, or 0.
    return std::copysign(std::ldexp(float(fraction), -24),
                         llvm::bit_cast<float>(sign));
  uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return llvm::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

float sim::roundTo(Type type, float value) {
  if (type.isBF16())
    return decodeBF16(encodeBF16(value));
  if (type.isF16())
    return decodeF16(encodeF16(value));
  return value;
}

void sim::roundTo(Type type, std::vector<float> &values) {
  if (type.isF32())
    return;
  for (float &value : values)
    value = roundTo(type, value);
}

int64_t sim::wrapTo(Type type, int64_t value) {
  unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64)
    return value;
  if (width == 1)
    return value & 1;
  return llvm::SignExtend64(value, width);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

int64_t sim::getByteSize(Type elementType) {
  if (elementType.isF32())
    return 4;
  return elementType.isBF16() || elementType.isF16() ? 2 : 0;
}

int64_t TensorView::getNumElements() const {
  int64_t number = 1;
  for (int64_t extent : shape)
    number *= extent;
  return number;
}

int64_t TensorView::getNumber(ArrayRef<int64_t> index) const {
  int64_t number = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape)) {
    if (i < 0 || i >= extent)
      return -1;
    number = number * extent + i;
  }
  return number;
}

std::byte *TensorView::getAddress(ArrayRef<int64_t> index) const {
  int64_t element = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    element += i * stride;
  return data + element * getByteSize(elementType);
}

float TensorView::load(ArrayRef<int64_t> index) const {
  const std::byte *address = getAddress(index);
  if (elementType.isF32()) {
    float value;
    std::memcpy(&value, address, sizeof(value));
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, address, sizeof(bits));
  return elementType.isBF16() ? decodeBF16(bits) : decodeF16(bits);
}

void TensorView::store(ArrayRef<int64_t> index, float value) const {
  std::byte *address = getAddress(index);
  if (elementType.isF32()) {
    std::memcpy(address, &value, sizeof(value));
    return;
  }
  uint16_t bits = elementType.isBF16() ? encodeBF16(value) : encodeF16(value);
  std::memcpy(address, &bits, sizeof(bits));
}
