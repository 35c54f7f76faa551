//===- LocalTrafficTest.cpp - local memory accesses of machine code -------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops found in machine code that ptxas made and in code written here.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/LocalTraffic.h"
#include "Inputs.h"
#include "llvm/ADT/SmallVector.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

namespace {

/// Instructions, as nvdisasm shows them in hexadecimal.
class Code {
public:
  void add(uint64_t low, uint64_t high) {
    for (uint64_t word : {low, high})
      for (int i = 0; i < 8; ++i)
        bytes.push_back(word >> (8 * i));
  }
  void nop() { add(0x7918, 0x000fc00000000000); }
  void exit() { add(0x794d, 0x000fea0003800000); }
  void exitIf() { add(0x094d, 0x000fea0003800000); }
  void store() { add(0x0000700201007387, 0x000fe20000100800); }
  void load64() { add(0x0000700001027983, 0x000ea20000300a00); }
  /// A jump over `distance` instructions, counted from the next one.
  void jump(int64_t distance, bool guarded = false) {
    uint64_t count = uint64_t(distance * 4) & ((uint64_t(1) << 56) - 1);
    add((guarded ? 0x0947 : 0x7947) | (count & 0xff) << 16 |
            ((count >> 8) & 0x3fffffff) << 34,
        0x000fea0003800000 | (count >> 38));
  }
  void bssy(int64_t distance) {
    add(0x7945 | uint64_t(distance * 16) << 32, 0x000fe20003800000);
  }
  void wgmma() { add(0x01e00000041879f0, 0x000fe20008701818); }
  void bsync() { add(0x7941, 0x000fea0003800000); }

  std::optional<LocalTraffic> find() const { return findLocalTraffic(bytes); }

private:
  SmallVector<uint8_t> bytes;
};

Code readCode(StringRef name) {
  Code code;
  StringRef text = readInput(name);
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    uint64_t low = 0, high = 0;
    EXPECT_FALSE(line.split(' ').first.getAsInteger(16, low));
    EXPECT_FALSE(line.split(' ').second.getAsInteger(16, high));
    code.add(low, high);
  }
  return code;
}

} // namespace

/// Every store is in the loop but the load is after it; the loop that ends the
/// function, a jump to itself, is no part of the program.
TEST(LocalTraffic, ArrayFromPtxas) {
  auto traffic = readCode("sass_array.hex").find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->storeBytes, 28);
  EXPECT_EQ(traffic->loadBytes, 4);
  EXPECT_EQ(traffic->loopStoreBytes, 16);
  EXPECT_EQ(traffic->loopLoadBytes, 0);
}

/// Without local accesses there is nothing to place, jumps or not.
TEST(LocalTraffic, CallsFromPtxas) {
  auto traffic = readCode("sass_calls.hex").find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->storeBytes, 0);
}

TEST(LocalTraffic, CallMakesPlacesUnknown) {
  Code code = readCode("sass_calls.hex");
  code.store();
  EXPECT_FALSE(code.find());
}

TEST(LocalTraffic, BeforeInAndAfterALoop) {
  Code code;
  code.store();
  code.load64();
  code.store();
  code.jump(-3, /*guarded=*/true);
  code.load64();
  code.load64();
  code.exit();
  auto traffic = code.find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->storeBytes, 8);
  EXPECT_EQ(traffic->loadBytes, 24);
  EXPECT_EQ(traffic->loopStoreBytes, 4);
  EXPECT_EQ(traffic->loopLoadBytes, 8);
}

/// A persistent kernel: a loop over tiles around a loop over keys with wgmma
/// and, in it, the loop of a wait.
TEST(LocalTraffic, LoopsInLoops) {
  Code code;
  code.nop();
  code.store(); // 1: of the tile
  code.nop();   // 2
  code.wgmma(); // 3: of the keys
  code.load64();
  code.nop();                      // 5: of the wait
  code.store();                    // 6
  code.jump(-3, /*guarded=*/true); // 7: to 5
  code.jump(-7, /*guarded=*/true); // 8: to 2
  code.store();
  code.wgmma();
  code.jump(-11, /*guarded=*/true); // 11: to 1
  code.load64();
  code.exit();
  auto traffic = code.find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->storeBytes, 12);
  EXPECT_EQ(traffic->loadBytes, 16);
  EXPECT_EQ(traffic->loopStoreBytes, 12);
  EXPECT_EQ(traffic->loopLoadBytes, 8);
  EXPECT_EQ(traffic->mainLoopStoreBytes, 4);
  EXPECT_EQ(traffic->mainLoopLoadBytes, 8);
}

/// Entered in two places: still one loop, whose parts have no loops.
TEST(LocalTraffic, LoopWithTwoEntries) {
  Code code;
  code.jump(2, /*guarded=*/true);
  code.wgmma();
  code.nop();
  code.store();
  code.jump(-4, /*guarded=*/true);
  code.exit();
  auto traffic = code.find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->loopStoreBytes, 4);
  EXPECT_EQ(traffic->mainLoopStoreBytes, 4);
}

/// The retry of a wait stands after the end and jumps back to before what is
/// not in any loop: no loop of everything between.
TEST(LocalTraffic, RetryPathOutOfLine) {
  Code code;
  code.nop();
  code.jump(4, /*guarded=*/true); // to the retry
  code.store();
  code.load64();
  code.exit();
  code.nop();
  code.jump(-6, /*guarded=*/true); // the retry: again
  code.jump(-6);                   // and on
  auto traffic = code.find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->storeBytes, 4);
  EXPECT_EQ(traffic->loopStoreBytes, 0);
  EXPECT_EQ(traffic->loopLoadBytes, 0);
}

/// An unconditional jump and an unconditional exit do not fall through; a
/// guarded exit does.
TEST(LocalTraffic, FallThrough) {
  for (bool guarded : {false, true}) {
    Code code;
    code.nop();
    guarded ? code.exitIf() : code.exit();
    code.store();
    code.jump(-4);
    auto traffic = code.find();
    ASSERT_TRUE(traffic);
    EXPECT_EQ(traffic->loopStoreBytes, guarded ? 4 : 0);
  }
}

/// Threads go on where the convergence barrier says, here back into a loop.
TEST(LocalTraffic, ConvergenceBarrier) {
  Code code;
  code.bssy(1); // releases at the store
  code.jump(4); // out of line
  code.store();
  code.jump(-4, /*guarded=*/true);
  code.exit();
  code.nop();
  code.bsync();
  code.exit();
  auto traffic = code.find();
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->loopStoreBytes, 4);
}

TEST(LocalTraffic, WhatMakesNoSense) {
  Code outside;
  outside.store();
  outside.jump(100);
  EXPECT_FALSE(outside.find());
  EXPECT_FALSE(findLocalTraffic({}));
  uint8_t odd[24] = {};
  EXPECT_FALSE(findLocalTraffic(odd));
  EXPECT_TRUE(findLocalTrafficOfCubin("").empty());
  EXPECT_TRUE(findLocalTrafficOfCubin(std::string(100, 'x')).empty());
  std::string header(64, '\0');
  header.replace(0, 4,
                 "\x7f"
                 "ELF");
  EXPECT_TRUE(findLocalTrafficOfCubin(header).empty());
}
