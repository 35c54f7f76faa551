// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

!half = !attn_gpu.tile<64x128xbf16, panel_rows = 128>
!tile = !attn_gpu.tile<128x128xbf16>
!ring = !attn_gpu.ring<2 x !tile>
!one = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
!x = memref<?x?x?x128xbf16, strided<[?, ?, ?, 1]>>

// A kernel without roles: the first thread of the block fills. A tensor that
// only rings read is a map, without pointer, extents and strides.

// CHECK-LABEL: llvm.func @rings(
// CHECK-SAME:    %[[N:[^:]*]]: i64, %[[B:[^:]*]]: i64, %[[ROW:[^:]*]]: i64,
// CHECK-SAME:    %[[MAP:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// 8192 + 2 * 32768 bytes of tiles, 2 * 8 + 4 * 8 bytes of barriers.
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 73776 : i64
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 1 : i64, rows = 128 : i64, swizzle = 128 : i64}
// CHECK-SAME:    nvvm.reqntid = array<i32: 256>
// CHECK:         %[[MEMORY:.*]] = llvm.mlir.addressof @attn_gpu_shared
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
// CHECK:         scf.if %[[FIRST]] {
// CHECK-NEXT:      "prefetch.tensormap [$0];", "l,~{memory}" %[[MAP]]
// CHECK:           %[[FULL:.*]] = llvm.getelementptr %[[MEMORY]][73744]
// CHECK-NEXT:      nvvm.mbarrier.init %[[FULL]], %c1_i32
// CHECK:           %[[EMPTY:.*]] = llvm.getelementptr %[[MEMORY]][73760]
// CHECK-NEXT:      nvvm.mbarrier.init %[[EMPTY]], %c8_i32
// CHECK:           nvvm.fence.mbarrier.init
// CHECK-NEXT:      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    }
// CHECK-NEXT:    nvvm.barrier0
attn_gpu.kernel @rings(%x: !x, %n: index, %b: index, %row: index)
    warpgroups 2 {
  %c0 = arith.constant 0 : index
  %other = attn_gpu.ring_create : !one
  %ring = attn_gpu.ring_create : !ring
  // CHECK-NEXT:    %[[B32:.*]] = arith.trunci %[[B]] : i64 to i32
  // CHECK-NEXT:    %[[ROW32:.*]] = arith.trunci %[[ROW]] : i64 to i32
  // CHECK-NEXT:    scf.if %[[FIRST]] {
  // CHECK:           %[[COUNT:.*]] = arith.trunci %[[N]] : i64 to i32
  // CHECK:           %[[STAGE:.*]] = arith.remui %[[COUNT]], %c2_i32
  // CHECK:           %[[PHASE:.*]] = arith.divui %[[COUNT]], %c2_i32
  // CHECK:           %[[PARITY:.*]] = arith.andi %[[PHASE]], %c1_i32
  // CHECK:           %[[BARRIER:.*]] = llvm.getelementptr %[[MEMORY]][73760]
  // CHECK:           %[[AT:.*]] = arith.muli %[[STAGE]], %c8_i32
  // CHECK:           %[[EMPTY:.*]] = llvm.getelementptr %[[BARRIER]][%[[AT]]]
  // CHECK:           %[[BEFORE:.*]] = arith.xori %[[PARITY]], %c1_i32
  // CHECK:           mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;{{.*}} %[[EMPTY]], %[[BEFORE]]
  // CHECK:           %[[FULL:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
  // CHECK:           nvvm.mbarrier.arrive.expect_tx %[[FULL]], %c32768_i32
  // CHECK:           %[[TILES:.*]] = llvm.getelementptr %[[MEMORY]][8192]
  // CHECK:           %[[TO:.*]] = llvm.getelementptr %[[TILES]][
  // CHECK:           nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %[[MAP]], %[[FULL]], box[%c0_i32, %c0_i32, %[[ROW32]], %[[B32]]] {isCTAOnly = true}
  // CHECK:           %[[PANEL:.*]] = llvm.getelementptr %[[TO]][16384]
  // CHECK:           nvvm.cp.async.bulk.tensor.shared.cluster.global %[[PANEL]], %[[MAP]], %[[FULL]], box[%c64_i32, %c0_i32, %[[ROW32]], %[[B32]]] {isCTAOnly = true}
  // CHECK-NOT:       bulk.tensor
  // CHECK:         }
  // CHECK-NEXT:    nvvm.bar.warp.sync %c-1_i32
  attn_gpu.ring_fill %ring[%n] from %x[%b, %row, %c0, %c0] row_dim 1
      : !ring, !x
  // CHECK:         mbarrier.try_wait.parity
  %tile = attn_gpu.ring_wait %ring[%n] : !ring
  %mine = attn_gpu.subtile %tile[%c0] : !tile -> !half
  %s = attn_gpu.mma %mine, %tile transpose_b : !half, !tile
      -> vector<64x128xf32>
  // CHECK:         wgmma.wait_group
  %r = attn_gpu.mma_wait %s : vector<64x128xf32>
  // CHECK-NOT:     {{bar.warp.sync|fence.proxy}}
  // CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c32_i32
  // CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %[[LANE]], %c0_i32
  // CHECK:         "@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", {{.*}}, %[[ZERO]]
  attn_gpu.ring_release %ring[%n] : !ring
  attn_gpu.return
}

// -----

// Lanes that have loaded from a stage order their loads with the copy engine's next
// write, then meet, before one of them releases it: its arrival does not order them.
// What only products read needs neither.

!tile = !attn_gpu.tile<64x64xf16>
!ring = !attn_gpu.ring<3 x !tile>

// CHECK-LABEL: llvm.func @loads(
// CHECK:         arith.remui %{{.*}}, %c3_i32
// CHECK:         nvvm.ldmatrix
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK:         mbarrier.arrive.shared
attn_gpu.kernel @loads(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %n: index)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%n] from %x[%n, %c0] : !ring, memref<?x64xf16>
  %tile = attn_gpu.ring_wait %ring[%n] : !ring
  %a = attn_gpu.load_fragment %tile : !tile -> vector<64x64xf16>
  attn_gpu.ring_release %ring[%n] : !ring
  attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xf16>, memref<?x64xf16>
  attn_gpu.return
}

// -----

// One map for each argument, row dimension and number of rows; 320 rows are
// copied in two boxes.

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
!tall = !attn_gpu.ring<1 x !attn_gpu.tile<320x64xbf16>>
!x = memref<?x?x64xbf16>

// CHECK-LABEL: llvm.func @maps(
// CHECK-SAME:    attn_gpu.parameters = [{argument = 2 : i64, kind = "scalar"},
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 1 : i64, rows = 64 : i64, swizzle = 128 : i64},
// CHECK-SAME:    {argument = 1 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 1 : i64, rows = 64 : i64, swizzle = 128 : i64},
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 0 : i64, rows = 64 : i64, swizzle = 128 : i64},
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 1 : i64, rows = 160 : i64, swizzle = 128 : i64}]
attn_gpu.kernel @maps(%x: !x, %y: !x, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring_create : !ring
  %tall = attn_gpu.ring_create : !tall
  // CHECK: bulk.tensor{{.*}} %arg1,
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %n, %c0] : !ring, !x
  // CHECK: bulk.tensor{{.*}} %arg2,
  attn_gpu.ring_fill %ring[%c1] from %y[%c0, %n, %c0] : !ring, !x
  // CHECK: bulk.tensor{{.*}} %arg1,
  attn_gpu.ring_fill %ring[%c0] from %x[%c1, %n, %c0] : !ring, !x
  // CHECK: bulk.tensor{{.*}} %arg3,
  attn_gpu.ring_fill %ring[%c1] from %x[%n, %c0, %c0] row_dim 0 : !ring, !x
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c40960_i32
  // CHECK: bulk.tensor{{.*}} %arg4, %{{.*}}, box[%c0_i32, %[[ROW:.*]], %c0_i32]
  // CHECK: %[[SECOND:.*]] = arith.addi %[[ROW]], %c160_i32
  // CHECK: %[[TO:.*]] = llvm.getelementptr %{{.*}}[20480]
  // CHECK: bulk.tensor{{.*}} %[[TO]], %arg4, %{{.*}}, box[%c0_i32, %[[SECOND]], %c0_i32]
  attn_gpu.ring_fill %tall[%c0] from %x[%c0, %n, %c0] : !tall, !x
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.ring_release %tall[%c0] : !tall
  attn_gpu.return
}

// -----

// Of a multicast ring each block of the cluster copies its share of the rows, to the
// same place of all; announces the whole tile; and is told by the consumers of all,
// lane n of a warp arriving at block n. Maps have the rows of a share.

!tile = !attn_gpu.tile<64x128xbf16>
!ring = !attn_gpu.ring<2 x !tile>
!x = memref<?x128xbf16>

// CHECK-LABEL: llvm.func @multicast(
// CHECK-SAME:    attn_gpu.cluster = 4 : i64
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 0 : i64, rows = 16 : i64, swizzle = 128 : i64}
// CHECK-SAME:    {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 0 : i64, rows = 64 : i64, swizzle = 128 : i64}
// CHECK-SAME:    nvvm.cluster_dim = array<i32: 4>
// Full barriers of one arrival, the shared ring's empty ones of 4 blocks' 8 warps.
// CHECK:         nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK:         nvvm.mbarrier.init %{{.*}}, %c32_i32
// CHECK:         nvvm.mbarrier.init %{{.*}}, %c8_i32
// Nobody arrives, or copies, before all barriers of the cluster are there.
// CHECK:         nvvm.fence.mbarrier.init
// CHECK-NOT:     nvvm.barrier0
// CHECK:         nvvm.cluster.arrive
// CHECK-NEXT:    nvvm.cluster.wait
attn_gpu.kernel @multicast(%x: !x, %n: index, %row: index) warpgroups 2 cluster 4 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create multicast : !ring
  %own = attn_gpu.ring_create : !ring
  // CHECK:         mbarrier.try_wait.parity.shared::cta.b64
  // CHECK:         nvvm.mbarrier.arrive.expect_tx %[[FULL:.*]], %c16384_i32
  // CHECK:         %[[RANK:.*]] = llvm.inline_asm {{.*}}"mov.u32 $0, %cluster_ctarank;"
  // 16 rows of 128 bytes.
  // CHECK:         %[[BYTES:.*]] = arith.muli %[[RANK]], %c2048_i32
  // CHECK:         %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
  // CHECK:         %[[ROWS:.*]] = arith.muli %[[RANK]], %c16_i32
  // CHECK:         %[[AT:.*]] = arith.addi %{{.*}}, %[[ROWS]]
  // CHECK:         %[[TO:.*]] = llvm.addrspacecast %[[PLACE]] : !llvm.ptr<3> to !llvm.ptr<7>
  // CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %{{.*}}, %[[FULL]], box[%c0_i32, %[[AT]]] multicast_mask = %c15_i16
  // CHECK-NOT:     isCTAOnly
  // CHECK:         %[[PANEL:.*]] = llvm.getelementptr %[[TO]][8192]
  // CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global %[[PANEL]], %{{.*}}, %[[FULL]], box[%c64_i32, %[[AT]]] multicast_mask = %c15_i16
  attn_gpu.ring_fill %ring[%n] from %x[%row, %c0] : !ring, !x
  // CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} {isCTAOnly = true}
  attn_gpu.ring_fill %own[%n] from %x[%row, %c0] : !ring, !x
  %tile = attn_gpu.ring_wait %ring[%n] : !ring
  %mine = attn_gpu.ring_wait %own[%n] : !ring
  // CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c32_i32
  // CHECK:         %[[FOUR:.*]] = arith.cmpi ult, %[[LANE]], %c4_i32
  // CHECK:         mapa.shared::cluster.u32 remote, $0, $1;
  // CHECK-SAME:    @$2 mbarrier.arrive.shared::cluster.b64 _, [remote];
  // CHECK-SAME:    %[[LANE]], %[[FOUR]]
  attn_gpu.ring_release %ring[%n] : !ring
  // CHECK:         "@$1 mbarrier.arrive.shared::cta.b64 _, [$0];"
  attn_gpu.ring_release %own[%n] : !ring
  // No block ends, and its shared memory with it, while others arrive there.
  // CHECK:         nvvm.cluster.arrive
  // CHECK-NEXT:    nvvm.cluster.wait
  // CHECK-NEXT:    llvm.return
  attn_gpu.return
}

// -----

// What threads have loaded is ordered for the other blocks, too.

!tile = !attn_gpu.tile<64x64xf16>
!ring = !attn_gpu.ring<3 x !tile>

// CHECK-LABEL: llvm.func @multicast_loads(
// CHECK:         nvvm.ldmatrix
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    nvvm.bar.warp.sync
// CHECK:         mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];
attn_gpu.kernel @multicast_loads(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %n: index)
    warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create multicast : !ring
  attn_gpu.ring_fill %ring[%n] from %x[%n, %c0] : !ring, memref<?x64xf16>
  %tile = attn_gpu.ring_wait %ring[%n] : !ring
  %a = attn_gpu.load_fragment %tile : !tile -> vector<64x64xf16>
  attn_gpu.ring_release %ring[%n] : !ring
  attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xf16>, memref<?x64xf16>
  attn_gpu.return
}
