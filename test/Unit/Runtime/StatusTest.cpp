//===- StatusTest.cpp - Tests of error codes and texts --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of all codes; whose text it is and how long it lives.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Status.h"

#include "ErrorText.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>

TEST(Status, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int32_t code = ATTN_RT_OK; code <= ATTN_RT_DEVICE_ERROR; ++code)
    EXPECT_TRUE(names.insert(attn_rt_status_name(code)).second) << code;
  EXPECT_EQ(names.count("unknown status"), 0u);
  EXPECT_STREQ(attn_rt_status_name(ATTN_RT_DEVICE_ERROR + 1), "unknown status");
  EXPECT_STREQ(attn_rt_status_name(-1), "unknown status");
}

TEST(Status, TextIsPerThread) {
  EXPECT_EQ(attn_rt_fail(ATTN_RT_INVALID_VALUE, "mine"), ATTN_RT_INVALID_VALUE);
  std::thread([] {
    EXPECT_STREQ(attn_rt_last_error(), "");
    attn_rt_fail(ATTN_RT_INTERNAL, "other");
    EXPECT_STREQ(attn_rt_last_error(), "other");
  }).join();
  EXPECT_STREQ(attn_rt_last_error(), "mine");
}

TEST(Status, FailCopiesAndAcceptsItsOwnText) {
  std::string text = "first";
  attn_rt_fail(ATTN_RT_INTERNAL, text.c_str());
  text = "xxxxx";
  EXPECT_STREQ(attn_rt_last_error(), "first");
  // Passing an error on, as a caller that wraps a compiled function may.
  EXPECT_EQ(attn_rt_fail(ATTN_RT_INTERNAL, attn_rt_last_error()),
            ATTN_RT_INTERNAL);
  EXPECT_STREQ(attn_rt_last_error(), "first");
  attn_rt_fail(ATTN_RT_OUT_OF_MEMORY, nullptr);
  EXPECT_STREQ(attn_rt_last_error(), "out of memory");
}

TEST(Status, LongTextsAreNotCut) {
  attn::rt::clearErrorText();
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    attn::rt::appendErrorText("line %d\n", i);
    expected += "line " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(attn_rt_last_error(), expected);
  attn_rt_fail(ATTN_RT_INTERNAL, std::string(100000, 'x').c_str());
  EXPECT_EQ(attn_rt_last_error(), std::string(100000, 'x'));
}
