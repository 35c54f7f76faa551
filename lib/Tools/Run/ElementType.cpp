//===- ElementType.cpp - Element types of host tensors --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits to numbers and back, and the properties of each type.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/ElementType.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::attn::run;

namespace {
struct Properties {
  llvm::StringRef name;
  int64_t bytes;
  /// Bits of precision, the implicit one included, and the exponent of the
  /// smallest normal number; 0 for integers.
  int precision;
  int minExponent;
  int maxExponent;
};
} // namespace

static constexpr Properties kProperties[] = {
    {"f64", 8, 53, -1022, 1023}, {"f32", 4, 24, -126, 127},
    {"bf16", 2, 8, -126, 127},   {"f16", 2, 11, -14, 15},
    {"i64", 8, 0, 0, 0},         {"i32", 4, 0, 0, 0},
    {"i16", 2, 0, 0, 0},         {"i8", 1, 0, 0, 0},
    {"i1", 1, 0, 0, 0}};

static const Properties &getProperties(ElementType type) {
  return kProperties[static_cast<unsigned>(type)];
}

int64_t mlir::attn::run::getByteSize(ElementType type) {
  return getProperties(type).bytes;
}

bool mlir::attn::run::isFloat(ElementType type) {
  return getProperties(type).precision != 0;
}

llvm::StringRef mlir::attn::run::getName(ElementType type) {
  return getProperties(type).name;
}

std::optional<ElementType>
mlir::attn::run::parseElementType(llvm::StringRef name) {
  for (unsigned n = 0; n < std::size(kProperties); ++n)
    if (kProperties[n].name == name)
      return static_cast<ElementType>(n);
  return std::nullopt;
}

float mlir::attn::run::decodeBF16(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t mlir::attn::run::encodeBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40); // quiet, never infinite
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float mlir::attn::run::decodeF16(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0x1f)
    return llvm::bit_cast<float>(sign | 0x7f800000 | (fraction << 13));
  if (exponent == 0) {
    float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -magnitude : magnitude;
  }
  return llvm::bit_cast<float>(sign | ((exponent + 112) << 23) |
                               (fraction << 13));
}

uint16_t mlir::attn::run::encodeF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  // From halfway between the largest f16 and 2^16 on, everything is infinite.
  if (magnitude >= 0x477ff000)
    return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Subnormal: count units of 2^-24, which nearbyint rounds to nearest even.
    float units =
        std::nearbyint(std::ldexp(llvm::bit_cast<float>(magnitude), 24));
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(units));
  }
  uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

/// `value` as a float whose last bit is set if anything was lost. Rounding that
/// to fewer than 23 bits gives what rounding `value` once gives.
static float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (std::isnan(value) || std::isinf(nearest) ||
      static_cast<double>(nearest) == value)
    return nearest;
  uint32_t bits = llvm::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    --bits; // towards zero
  return llvm::bit_cast<float>(bits | 1);
}

template <typename T>
static T loadBits(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T>
static void storeBits(void *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

double mlir::attn::run::load(ElementType type, const void *address) {
  switch (type) {
  case ElementType::F64:
    return loadBits<double>(address);
  case ElementType::F32:
    return loadBits<float>(address);
  case ElementType::BF16:
    return decodeBF16(loadBits<uint16_t>(address));
  case ElementType::F16:
    return decodeF16(loadBits<uint16_t>(address));
  case ElementType::I64:
    return static_cast<double>(loadBits<int64_t>(address));
  case ElementType::I32:
    return loadBits<int32_t>(address);
  case ElementType::I16:
    return loadBits<int16_t>(address);
  case ElementType::I8:
    return loadBits<int8_t>(address);
  case ElementType::I1:
    return loadBits<uint8_t>(address) & 1;
  }
  llvm_unreachable("unknown element type");
}

void mlir::attn::run::store(ElementType type, void *address, double value) {
  switch (type) {
  case ElementType::F64:
    return storeBits(address, value);
  case ElementType::F32:
    return storeBits(address, static_cast<float>(value));
  case ElementType::BF16:
    return storeBits(address, encodeBF16(roundToOdd(value)));
  case ElementType::F16:
    return storeBits(address, encodeF16(roundToOdd(value)));
  case ElementType::I64:
    return storeBits(address, static_cast<int64_t>(value));
  case ElementType::I32:
    return storeBits(address, static_cast<int32_t>(value));
  case ElementType::I16:
    return storeBits(address, static_cast<int16_t>(value));
  case ElementType::I8:
    return storeBits(address, static_cast<int8_t>(value));
  case ElementType::I1:
    return storeBits(address, static_cast<uint8_t>(value != 0));
  }
  llvm_unreachable("unknown element type");
}

double mlir::attn::run::ulp(ElementType type, double magnitude) {
  const Properties &properties = getProperties(type);
  int exponent = properties.minExponent;
  if (magnitude != 0)
    exponent = std::max(exponent, std::ilogb(magnitude));
  return std::ldexp(1.0, exponent - properties.precision + 1);
}

double mlir::attn::run::largest(ElementType type) {
  const Properties &properties = getProperties(type);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - properties.precision),
                    properties.maxExponent);
}
