// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

!tile = !attn_gpu.tile<128x128xbf16>
!mine = !attn_gpu.tile<64x128xbf16, panel_rows = 128>

// One thread of each warpgroup waits for its copies and starts them; no branch
// depends on the thread. Warpgroup w meets at barrier 1 + w.

// CHECK-LABEL: llvm.func @staged(
// CHECK-SAME:    %[[MAP:[^:, ]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = {{.*}}, nvvm.grid_constant}) attributes
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 32768 : i64
// CHECK-SAME:    attn_gpu.parameters = [{argument = 1 : i64, kind = "scalar"}, {argument = 0 : i64, columns = 64 : i64, kind = "tile_map", row_dimension = 0 : i64, rows = 64 : i64, swizzle = 128 : i64}]
// CHECK:         nvvm.shfl.sync idx
// CHECK-NOT:     scf.if
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
// CHECK:         "@$0 cp.async.bulk.wait_group.read 0;", "b,~{memory}" %[[FIRST]]
// CHECK:         %[[MEET:.*]] = arith.addi %{{.*}}, %c1_i32
// CHECK:         "bar.sync $0, 128;", "r,~{memory}" %[[MEET]]
// CHECK-COUNT-8: nvvm.stmatrix
// CHECK-NOT:     nvvm.stmatrix
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    "bar.sync $0, 128;", "r,~{memory}" %[[MEET]]
// Panels of 64 columns, 128 rows apart.
// CHECK:         "@$0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$3, $4}], [$2];", "b,l,r,r,r,~{memory}" %[[FIRST]], %[[MAP]], %[[P0:.*]], %c0_i32, %[[ROW:.*]] :
// CHECK:         %[[P1:.*]] = llvm.getelementptr %[[P0]][16384]
// CHECK:         "@$0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$3, $4}], [$2];", "b,l,r,r,r,~{memory}" %[[FIRST]], %[[MAP]], %[[P1]], %c64_i32, %[[ROW]] :
// CHECK:         "@$0 cp.async.bulk.commit_group;", "b,~{memory}" %[[FIRST]]
// CHECK:         "@$0 cp.async.bulk.wait_group 0;", "b,~{memory}" %[[FIRST]]
// CHECK:         "bar.sync $0, 128;"
attn_gpu.kernel @staged(%to: memref<?x128xbf16>, %row: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant dense<1.0> : vector<64x128xbf16>
  %stage = attn_gpu.tile_create : !tile
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %stage[%first] : !tile -> !mine
  attn_gpu.copy_wait read
  attn_gpu.store_fragment %x to %mine : vector<64x128xbf16>, !mine
  attn_gpu.copy_out %mine to %to[%row, %c0] : !mine, memref<?x128xbf16>
  attn_gpu.copy_wait
  attn_gpu.return
}

// -----

// Turns come first among named barriers.

// CHECK-LABEL: llvm.func @with_turns(
// CHECK:         nvvm.shfl.sync idx
// CHECK:         %[[MEET:.*]] = arith.addi %{{.*}}, %c4_i32
// CHECK:         "bar.sync $0, 128;", "r,~{memory}" %[[MEET]]
attn_gpu.kernel @with_turns() warpgroups 3 {
  attn_gpu.turn_wait
  attn_gpu.turn_pass
  attn_gpu.copy_wait
  attn_gpu.return
}

// -----

// From column 64 on: what the fifth load of 16 columns has given comes first.

// CHECK-LABEL: llvm.func @part(
// CHECK-COUNT-4: nvvm.ldmatrix
// CHECK:         %[[FIFTH:.*]] = nvvm.ldmatrix
// CHECK:         %[[A:.*]] = llvm.extractvalue %[[FIFTH]][0]
// CHECK:         %[[B:.*]] = llvm.extractvalue %[[FIFTH]][1]
// CHECK:         nvvm.stmatrix %{{.*}}, %[[A]], %[[B]],
// CHECK-COUNT-3: nvvm.stmatrix
// CHECK-NOT:     nvvm.stmatrix
attn_gpu.kernel @part(%from: memref<?x128xbf16>, %to: memref<?x1xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %whole = attn_gpu.read %from[%c0, %c0] : memref<?x128xbf16> -> !attn_gpu.tile<64x128xbf16>
  %x = attn_gpu.load_fragment %whole : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  %half = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  attn_gpu.store_fragment %x column 64 to %half : vector<64x128xbf16>, !attn_gpu.tile<64x64xbf16>
  attn_gpu.return
}
