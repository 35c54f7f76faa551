//===- ClusterTest.cpp - Clusters in the simulator ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which points the thread blocks of a cluster run, and small kernels with
// multicast rings, each wrong in one way, for every order.
//
//===----------------------------------------------------------------------===//

#include "WrongKernels.h"

using namespace mlir;
using namespace mlir::attn::sim;

namespace {
class ClusterFaultsTest : public testing::TestWithParam<Wrong> {};
} // namespace

/// %x, memref<?x64xbf16>, of 256 rows; a ring of two stages; clusters of two.
static std::string getKernel(StringRef body) {
  return R"mlir(
!tensor = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
attn_gpu.kernel @wrong(%x: !tensor) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rank = attn_gpu.cluster_rank
  %first = arith.cmpi eq, %rank, %c0 : index
  %ring = attn_gpu.ring_create multicast : !ring
)mlir" + body.str() +
         "  attn_gpu.return\n}\n";
}

/// On thread blocks of one cluster, or of `blocks`.
static WrongProgram makeProgram(StringRef body, int64_t blocks = 2) {
  return WrongProgram(getKernel(body), blocks);
}

static constexpr char kRight[] = R"mlir(
  scf.for %i = %c0 to %c3 step %c1 {
    attn_gpu.ring_fill %ring[%i] from %x[%c64, %c0] : !ring, !tensor
    %t = attn_gpu.ring_wait %ring[%i] : !ring
    attn_gpu.ring_release %ring[%i] : !ring
  }
)mlir";

TEST_P(ClusterFaultsTest, AreReported) {
  makeProgram(GetParam().body).expectReport(GetParam());
}

TEST_P(ClusterFaultsTest, AreReportedByTheVerifier) {
  EXPECT_TRUE(makeProgram(GetParam().body).isRefusedByTheVerifier());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, ClusterFaultsTest,
    testing::Values(
        Wrong{"FillOfOneBlock", 1, FaultKind::Deadlock,
              "fill 0 of ring 0 (stage 0) to land: 1 of 2 shares have landed",
              R"mlir(
  scf.if %first {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  }
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
)mlir"},
        Wrong{"MoreFillsInOneBlock", 1, FaultKind::Deadlock,
              "block 1, warpgroup 0 waits for fill 1 of ring 0 (stage 1) to "
              "land: 1 of 2 shares have landed, and 2 fills of the ring were "
              "started by this block",
              R"mlir(
  %more = arith.addi %rank, %c1 : index
  scf.for %i = %c0 to %more step %c1 {
    attn_gpu.ring_fill %ring[%i] from %x[%c0, %c0] : !ring, !tensor
    %t = attn_gpu.ring_wait %ring[%i] : !ring
    attn_gpu.ring_release %ring[%i] : !ring
  }
)mlir"},
        Wrong{"TilesOfTheRank", 1, FaultKind::Divergence,
              "puts a share of another tile into fill 0 of ring 0 (stage 0)",
              R"mlir(
  %row = arith.muli %rank, %c64 : index
  attn_gpu.ring_fill %ring[%c0] from %x[%row, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
)mlir"},
        Wrong{"ReleaseOfOneBlock", 1, FaultKind::Deadlock,
              "to be empty, for fill 2 of ring 0 (stage 0): 1 of 2 consumers "
              "gave fill 0 back",
              R"mlir(
  scf.for %i = %c0 to %c3 step %c1 {
    attn_gpu.ring_fill %ring[%i] from %x[%c0, %c0] : !ring, !tensor
    %t = attn_gpu.ring_wait %ring[%i] : !ring
    scf.if %first {
      attn_gpu.ring_release %ring[%i] : !ring
    }
  }
)mlir"},
        Wrong{"NoRelease", 1, FaultKind::Deadlock,
              "for fill 2 of ring 0 (stage 0): 0 of 2 consumers gave fill 0 "
              "back",
              R"mlir(
  scf.for %i = %c0 to %c3 step %c1 {
    attn_gpu.ring_fill %ring[%i] from %x[%c0, %c0] : !ring, !tensor
    %t = attn_gpu.ring_wait %ring[%i] : !ring
  }
)mlir"},
        Wrong{"SecondReleaseOfOneBlock", 1, FaultKind::Signal,
              "block 0, warpgroup 0: gives fill 0 of ring 0 (stage 0) back a "
              "second time",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  %t = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  scf.if %first {
    attn_gpu.ring_release %ring[%c0] : !ring
  }
)mlir"},
        Wrong{"LeftBehindByOneBlock", 1, FaultKind::Signal,
              "block 1, warpgroup 0: is ring 0, of whose 1 fills 0 were given "
              "back",
              R"mlir(
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
  scf.if %first {
    %t = attn_gpu.ring_wait %ring[%c0] : !ring
    attn_gpu.ring_release %ring[%c0] : !ring
  }
)mlir"}),
    [](const testing::TestParamInfo<Wrong> &info) { return info.param.name; });

TEST(Clusters, TheKernelThatIsWrongedIsRight) {
  WrongProgram program = makeProgram(kRight, 4);
  EXPECT_TRUE(findKernelFaults(program.getKernelOp()).empty());
  for (uint64_t seed = 0; seed < 64; ++seed)
    ASSERT_EQ(format(program.run(seed)), "") << seed;
}

TEST(Clusters, ADeadlockIsThatOfAll) {
  WrongProgram program = makeProgram(R"mlir(
  scf.if %first {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, !tensor
    %t = attn_gpu.ring_wait %ring[%c0] : !ring
    attn_gpu.ring_release %ring[%c0] : !ring
  }
)mlir",
                                     4);
  program.forEachOrder([](ArrayRef<Fault> faults) {
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].kind, FaultKind::Deadlock);
    EXPECT_EQ(faults[0].agent, "cluster 0");
    ASSERT_EQ(faults[0].notes.size(), 2u);
    EXPECT_EQ(faults[0].notes[0].second,
              "block 0, warpgroup 0 waits for fill 0 of ring 0 (stage 0) to "
              "land: 1 of 2 shares have landed, and 1 fills of the ring were "
              "started by this block");
    EXPECT_EQ(faults[0].notes[1].second, "block 1, warpgroup 0 is finished");
  });
}

TEST(Clusters, LaunchesOfPartsAreRefused) {
  std::vector<Fault> faults = makeProgram(kRight, 3).run(0);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::Unsupported);
  EXPECT_EQ(faults[0].text, "expected a multiple of 2 thread blocks, those of "
                            "a cluster, got 3");
}

/// Thread block r of a cluster writes, for each of its points p, the number
/// 10 p + r to 64 rows from 64 (4 p + r) on.
static constexpr char kPoints[] = R"mlir(
!tensor = memref<?x1xf32>
attn_gpu.kernel @points(%to: !tensor, %points: index) warpgroups 1 cluster 4 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  attn_gpu.work_loop (%p) in (%points) schedule strided {
    %rank = attn_gpu.cluster_rank
    %first = arith.muli %p, %c4 : index
    %tile = arith.addi %first, %rank : index
    %row = arith.muli %tile, %c64 : index
    %tens = arith.muli %p, %c10 : index
    %number = arith.addi %tens, %rank : index
    %int = arith.index_cast %number : index to i32
    %float = arith.sitofp %int : i32 to f32
    %value = vector.broadcast %float : f32 to vector<64x1xf32>
    attn_gpu.write %value to %to[%row, %c0] : vector<64x1xf32>, !tensor
  }
  attn_gpu.return
}
)mlir";

TEST(Clusters, AllBlocksOfOneRunTheSamePoints) {
  Program program(kPoints);
  for (int64_t points : {0, 1, 2, 5})
    for (int64_t clusters : {1, 2, 3})
      for (uint64_t seed = 0; seed < 8; ++seed) {
        SCOPED_TRACE(testing::Message()
                     << points << " points, " << clusters << " clusters");
        HostTensor to(Element::F32, {points * 4 * 64, 1});
        Options options;
        options.seed = seed;
        options.blocks = clusters * 4;
        options.blocksAtOnce = 1 + seed % 3;
        ASSERT_EQ(format(simulate(program.getKernel(), {to.getTensor(), points},
                                  options)),
                  "");
        std::vector<double> values = to.getValues();
        for (int64_t row = 0; row < points * 4 * 64; ++row)
          ASSERT_EQ(values[row], row / 256 * 10 + row / 64 % 4) << row;
      }
}
