//===- KernelPlanTest.cpp - What a kernel needs of a thread block ---------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, barriers, maps and threads of kernels with reads, rings and roles.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Analysis/KernelPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
class KernelPlanTest : public ::testing::Test {
protected:
  KernelPlanTest() {
    context.loadDialect<AttnGPUDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  /// The plan of the kernel in `text`, which stays alive with the test.
  KernelPlan plan(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    kernel = *module->getOps<KernelOp>().begin();
    FailureOr<KernelPlan> plan = KernelPlan::get(kernel);
    EXPECT_TRUE(succeeded(plan));
    return *plan;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
};

TEST(TileMapPlan, BoxesDivideTilesWhereTheSwizzleStartsAnew) {
  for (int64_t rows = 8; rows <= 2048; rows += 8) {
    int64_t box = TileMapPlan::getBoxRows(rows);
    EXPECT_EQ(rows % box, 0) << rows;
    EXPECT_EQ(box % 8, 0) << rows;
    EXPECT_LE(box, 256) << rows;
    // No greater one would do.
    for (int64_t more = box + 8; more <= 256; more += 8)
      EXPECT_NE(rows % more, 0) << rows << " in boxes of " << more;
  }
  EXPECT_EQ(TileMapPlan::getBoxRows(256), 256);
  EXPECT_EQ(TileMapPlan::getBoxRows(264), 88);
}

TEST_F(KernelPlanTest, MemoryOfReadsAndRingsDoesNotOverlap) {
  KernelPlan plan = this->plan(R"(
    attn_gpu.kernel @k(%a: memref<?x64xbf16>, %n: index) warpgroups 3 {
      %c0 = arith.constant 0 : index
      %r0 = attn_gpu.ring_create
          : !attn_gpu.ring<3 x !attn_gpu.tile<72x64xbf16>>
      %r1 = attn_gpu.ring_create
          : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16, panel_rows = 128>>
      %t = attn_gpu.read %a[%c0, %c0] : memref<?x64xbf16>
          -> !attn_gpu.tile<8x64xbf16>
      attn_gpu.return
    })");
  ASSERT_EQ(plan.getRings().size(), 2u);
  std::map<int64_t, int64_t> used; // begin, end
  auto use = [&](int64_t begin, int64_t bytes) {
    auto next = used.lower_bound(begin);
    EXPECT_TRUE(next == used.end() || begin + bytes <= next->first);
    EXPECT_TRUE(next == used.begin() || std::prev(next)->second <= begin);
    used[begin] = begin + bytes;
    EXPECT_LE(begin + bytes, plan.getSharedBytes());
  };
  ReadOp read = *kernel.getBody().getOps<ReadOp>().begin();
  EXPECT_EQ(plan.getRead(read).offset % 1024, 0);
  use(plan.getRead(read).offset, 8 * 128);
  for (const RingPlan &ring : plan.getRings())
    for (int64_t stage = 0; stage < ring.stages; ++stage) {
      int64_t tile = ring.offset + stage * ring.stageBytes;
      EXPECT_EQ(tile % 1024, 0);
      use(tile, ring.stageBytes);
      use(ring.getFullBarrier(stage), 8);
      use(ring.getEmptyBarrier(stage), 8);
    }
  EXPECT_EQ(plan.getRings()[0].copiedBytes, 72 * 128);
  EXPECT_EQ(plan.getRings()[1].stageBytes, 128 * 128);
  EXPECT_EQ(plan.getRings()[1].copiedBytes, 64 * 128);
  EXPECT_EQ(plan.getSharedBytes(), (8 + 3 * 72 + 2 * 128) * 128 + 10 * 8);
  EXPECT_EQ(plan.getThreads(), 384);
  EXPECT_EQ(plan.getEmptyArrivals(), 12);
}

TEST_F(KernelPlanTest, OfClustersRingsHaveSharers) {
  KernelPlan plan = this->plan(R"(
    !ring = !attn_gpu.ring<2 x !attn_gpu.tile<80x64xbf16>>
    !t = memref<?x64xbf16>
    attn_gpu.kernel @k(%n: index, %a: !t) warpgroups 2 cluster 2 {
      %shared = attn_gpu.ring_create multicast : !ring
      %own = attn_gpu.ring_create : !ring
      attn_gpu.ring_fill %shared[%n] from %a[%n, %n] : !ring, !t
      attn_gpu.ring_fill %own[%n] from %a[%n, %n] : !ring, !t
      attn_gpu.return
    })");
  EXPECT_EQ(plan.getCluster(), 2);
  ASSERT_EQ(plan.getRings().size(), 2u);
  EXPECT_EQ(plan.getRings()[0].sharers, 2);
  EXPECT_EQ(plan.getRings()[1].sharers, 1);
  // Memory for whole tiles, copied in shares of 40 rows and as a whole.
  EXPECT_EQ(plan.getRings()[0].stageBytes, plan.getRings()[1].stageBytes);
  EXPECT_EQ(plan.getRings()[0].copiedBytes, 80 * 128);
  ASSERT_EQ(plan.getTileMaps().size(), 2u);
  EXPECT_EQ(plan.getTileMaps()[0].rows, 40);
  EXPECT_EQ(plan.getTileMaps()[1].rows, 80);
}

TEST_F(KernelPlanTest, FillsShareMaps) {
  KernelPlan plan = this->plan(R"(
    !ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
    !tall = !attn_gpu.ring<1 x !attn_gpu.tile<128x64xbf16>>
    !t = memref<?x?x128xbf16>
    attn_gpu.kernel @k(%n: index, %a: !t, %b: !t) warpgroups 1 {
      %ring = attn_gpu.ring_create : !ring
      %tall = attn_gpu.ring_create : !tall
      attn_gpu.ring_fill %ring[%n] from %a[%n, %n, %n] : !ring, !t
      attn_gpu.ring_fill %ring[%n] from %b[%n, %n, %n] : !ring, !t
      attn_gpu.ring_fill %ring[%n] from %a[%n, %n, %n] row_dim 1 : !ring, !t
      attn_gpu.ring_fill %ring[%n] from %a[%n, %n, %n] row_dim 0 : !ring, !t
      attn_gpu.ring_fill %tall[%n] from %a[%n, %n, %n] : !tall, !t
      attn_gpu.return
    })");
  SmallVector<int64_t> maps;
  kernel.walk([&](RingFillOp op) { maps.push_back(plan.getTileMap(op)); });
  EXPECT_EQ(maps, (SmallVector<int64_t>{0, 1, 0, 2, 3}));
  SmallVector<TileMapPlan> expected = {
      {1, 1, 64}, {2, 1, 64}, {1, 0, 64}, {1, 1, 128}};
  EXPECT_EQ(SmallVector<TileMapPlan>(plan.getTileMaps()), expected);
}

TEST_F(KernelPlanTest, OnlyLoadsNeedLanesToMeet) {
  KernelPlan plan = this->plan(R"(
    !tile = !attn_gpu.tile<128x64xbf16>
    !half = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    !ring = !attn_gpu.ring<1 x !tile>
    attn_gpu.kernel @k(%n: index) warpgroups 1 {
      %products = attn_gpu.ring_create : !ring
      %loads = attn_gpu.ring_create : !ring
      %p = attn_gpu.ring_wait %products[%n] : !ring
      %ph = attn_gpu.subtile %p[%n] : !tile -> !half
      %l = attn_gpu.ring_wait %loads[%n] : !ring
      %lh = attn_gpu.subtile %l[%n] : !tile -> !half
      %f = attn_gpu.load_fragment %lh : !half -> vector<64x64xbf16>
      %s = attn_gpu.mma %ph, %l transpose_b : !half, !tile
          -> vector<64x128xf32>
      attn_gpu.return
    })");
  EXPECT_FALSE(plan.getRings()[0].hasThreadReaders);
  EXPECT_TRUE(plan.getRings()[1].hasThreadReaders);
}

TEST_F(KernelPlanTest, RolesAddAWarpgroupAndTurnsNeedTwo) {
  auto text = [](int64_t warpgroups, bool roles) {
    std::string body = "attn_gpu.turn_wait\n attn_gpu.turn_pass\n";
    if (roles)
      body = "attn_gpu.warp_specialize producer 24 {} consumers 24 {" + body +
             "}\n";
    return "attn_gpu.kernel @k() warpgroups " + std::to_string(warpgroups) +
           " {\n" + body + "attn_gpu.return }";
  };
  for (int64_t warpgroups = 1; warpgroups <= 7; ++warpgroups)
    for (bool roles : {false, true}) {
      KernelPlan plan = this->plan(text(warpgroups, roles));
      EXPECT_EQ(plan.hasProducer(), roles);
      EXPECT_EQ(plan.getConsumers(), warpgroups);
      EXPECT_EQ(plan.getThreads(), 128 * (warpgroups + roles));
      EXPECT_EQ(plan.getEmptyArrivals(), 4 * warpgroups);
      EXPECT_EQ(plan.hasTurns(), warpgroups > 1);
      // Barrier 0 is that of the block.
      EXPECT_GE(plan.getFirstTurnBarrier(), 1);
      EXPECT_LE(plan.getFirstTurnBarrier() + warpgroups,
                KernelPlan::kNamedBarriers);
    }
}

TEST(KernelPlan, RegistersAtStart) {
  EXPECT_EQ(KernelPlan::getRegistersAtStart(384), 168);
  EXPECT_EQ(KernelPlan::getRegistersAtStart(512), 128);
  EXPECT_EQ(KernelPlan::getRegistersAtStart(640), 96);
}

TEST_F(KernelPlanTest, StagesAndSlotsStandBesideTheRings) {
  KernelPlan plan = this->plan(R"(
    attn_gpu.kernel @k(%n: index) warpgroups 2 {
      %ring = attn_gpu.ring_create
          : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
      %stage = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
      attn_gpu.warp_specialize producer 40 {
        attn_gpu.work_loop (%i, %j) in (%n, %n) schedule dynamic {
        }
      } consumers 232 {
        attn_gpu.work_loop (%i, %j) in (%n, %n) schedule dynamic {
          attn_gpu.turn_wait
          attn_gpu.turn_pass
          attn_gpu.copy_wait
        }
      }
      attn_gpu.return
    })");
  EXPECT_EQ(plan.getSchedule(), WorkSchedule::Dynamic);
  const PointPlan &points = plan.getPoints();
  EXPECT_TRUE(points.hasBarriers);
  EXPECT_EQ(points.getSlotBytes(), 12);
  int64_t tile = plan.getTile(*kernel.getBody().getOps<TileCreateOp>().begin());
  const RingPlan &ring = plan.getRings().front();
  EXPECT_EQ(tile % 1024, 0);
  EXPECT_EQ(ring.offset % 1024, 0);
  EXPECT_TRUE(tile + 16384 <= ring.offset || ring.offset + 16384 <= tile);
  // Then barriers of the ring, of the slots, and these.
  EXPECT_GE(ring.barriers, 2 * 16384);
  EXPECT_GE(points.barriers, ring.getEmptyBarrier(1) + 8);
  EXPECT_GE(points.slots, points.getEmptyBarrier(1) + 8);
  EXPECT_EQ(plan.getSharedBytes(), points.slots + 2 * points.getSlotBytes());
  // Turns have barriers 1 and 2.
  EXPECT_EQ(plan.getFirstWarpgroupBarrier(), 3);
  std::map<WorkRole, int> roles;
  kernel.walk([&](WorkLoopOp op) { ++roles[plan.getRole(op)]; });
  EXPECT_EQ(roles, (std::map<WorkRole, int>{{WorkRole::Producer, 1},
                                            {WorkRole::Consumer, 1}}));
}
} // namespace
