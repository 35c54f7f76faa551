//===- ElementTypeTest.cpp - Bits to numbers and back --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions against llvm::APFloat, over all 16-bit numbers and around every
// rounding boundary.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::attn::run;

static uint16_t encodeByAPFloat(const llvm::fltSemantics &semantics,
                                double value) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

static double decodeByAPFloat(const llvm::fltSemantics &semantics,
                              uint16_t bits) {
  return llvm::APFloat(semantics, llvm::APInt(16, bits)).convertToDouble();
}

static uint16_t storeBits(ElementType type, double value) {
  uint16_t bits;
  store(type, &bits, value);
  return bits;
}

static void checkAllNumbers(ElementType type,
                            const llvm::fltSemantics &semantics) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint16_t narrow = static_cast<uint16_t>(bits);
    double expected = decodeByAPFloat(semantics, narrow);
    double value = load(type, &narrow);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      uint16_t again = storeBits(type, value);
      EXPECT_TRUE(std::isnan(load(type, &again))) << bits;
      continue;
    }
    ASSERT_EQ(value, expected) << bits;
    ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    ASSERT_EQ(storeBits(type, value), narrow);
    // The halfway point to the next number, and its neighbours as doubles: a
    // rounding through float first would get the neighbours wrong.
    if (!std::isfinite(value) || (bits & 0x7fff) == 0x7bff)
      continue;
    uint16_t nextBits = static_cast<uint16_t>(bits + 1);
    double next = decodeByAPFloat(semantics, nextBits);
    if (!std::isfinite(next))
      continue;
    double middle = value + (next - value) / 2;
    for (double probe :
         {middle, std::nextafter(middle, value), std::nextafter(middle, next)})
      ASSERT_EQ(storeBits(type, probe), encodeByAPFloat(semantics, probe))
          << std::hexfloat << probe;
  }
}

TEST(ElementType, BF16AgreesWithAPFloat) {
  checkAllNumbers(ElementType::BF16, llvm::APFloat::BFloat());
}

TEST(ElementType, F16AgreesWithAPFloat) {
  checkAllNumbers(ElementType::F16, llvm::APFloat::IEEEhalf());
}

TEST(ElementType, OverflowsAsIEEESays) {
  for (double value : {65504.0, 65519.999, 65520.0, 65536.0, 1e10, 1e300,
                       -65520.0, 1e-10, -1e-10, 1e-300, 2.98e-8, 3.39e38,
                       3.395e38, 3.3961775292304601e38, 4e38}) {
    EXPECT_EQ(storeBits(ElementType::F16, value),
              encodeByAPFloat(llvm::APFloat::IEEEhalf(), value))
        << value;
    EXPECT_EQ(storeBits(ElementType::BF16, value),
              encodeByAPFloat(llvm::APFloat::BFloat(), value))
        << value;
  }
}

TEST(ElementType, Ulp) {
  EXPECT_EQ(ulp(ElementType::F32, 1.0), std::ldexp(1.0, -23));
  EXPECT_EQ(ulp(ElementType::F32, 1.999), std::ldexp(1.0, -23));
  EXPECT_EQ(ulp(ElementType::F32, 2.0), std::ldexp(1.0, -22));
  EXPECT_EQ(ulp(ElementType::BF16, 1.0), std::ldexp(1.0, -7));
  EXPECT_EQ(ulp(ElementType::F16, 3.0), std::ldexp(1.0, -9));
  EXPECT_EQ(ulp(ElementType::F16, 0.0), std::ldexp(1.0, -24));
  EXPECT_EQ(ulp(ElementType::F32, 0.0), std::ldexp(1.0, -149));
  EXPECT_EQ(ulp(ElementType::F64, 1.0), std::ldexp(1.0, -52));
}

TEST(ElementType, Largest) {
  EXPECT_EQ(largest(ElementType::F16), 65504.0);
  EXPECT_EQ(largest(ElementType::F32), std::numeric_limits<float>::max());
  EXPECT_EQ(largest(ElementType::F64), std::numeric_limits<double>::max());
  uint16_t bits = 0x7f7f;
  EXPECT_EQ(largest(ElementType::BF16), load(ElementType::BF16, &bits));
}

TEST(ElementType, Integers) {
  int32_t i32;
  store(ElementType::I32, &i32, -7);
  EXPECT_EQ(i32, -7);
  EXPECT_EQ(load(ElementType::I32, &i32), -7);
  uint8_t flag = 0xff;
  store(ElementType::I1, &flag, 1);
  EXPECT_EQ(flag, 1);
  EXPECT_FALSE(isFloat(ElementType::I8));
}

TEST(ElementType, Names) {
  for (ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::BF16, ElementType::F16,
        ElementType::I64, ElementType::I32, ElementType::I8, ElementType::I1})
    EXPECT_EQ(parseElementType(getName(type)), type);
  EXPECT_EQ(parseElementType("f8"), std::nullopt);
}
