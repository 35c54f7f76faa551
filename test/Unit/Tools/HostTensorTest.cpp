//===- HostTensorTest.cpp - Layouts, poison, overwrites ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each layout maps every index to memory of its own (but for broadcasts), and
// memory beside the elements is poisoned and watched.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/HostTensor.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir::attn::run;

static HostTensor make(ElementType type, llvm::ArrayRef<int64_t> shape,
                       Layout layout = Layout::Dense) {
  llvm::Expected<HostTensor> tensor = HostTensor::create(type, shape, layout);
  if (!tensor)
    llvm::report_fatal_error(tensor.takeError());
  return std::move(*tensor);
}

static std::string getError(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(HostTensor, StridesOfLayouts) {
  using Strides = llvm::SmallVector<int64_t>;
  auto strides = [](Layout layout) {
    llvm::ArrayRef<int64_t> got =
        make(ElementType::BF16, {2, 3, 4, 8}, layout).getStrides();
    return Strides(got.begin(), got.end());
  };
  EXPECT_EQ(strides(Layout::Dense), (Strides{96, 32, 8, 1}));
  EXPECT_EQ(strides(Layout::Swapped), (Strides{96, 8, 24, 1}));
  EXPECT_EQ(strides(Layout::BroadcastBatch), (Strides{0, 32, 8, 1}));
  EXPECT_EQ(strides(Layout::BroadcastHeads), (Strides{32, 0, 8, 1}));
  EXPECT_EQ(strides(Layout::Reversed), (Strides{96, 32, -8, 1}));
  Strides padded = strides(Layout::Padded);
  for (int64_t stride : padded)
    EXPECT_EQ(stride % 2, 1);
  EXPECT_GT(padded[2], 8);
  Strides huge = strides(Layout::Huge);
  EXPECT_GT(huge[0], int64_t(1) << 31);
  EXPECT_EQ(huge[3], 1);
}

TEST(HostTensor, HugeUsesTheOutermostDimensionWithTwoIndices) {
  HostTensor tensor = make(ElementType::F16, {1, 3, 4, 8}, Layout::Huge);
  EXPECT_GT(tensor.getStrides()[1], int64_t(1) << 31);
  tensor.set({0, 2, 3, 7}, 5);
  EXPECT_EQ(tensor.get({0, 2, 3, 7}), 5);
  EXPECT_EQ(tensor.countOverwrites(), 0);
  tensor.getAddress({0, 2, 3, 7})[2] = std::byte(0);
  EXPECT_EQ(tensor.countOverwrites(), 1);
}

TEST(HostTensor, EveryIndexHasItsOwnElement) {
  for (Layout layout : {Layout::Dense, Layout::Swapped, Layout::Padded,
                        Layout::Reversed, Layout::Huge}) {
    HostTensor tensor = make(ElementType::F32, {2, 3, 5, 4}, layout);
    std::set<std::byte *> addresses;
    int64_t count = 0;
    tensor.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
      EXPECT_EQ(address, tensor.getAddress(index));
      EXPECT_TRUE(tensor.isPoison(address));
      addresses.insert(address);
      store(ElementType::F32, address, static_cast<double>(count++));
    });
    EXPECT_EQ(count, 120);
    EXPECT_EQ(addresses.size(), 120u) << getName(layout).str();
    EXPECT_EQ(tensor.countOverwrites(), 0);
    std::vector<double> values = tensor.toVector();
    for (int64_t n = 0; n < 120; ++n)
      EXPECT_EQ(values[n], n);
  }
}

TEST(HostTensor, PoisonIsNaNInEveryFloatingType) {
  for (ElementType type : {ElementType::F64, ElementType::F32,
                           ElementType::BF16, ElementType::F16}) {
    HostTensor tensor = make(type, {3});
    EXPECT_TRUE(std::isnan(tensor.get({1})));
    tensor.set({1}, std::nan(""));
    EXPECT_FALSE(tensor.isPoison(tensor.getAddress({1})));
    tensor.poison(tensor.getAddress({1}));
    EXPECT_TRUE(tensor.isPoison(tensor.getAddress({1})));
  }
}

TEST(HostTensor, OverwritesAreCounted) {
  HostTensor tensor = make(ElementType::F32, {2, 3}, Layout::Padded);
  tensor.forEach([](llvm::ArrayRef<int64_t>, std::byte *address) {
    store(ElementType::F32, address, 1);
  });
  EXPECT_EQ(tensor.countOverwrites(), 0);
  // In the gap between rows, before the first element, after the last.
  store(ElementType::F32, tensor.getAddress({0, 3}), 1.0);
  EXPECT_EQ(tensor.countOverwrites(), 4);
  tensor.getData()[-1] = std::byte(0);
  EXPECT_EQ(tensor.countOverwrites(), 5);
  tensor.getAddress({1, 3})[0] = std::byte(0);
  EXPECT_EQ(tensor.countOverwrites(), 6);
  EXPECT_EQ(tensor.get({1, 2}), 1);
}

TEST(HostTensor, NoElementsAndNoDimensions) {
  HostTensor empty = make(ElementType::F32, {2, 0, 4}, Layout::Swapped);
  EXPECT_EQ(empty.getNumElements(), 0);
  EXPECT_NE(empty.getData(), nullptr);
  empty.forEach([](llvm::ArrayRef<int64_t>, std::byte *) { FAIL(); });
  EXPECT_EQ(empty.countOverwrites(), 0);
  HostTensor scalar = make(ElementType::F64, {});
  scalar.set({}, 3);
  EXPECT_EQ(scalar.toVector(), std::vector<double>{3});
}

TEST(HostTensor, RefusedLayouts) {
  EXPECT_EQ(getError(place(Layout::Swapped, {3, 4}).takeError()),
            "layout 'bshd' expected rank 3 or more, got shape 3x4");
  EXPECT_EQ(getError(parseLayout("zigzag").takeError()),
            "unknown layout 'zigzag', expected one of dense, bshd, padded, "
            "broadcast_batch, broadcast_heads, reversed, huge");
  for (Layout layout :
       {Layout::Dense, Layout::Swapped, Layout::Padded, Layout::BroadcastBatch,
        Layout::BroadcastHeads, Layout::Reversed, Layout::Huge}) {
    llvm::Expected<Layout> parsed = parseLayout(getName(layout));
    ASSERT_TRUE(static_cast<bool>(parsed));
    EXPECT_EQ(*parsed, layout);
  }
}
