// RUN: attn-opt %s | attn-opt | FileCheck %s

!tile = !attn_gpu.tile<128x64xbf16>
!mine = !attn_gpu.tile<64x64xbf16, panel_rows = 128>

// CHECK-LABEL: attn_gpu.kernel @persistent
attn_gpu.kernel @persistent(%to: memref<?x?x64xbf16>, %heads: index, %tiles: index)
    warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  // CHECK: %[[STAGE:.*]] = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
  %stage = attn_gpu.tile_create : !tile
  %w = attn_gpu.warpgroup_index
  %row = arith.muli %w, %c64 : index
  // CHECK: %[[MINE:.*]] = attn_gpu.subtile %[[STAGE]]
  %mine = attn_gpu.subtile %stage[%row] : !tile -> !mine
  // CHECK: %{{.*}} = attn_gpu.work_loop (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) descending [1] group %{{.*}} schedule dynamic iter_args(%[[N:.*]] = %{{.*}}) -> (index) {
  %done = attn_gpu.work_loop (%h, %t) in (%heads, %tiles) descending [1] group %c64
      schedule dynamic iter_args(%n = %c0) -> (index) {
    // CHECK: attn_gpu.copy_wait read
    attn_gpu.copy_wait read
    // CHECK: attn_gpu.store_fragment %{{.*}} to %[[MINE]] : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    attn_gpu.store_fragment %x to %mine : vector<64x64xbf16>, !mine
    // CHECK: attn_gpu.copy_out %[[MINE]] to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] row_dim 1 : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, memref<?x?x64xbf16>
    attn_gpu.copy_out %mine to %to[%h, %t, %c0] row_dim 1 : !mine, memref<?x?x64xbf16>
    // CHECK: %[[NEXT:.*]] = arith.addi %[[N]]
    %next = arith.addi %n, %c1 : index
    // CHECK: attn_gpu.yield %[[NEXT]] : index
    attn_gpu.yield %next : index
  }
  // CHECK: attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) schedule strided {
  // CHECK-NEXT: }
  attn_gpu.work_loop (%t) in (%tiles) schedule strided {
  }
  // CHECK: attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) {
  attn_gpu.work_loop (%t) in (%tiles) schedule once {
  }
  // CHECK: attn_gpu.copy_wait{{$}}
  attn_gpu.copy_wait
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @clusters(
// CHECK-SAME:    warpgroups 2 cluster 4 {
// CHECK:         %{{.*}} = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
// CHECK:         %{{.*}} = attn_gpu.cluster_rank
attn_gpu.kernel @clusters() warpgroups 2 cluster 4 {
  %ring = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !tile>
  %rank = attn_gpu.cluster_rank
  attn_gpu.return
}

// One is none.
// CHECK-LABEL: attn_gpu.kernel @alone(
// CHECK-SAME:    warpgroups 2 {
attn_gpu.kernel @alone() warpgroups 2 cluster 1 {
  attn_gpu.return
}
