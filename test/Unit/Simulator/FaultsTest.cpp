//===- FaultsTest.cpp - What the simulator reports ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels, each wrong in one way, and what is said of them, for every
// order in which they may run.
//
//===----------------------------------------------------------------------===//

#include "WrongKernels.h"

using namespace mlir;
using namespace mlir::attn::sim;

namespace {
class FaultsTest : public testing::TestWithParam<Wrong> {};
} // namespace

/// %x and %y, memref<?x64xbf16>, of 256 rows; a ring of two stages.
static std::string getKernel(int64_t warpgroups, StringRef body) {
  return R"mlir(
!tensor = memref<?x64xbf16, strided<[?, 1]>>
!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
!f16 = vector<64x64xbf16>
!f32 = vector<64x64xf32>
attn_gpu.kernel @wrong(%x: !tensor, %y: !tensor) warpgroups )mlir" +
         std::to_string(warpgroups) + R"mlir( {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %w = attn_gpu.warpgroup_index
  %mine = arith.muli %w, %c64 : index
  %ring = attn_gpu.ring_create : !ring
)mlir" + body.str() +
         "  attn_gpu.return\n}\n";
}

TEST_P(FaultsTest, AreReported) {
  WrongProgram(getKernel(GetParam().warpgroups, GetParam().body))
      .expectReport(GetParam());
}

/// What only a run can tell: numbers, places, steps, and two tiles that are the
/// same memory.
static bool isReportedWithoutARun(const Wrong &wrong) {
  switch (wrong.kind) {
  case FaultKind::Race:
  case FaultKind::Bounds:
  case FaultKind::TooLong:
  case FaultKind::Unsupported:
    return false;
  default:
    return true;
  }
}

TEST_P(FaultsTest, AreReportedByTheVerifierUnlessOnlyARunCanTell) {
  WrongProgram program(getKernel(GetParam().warpgroups, GetParam().body));
  if (isReportedWithoutARun(GetParam())) {
    EXPECT_TRUE(program.isRefusedByTheVerifier());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, FaultsTest,
    testing::Values(
        Wrong{"ReleaseUnderProduct", 1, FaultKind::InFlight,
              "gives fill 0 of ring 0 (stage 0) back while a product in flight "
              "reads it",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
  attn_gpu.ring_release %ring[%c0] : !ring
  %r = attn_gpu.mma_wait %s : !f32
)mlir"},
        Wrong{"ProductAfterRelease", 1, FaultKind::Stale,
              "after this warpgroup has given it back", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
  %r = attn_gpu.mma_wait %s : !f32
)mlir"},
        Wrong{"LoadAfterRefill", 1, FaultKind::Stale,
              "has been overwritten by fill 2", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_fill %ring[%c1] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.ring_fill %ring[%c2] from %x[%c0, %c0] : !ring, !tensor
  %u = attn_gpu.ring_wait %ring[%c2] : !ring
  %a = attn_gpu.load_fragment %t : !tile -> !f16
)mlir"},
        Wrong{"WaitForNoFill", 1, FaultKind::Deadlock,
              "waits for fill 1 of ring 0 (stage 1) to land: 1 fills of "
              "the ring were started",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c1] : !ring
)mlir"},
        Wrong{"FillThatNobodyReleases", 1, FaultKind::Deadlock,
              "0 of 1 consumers gave fill 0 back", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_fill %ring[%c1] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_fill %ring[%c2] from %x[%c0, %c0] : !ring, !tensor
)mlir"},
        Wrong{"WaitTwoPhasesAhead", 1, FaultKind::Signal,
              "its barrier is phases away", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  %u = attn_gpu.ring_wait %ring[%c4] : !ring
)mlir"},
        Wrong{"WaitTwoPhasesBehind", 1, FaultKind::Deadlock,
              "waits for fill 0 of ring 0", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_fill %ring[%c1] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.ring_fill %ring[%c2] from %x[%c0, %c0] : !ring, !tensor
  %u = attn_gpu.ring_wait %ring[%c2] : !ring
  %v = attn_gpu.ring_wait %ring[%c0] : !ring
)mlir"},
        Wrong{"ReleaseWithoutWait", 1, FaultKind::Signal,
              "back without having waited for it", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_release %ring[%c0] : !ring
)mlir"},
        Wrong{"ReleaseTwice", 1, FaultKind::Signal, "back a second time",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
)mlir"},
        Wrong{"ReleaseNever", 1, FaultKind::Signal,
              "of whose 1 fills 0 were given back", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
)mlir"},
        Wrong{"FillTwice", 1, FaultKind::Signal,
              "starts fill 0 of ring 0 (stage 0), but fill 1 comes next",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
)mlir"},
        Wrong{"ProductLeftPending", 1, FaultKind::InFlight,
              "leaves 1 products in flight, its own among them", R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
  %r = attn_gpu.mma_wait %s pending 1 : !f32
)mlir"},
        Wrong{"ProductNeverWaitedFor", 1, FaultKind::InFlight,
              "is a product that nobody waited for", R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
)mlir"},
        Wrong{"ProductWaitedForTwice", 1, FaultKind::InFlight,
              "waits for a product a second time", R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
  %r = attn_gpu.mma_wait %s : !f32
  %q = attn_gpu.mma_wait %s : !f32
)mlir"},
        Wrong{"ReadUnderProduct", 1, FaultKind::InUse,
              "overwrites a tile that a product in flight reads", R"mlir(
  %none = arith.constant dense<0.0> : !f32
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %none) -> (!f32) {
    %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
    %s = attn_gpu.mma %t, %t : !tile, !tile -> !f32
    scf.yield %a : !f32
  }
)mlir"},
        Wrong{"ReadsAtOtherPlaces", 2, FaultKind::Divergence,
              "has other offsets than in", R"mlir(
  %t = attn_gpu.read %x[%mine, %c0] : !tensor -> !tile
)mlir"},
        Wrong{"ReadsOfOneWarpgroup", 2, FaultKind::Deadlock,
              "waits for the other warpgroups to come to this read", R"mlir(
  %first = arith.cmpi eq, %w, %c0 : index
  scf.if %first {
    %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  }
)mlir"},
        Wrong{"WritesOfOneElement", 2, FaultKind::Race,
              "that another warpgroup has written", R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %a = attn_gpu.load_fragment %t : !tile -> !f16
  attn_gpu.write %a to %y[%c0, %c0] : !f16, !tensor
)mlir"},
        Wrong{"CopyOfWhatIsWritten", 1, FaultKind::Race,
              "copies elements that were written in this launch", R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %a = attn_gpu.load_fragment %t : !tile -> !f16
  attn_gpu.write %a to %y[%c0, %c0] : !f16, !tensor
  attn_gpu.ring_fill %ring[%c0] from %y[%c0, %c0] : !ring, !tensor
  %u = attn_gpu.ring_wait %ring[%c0] : !ring
)mlir"},
        Wrong{"StoreUnderCopy", 1, FaultKind::InUse,
              "overwrites what a copy to global memory may still read", R"mlir(
  %stage = attn_gpu.tile_create : !tile
  %a = arith.constant dense<1.0> : !f16
  attn_gpu.store_fragment %a to %stage : !f16, !tile
  attn_gpu.copy_out %stage to %y[%c0, %c0] : !tile, !tensor
  attn_gpu.store_fragment %a to %stage : !f16, !tile
  attn_gpu.copy_wait
)mlir"},
        Wrong{"StoreUnderProduct", 1, FaultKind::InUse,
              "overwrites what a product in flight reads", R"mlir(
  %stage = attn_gpu.tile_create : !tile
  %a = arith.constant dense<1.0> : !f16
  attn_gpu.store_fragment %a to %stage : !f16, !tile
  %s = attn_gpu.mma %stage, %stage : !tile, !tile -> !f32
  attn_gpu.store_fragment %a to %stage : !f16, !tile
  %r = attn_gpu.mma_wait %s : !f32
)mlir"},
        Wrong{"CopyNeverWaitedFor", 1, FaultKind::Signal,
              "is a copy whose end nobody waited for", R"mlir(
  %stage = attn_gpu.tile_create : !tile
  %a = arith.constant dense<1.0> : !f16
  attn_gpu.store_fragment %a to %stage : !f16, !tile
  attn_gpu.copy_out %stage to %y[%c0, %c0] : !tile, !tensor
  attn_gpu.copy_wait read
)mlir"},
        Wrong{"ReleaseUnderCopy", 1, FaultKind::InUse,
              "back while a copy to global memory may read it", R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.copy_out %t to %y[%c0, %c0] : !tile, !tensor
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.copy_wait
)mlir"},
        Wrong{"CopiesOfOneElement", 2, FaultKind::Race,
              "that another warpgroup has written", R"mlir(
  %stage = attn_gpu.tile_create : !tile
  attn_gpu.copy_out %stage to %y[%c0, %c0] : !tile, !tensor
  attn_gpu.copy_wait
)mlir"},
        Wrong{"TurnPassedWithoutTurn", 2, FaultKind::Turn,
              "passes a turn that it has not got", R"mlir(
  attn_gpu.turn_pass
)mlir"},
        Wrong{"TurnNotPassed", 2, FaultKind::Deadlock, "waits for its turn",
              R"mlir(
  attn_gpu.turn_wait
)mlir"},
        Wrong{"TurnsOfOneConsumer", 2, FaultKind::Turn,
              "has had 0 turns, others 1", R"mlir(
  %first = arith.cmpi eq, %w, %c0 : index
  scf.if %first {
    attn_gpu.turn_wait
    attn_gpu.turn_pass
  }
)mlir"},
        Wrong{"RowsOutsideOfATile", 1, FaultKind::Bounds,
              "within the source's 64, from a multiple of 8, got [64, 128)",
              R"mlir(
  %t = attn_gpu.read %x[%c0, %c0] : !tensor -> !tile
  %u = attn_gpu.subtile %t[%c64] : !tile -> !tile
)mlir"},
        Wrong{"DivisionByZero", 1, FaultKind::Bounds, "divides by 0", R"mlir(
  %none = arith.divui %c1, %mine : index
)mlir"},
        Wrong{"Endless", 1, FaultKind::TooLong, "runs longer than allowed",
              R"mlir(
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
)mlir"},
        Wrong{"UnknownOperation", 1, FaultKind::Unsupported,
              "is not an operation that the simulator knows", R"mlir(
  %true = arith.constant true
  cf.assert %true, "true"
)mlir"}),
    [](const testing::TestParamInfo<Wrong> &info) { return info.param.name; });

TEST(Faults, OfRolesNameTheConsumer) {
  // Consumer 1 keeps what the producer wants to fill again.
  WrongProgram program(getKernel(2, R"mlir(
  attn_gpu.warp_specialize producer 24 {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
    attn_gpu.ring_fill %ring[%c1] from %x[%c0, %c0] : !ring, !tensor
    attn_gpu.ring_fill %ring[%c2] from %x[%c0, %c0] : !ring, !tensor
  } consumers 240 {
    %t = attn_gpu.ring_wait %ring[%c0] : !ring
    %first = arith.cmpi eq, %w, %c0 : index
    scf.if %first {
      attn_gpu.ring_release %ring[%c0] : !ring
    }
    %u = attn_gpu.ring_wait %ring[%c2] : !ring
  }
)mlir"));
  program.forEachOrder([](ArrayRef<Fault> faults) {
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].kind, FaultKind::Deadlock);
    ASSERT_EQ(faults[0].notes.size(), 3u);
    EXPECT_EQ(faults[0].notes[0].second,
              "block 0, producer waits for stage 0 of ring 0 to be empty, for "
              "fill 2 of ring 0 (stage 0): 1 of 2 consumers gave fill 0 back");
    EXPECT_EQ(faults[0].notes[2].second,
              "block 0, consumer 1 waits for fill 2 of ring 0 (stage 0) to "
              "land: 2 fills of the ring were started");
  });
}

TEST(Faults, OfArgumentsAreReportedAllAtOnce) {
  Program program(getKernel(1, ""));
  HostTensor x(Element::BF16, {256, 32});
  std::vector<Fault> faults =
      simulate(program.getKernel(), {x.getTensor(), int64_t(3)}, {});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].text, "argument 0 expected memref<?x64xbf16, "
                            "strided<[?, 1]>>, got an extent of 32");
  EXPECT_EQ(faults[1].text, "argument 1 expected memref<?x64xbf16, "
                            "strided<[?, 1]>>, got an integer");
}
