//===- CNamesTest.cpp - Tests of names that C takes -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names that collide with what generated code calls, and the nearest others.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CNames.h"
#include <gtest/gtest.h>

using namespace mlir::attn;
using llvm::StringRef;

TEST(CNames, Identifiers) {
  for (StringRef name : {"a", "_a", "A9_", "my_function"})
    EXPECT_TRUE(isCIdentifier(name)) << name.str();
  for (StringRef name :
       {StringRef(""), StringRef("9a"), StringRef("a-b"), StringRef("a b"),
        StringRef("\xc3\xa4"), StringRef("a\0b", 3), StringRef("int"),
        StringRef("class"), StringRef("restrict")})
    EXPECT_FALSE(isCIdentifier(name)) << name.str();
}

/// With these names the header did not compile by itself.
TEST(CNames, OfHeadersAndCompilers) {
  for (StringRef name :
       {"AttnRtTensor", "AttnRtStatus", "ATTN_RT_OK", "int64_t", "uint8_t",
        "uint_fast16_t", "intptr_t", "INT32_MAX", "UINT64_C", "SIZE_MAX",
        "size_t", "NULL", "typeof", "linux", "unix"}) {
    EXPECT_FALSE(isCIdentifier(name)) << name.str();
    EXPECT_NE(explainBadFunctionName(name), "") << name.str();
    EXPECT_TRUE(isCIdentifier(makeCIdentifier(name))) << name.str();
    EXPECT_EQ(explainBadFunctionName(makeFunctionName(name)), "") << name.str();
  }
  for (StringRef name :
       {"interval", "unit", "uint", "block_size_t", "attn", "linux_kernel"})
    EXPECT_TRUE(isCIdentifier(name)) << name.str();
}

TEST(CNames, NearestIdentifier) {
  EXPECT_EQ(makeCIdentifier("q.1"), "q_1");
  EXPECT_EQ(makeCIdentifier("1st"), "_1st");
  EXPECT_EQ(makeCIdentifier(""), "_");
  EXPECT_EQ(makeCIdentifier("int"), "int_");
  EXPECT_EQ(makeCIdentifier(StringRef("a\0b", 3)), "a_b");
}

/// Functions of these names took the place of what generated code calls.
TEST(CNames, FunctionsOfLibraries) {
  for (StringRef name :
       {"exp", "expf", "expl", "exp2", "erfc", "erfcf", "lroundl", "fma",
        "malloc", "calloc", "free", "aligned_alloc", "memcpy", "memset",
        "abort", "printf", "pthread_create", "time"})
    EXPECT_EQ(explainBadFunctionName(name),
              "is a function of the C library, which compiled code calls")
        << name.str();
  for (StringRef name : {"main", "attn_rt_fail", "attn_rt_anything", "__divti3",
                         "_start", "_x", "", "a.b", "for"})
    EXPECT_NE(explainBadFunctionName(name), "") << name.str();
  for (StringRef name : {"attention", "prefill", "f", "expert", "memory",
                         "attn_run", "timef1", "mainly", "l", "x_"})
    EXPECT_EQ(explainBadFunctionName(name), "") << name.str();
}

TEST(CNames, NearestFunctionName) {
  EXPECT_EQ(makeFunctionName("exp"), "attn_exp");
  EXPECT_EQ(makeFunctionName("my-function"), "my_function");
  EXPECT_EQ(makeFunctionName("__x"), "x");
  EXPECT_EQ(makeFunctionName("__exp"), "attn_exp");
  EXPECT_EQ(makeFunctionName("_int"), "int_");
  EXPECT_EQ(makeFunctionName("attn_rt_fail"), "attn_fail");
  EXPECT_EQ(makeFunctionName("1st"), "f1st");
  EXPECT_EQ(makeFunctionName(""), "f");
  EXPECT_EQ(makeFunctionName("kept"), "kept");
  for (StringRef name : {"", "_", "__", "9", "exp", "attn_rt_", "_main", "do"})
    EXPECT_EQ(explainBadFunctionName(makeFunctionName(name)), "") << name.str();
}
