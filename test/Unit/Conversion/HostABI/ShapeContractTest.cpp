//===- ShapeContractTest.cpp - Tests of classes of equal extents ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equality, constants and names, in any order of statements.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/ShapeContract.h"

#include <gtest/gtest.h>

using namespace mlir::attn;

TEST(ShapeContract, EqualityIsTransitive) {
  ShapeContract contract;
  auto a = contract.add(), b = contract.add(), c = contract.add(),
       d = contract.add();
  EXPECT_TRUE(contract.merge(a, b));
  EXPECT_TRUE(contract.merge(c, d));
  EXPECT_FALSE(contract.areEqual(a, d));
  EXPECT_TRUE(contract.merge(b, c));
  EXPECT_TRUE(contract.areEqual(a, d));
}

TEST(ShapeContract, ConstantsReachTheWholeClass) {
  ShapeContract contract;
  auto a = contract.add(), b = contract.add(7), c = contract.add();
  contract.merge(a, c);
  EXPECT_EQ(contract.getConstant(a), std::nullopt);
  contract.merge(c, b);
  EXPECT_EQ(contract.getConstant(a), 7);
}

TEST(ShapeContract, DifferentConstantsAreRefused) {
  ShapeContract contract;
  auto a = contract.add(7), b = contract.add(), c = contract.add(8);
  EXPECT_TRUE(contract.merge(a, b));
  EXPECT_FALSE(contract.merge(b, c));
  EXPECT_FALSE(contract.areEqual(b, c));
  EXPECT_EQ(contract.getConstant(b), 7);
  EXPECT_EQ(contract.getConstant(c), 8);
  EXPECT_TRUE(contract.merge(a, contract.add(7)));
  auto zero = contract.add(0);
  EXPECT_EQ(contract.getConstant(zero), 0);
  EXPECT_FALSE(contract.merge(zero, a));
}

TEST(ShapeContract, SymbolsAreNumberedByQuestion) {
  ShapeContract contract;
  auto a = contract.add(), b = contract.add(), c = contract.add();
  contract.merge(a, c);
  EXPECT_EQ(contract.getSymbol(b, "b"), 0u);
  EXPECT_EQ(contract.getSymbol(c, "c"), 1u);
  EXPECT_EQ(contract.getSymbol(a, "a"), 1u);
  ASSERT_EQ(contract.getSymbolNames().size(), 2u);
  EXPECT_EQ(contract.getSymbolNames()[0], "b");
  EXPECT_EQ(contract.getSymbolNames()[1], "c");
}

TEST(ShapeContract, TheFirstSuggestionNamesTheClass) {
  ShapeContract contract;
  auto a = contract.add(), b = contract.add();
  contract.suggestName(b, "B");
  contract.suggestName(b, "other");
  contract.merge(b, a);
  EXPECT_EQ(contract.getSymbol(a, "default"), 0u);
  EXPECT_EQ(contract.getSymbolNames()[0], "B");
}

TEST(ShapeContract, OfTwoNamesThatOfTheFirstExtentStays) {
  for (bool swapped : {false, true}) {
    ShapeContract contract;
    auto a = contract.add(), b = contract.add();
    contract.suggestName(a, "A");
    contract.suggestName(b, "B");
    contract.merge(swapped ? b : a, swapped ? a : b);
    contract.getSymbol(b, "default");
    EXPECT_EQ(contract.getSymbolNames()[0], "A");
  }
}

TEST(ShapeContract, NamesAreMadeDifferent) {
  ShapeContract contract;
  auto a = contract.add(), b = contract.add(), c = contract.add(),
       d = contract.add();
  contract.suggestName(a, "S");
  contract.suggestName(b, "S");
  contract.suggestName(c, "S_1");
  for (auto extent : {a, b, c, d})
    contract.getSymbol(extent, "S");
  std::vector<std::string> names(contract.getSymbolNames());
  EXPECT_EQ(names, (std::vector<std::string>{"S", "S_1", "S_1_1", "S_2"}));
}
