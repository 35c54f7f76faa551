//===- OverlapTest.cpp - Tests of overlap between strided views -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every answer is compared with an enumeration of the bytes: a pair that
// overlaps must never be called apart, and layouts in use must be recognised.
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace attn::rt;

namespace {

struct Layout {
  uintptr_t address;
  int64_t bytes;
  std::vector<int64_t> sizes, strides;

  View view() const {
    return {address, bytes, static_cast<int32_t>(sizes.size()), sizes.data(),
            strides.data()};
  }

  /// The address of every element, in index order.
  std::vector<uintptr_t> elements() const {
    std::vector<uintptr_t> result = {address};
    for (size_t d = 0; d < sizes.size(); ++d) {
      std::vector<uintptr_t> next;
      for (uintptr_t base : result)
        for (int64_t i = 0; i < sizes[d]; ++i)
          next.push_back(base + static_cast<uintptr_t>(i * strides[d] * bytes));
      result = next;
    }
    return result;
  }
};

bool overlapsItself(const Layout &layout) {
  std::vector<uintptr_t> elements = layout.elements();
  std::set<uintptr_t> distinct(elements.begin(), elements.end());
  return distinct.size() != elements.size();
}

bool overlaps(const Layout &a, const Layout &b) {
  std::set<uintptr_t> bytes;
  for (uintptr_t element : a.elements())
    for (int64_t i = 0; i < a.bytes; ++i)
      bytes.insert(element + i);
  for (uintptr_t element : b.elements())
    for (int64_t i = 0; i < b.bytes; ++i)
      if (bytes.count(element + i))
        return true;
  return false;
}

} // namespace

TEST(Overlap, Spans) {
  Span span;
  Layout dense = {1000, 4, {2, 3}, {3, 1}};
  ASSERT_TRUE(computeSpan(dense.view(), span));
  EXPECT_EQ(span.begin, 0);
  EXPECT_EQ(span.end, 24);
  Layout reversed = {1000, 4, {2, 3}, {-3, 1}};
  ASSERT_TRUE(computeSpan(reversed.view(), span));
  EXPECT_EQ(span.begin, -12);
  EXPECT_EQ(span.end, 12);
  // The stride of a dimension of one element is never used.
  Layout one = {1000, 4, {1}, {INT64_MIN}};
  ASSERT_TRUE(computeSpan(one.view(), span));
  EXPECT_EQ(span.end, 4);
  Layout huge = {1000, 4, {3}, {INT64_MAX / 4}};
  EXPECT_FALSE(computeSpan(huge.view(), span));
  Layout both = {1000, 1, {2, 2}, {INT64_MAX - 10, INT64_MIN + 10}};
  EXPECT_FALSE(computeSpan(both.view(), span));
}

TEST(Overlap, LayoutsInUseDoNotOverlapThemselves) {
  EXPECT_FALSE(mayOverlapItself(Layout{0, 4, {2, 3, 5}, {15, 5, 1}}.view()));
  // Heads inside the sequence, seen as [B, H, S, D]; padded rows; reversed.
  EXPECT_FALSE(
      mayOverlapItself(Layout{0, 2, {2, 3, 5, 8}, {120, 8, 24, 1}}.view()));
  EXPECT_FALSE(mayOverlapItself(Layout{0, 4, {7, 5}, {8, 1}}.view()));
  EXPECT_FALSE(mayOverlapItself(Layout{99, 4, {7, 5}, {-5, 1}}.view()));
  EXPECT_FALSE(mayOverlapItself(Layout{0, 4, {1, 5}, {0, 1}}.view()));
  EXPECT_FALSE(mayOverlapItself(Layout{0, 4, {}, {}}.view()));
}

TEST(Overlap, SharedElementsAreFound) {
  EXPECT_TRUE(mayOverlapItself(Layout{0, 4, {2, 5}, {0, 1}}.view()));
  EXPECT_TRUE(mayOverlapItself(Layout{0, 4, {2, 5}, {4, 1}}.view()));
  EXPECT_TRUE(mayOverlapItself(Layout{0, 4, {2, 2}, {1, 1}}.view()));
  EXPECT_TRUE(mayOverlapItself(Layout{9, 4, {2, 2}, {-1, 1}}.view()));
}

TEST(Overlap, PartsOfAPackedTensorAreApart) {
  // [B=2, S=3, 3, H=2, D=4]: three views [B, H, S, D].
  std::vector<Layout> parts;
  for (uintptr_t part = 0; part < 3; ++part)
    parts.push_back({part * 8 * 4, 4, {2, 2, 3, 4}, {72, 4, 24, 1}});
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      ASSERT_EQ(overlaps(parts[i], parts[j]), i == j);
      EXPECT_EQ(mayOverlap(parts[i].view(), parts[j].view()), i == j);
    }
}

TEST(Overlap, NeverMissesOne) {
  std::mt19937 random(20240607);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int apart = 0, together = 0, proved = 0, alone = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Layout layouts[2];
    for (Layout &layout : layouts) {
      layout.address = 4000 + pick(0, 60);
      layout.bytes = int64_t(1) << pick(0, 2);
      int64_t rank = pick(0, 3);
      for (int64_t d = 0; d < rank; ++d) {
        layout.sizes.push_back(pick(1, 4));
        layout.strides.push_back(pick(-12, 12));
      }
      bool answer = mayOverlapItself(layout.view());
      if (overlapsItself(layout)) {
        ASSERT_TRUE(answer) << "trial " << trial;
      }
      alone += !answer;
    }
    bool answer = mayOverlap(layouts[0].view(), layouts[1].view());
    ASSERT_EQ(answer, mayOverlap(layouts[1].view(), layouts[0].view()));
    if (overlaps(layouts[0], layouts[1])) {
      ASSERT_TRUE(answer) << "trial " << trial;
      ++together;
    } else {
      ++apart;
      proved += !answer;
    }
  }
  // The trials mean something: both answers are frequent.
  EXPECT_GT(together, 1000);
  EXPECT_GT(apart, 1000);
  EXPECT_GT(proved, apart / 2);
  EXPECT_GT(alone, 1000);
}
