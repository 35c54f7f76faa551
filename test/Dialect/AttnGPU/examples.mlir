// The examples of the operations' and types' descriptions, word for word.

// RUN: attn-opt %s | attn-opt | FileCheck %s

!whole = !attn_gpu.tile<128x64xbf16>
!part = !attn_gpu.tile<64x64xbf16, panel_rows = 128>

// CHECK-LABEL: attn_gpu.kernel @copy_rows(
// CHECK: attn_gpu.work_loop (%[[TILE:.*]]) in (%{{.*}}) {
// CHECK: attn_gpu.read
// CHECK: attn_gpu.return
attn_gpu.kernel @copy_rows(%from: memref<?x64xbf16>, %tiles: index,
                           %to: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.work_loop (%tile) in (%tiles) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %row = arith.muli %tile, %c64 : index
    %rows = attn_gpu.read %from[%row, %c0] : memref<?x64xbf16>
        -> !attn_gpu.tile<64x64xbf16>
    %x = attn_gpu.load_fragment %rows : !attn_gpu.tile<64x64xbf16>
        -> vector<64x64xbf16>
    attn_gpu.write %x to %to[%row, %c0]
        : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @fill(
// CHECK: attn_gpu.work_loop (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) descending [1] group %{{.*}} schedule dynamic iter_args(
// CHECK: attn_gpu.yield %{{.*}} : index
attn_gpu.kernel @fill(%to: memref<?x?x1xf32>, %heads: index, %tiles: index)
    warpgroups 1 {
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %none = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %done = attn_gpu.work_loop (%head, %tile) in (%heads, %tiles)
      descending [1] group %c4 schedule dynamic
      iter_args(%n = %none) -> (index) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %row = arith.muli %tile, %c64 : index
    attn_gpu.write %zero to %to[%head, %row, %c0]
        : vector<64x1xf32>, memref<?x?x1xf32>
    %next = arith.addi %n, %c1 : index
    attn_gpu.yield %next : index
  }
  attn_gpu.return
}

// CHECK-LABEL: func.func @start(
// CHECK: attn_gpu.launch @copy_rows blocks %{{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x64xbf16>, index) outs(%{{.*}} : tensor<?x64xbf16>) -> tensor<?x64xbf16>
func.func @start(%from: tensor<?x64xbf16>, %to: tensor<?x64xbf16>, %n: index)
    -> tensor<?x64xbf16> {
  %written = attn_gpu.launch @copy_rows blocks %n ins(%from, %n
      : tensor<?x64xbf16>, index) outs(%to : tensor<?x64xbf16>)
      -> tensor<?x64xbf16>
  return %written : tensor<?x64xbf16>
}

// CHECK: func.func private @give(!attn_gpu.in_flight<vector<64x128xf32>>)
func.func private @give(!attn_gpu.in_flight<vector<64x128xf32>>)

// CHECK: attn_gpu.image @fill_image chip "sm_90a" threads 128 shared 0 parameters [{argument = 0 : i64, kind = "pointer"}] ptx ".version 8.7"
attn_gpu.image @fill_image chip "sm_90a" threads 128 shared 0 parameters
    [{argument = 0 : i64, kind = "pointer"}] ptx ".version 8.7"

// CHECK-LABEL: attn_gpu.kernel @tiles(
attn_gpu.kernel @tiles(%k: memref<?x?x?x64xbf16>, %o: memref<?x?x?x128xbf16>,
                       %b: index, %h: index, %row: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // CHECK: attn_gpu.warpgroup_index
  %warpgroup = attn_gpu.warpgroup_index
  // CHECK: attn_gpu.read
  %tile = attn_gpu.read %k[%b, %h, %row, %c0] : memref<?x?x?x64xbf16>
      -> !attn_gpu.tile<128x64xbf16>
  %q = attn_gpu.read %k[%b, %h, %row, %c0] : memref<?x?x?x64xbf16>
      -> !attn_gpu.tile<64x64xbf16>
  // CHECK: attn_gpu.load_fragment
  %a = attn_gpu.load_fragment %q : !attn_gpu.tile<64x64xbf16>
      -> vector<64x64xbf16>
  // CHECK: attn_gpu.iota : vector<1x128xindex>
  %column = attn_gpu.iota : vector<1x128xindex>
  %out = arith.constant dense<0.0> : vector<64x128xbf16>
  // CHECK: attn_gpu.write
  attn_gpu.write %out to %o[%b, %h, %row, %c0]
      : vector<64x128xbf16>, memref<?x?x?x128xbf16>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @part(
// CHECK: attn_gpu.subtile
attn_gpu.kernel @part(%x: memref<?x64xbf16>, %row: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %q = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !whole
  %mine = attn_gpu.subtile %q[%row] : !attn_gpu.tile<128x64xbf16>
      -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %a = attn_gpu.load_fragment %mine : !part -> vector<64x64xbf16>
  attn_gpu.write %a to %x[%row, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @products(
attn_gpu.kernel @products(%x: memref<?x64xbf16>, %y: memref<?x1xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %q = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %k = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<128x64xbf16>
  // The scores of a query tile and a key tile.
  // CHECK: %[[A:.*]] = attn_gpu.mma %{{.*}}, %{{.*}} transpose_b
  // CHECK: attn_gpu.mma_wait %[[A]] : vector<64x128xf32>
  // The scores of a query tile and a key tile.
  %started = attn_gpu.mma %q, %k transpose_b : !attn_gpu.tile<64x64xbf16>,
      !attn_gpu.tile<128x64xbf16> -> vector<64x128xf32>
  %s = attn_gpu.mma_wait %started : vector<64x128xf32>
  %p = math.exp2 %s : vector<64x128xf32>
  // CHECK: attn_gpu.row_reduce <maxnumf> %{{.*}} : vector<64x128xf32> -> vector<64x1xf32>
  // CHECK: attn_gpu.row_reduce <add> %{{.*}} : vector<64x128xf32> -> vector<64x4xf32>
  %m = attn_gpu.row_reduce <maxnumf> %s
      : vector<64x128xf32> -> vector<64x1xf32>
  %l = attn_gpu.row_reduce <add> %p : vector<64x128xf32> -> vector<64x4xf32>
  attn_gpu.write %m to %y[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @make_now
attn_gpu.kernel @make_now(%x: f32, %to: memref<?x4xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %l = vector.broadcast %x : f32 to vector<64x4xf32>
  // CHECK: attn_gpu.make_now %{{.*}} : vector<64x4xf32>
  attn_gpu.make_now %l : vector<64x4xf32>
  %sum = attn_gpu.row_reduce <add> %l : vector<64x4xf32> -> vector<64x1xf32>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @scale_rows(
attn_gpu.kernel @scale_rows(%factor: f32, %to: memref<?x128xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<2.0> : vector<64x128xf32>
  %f = vector.broadcast %factor : f32 to vector<64x1xf32>
  // CHECK: attn_gpu.scale_rows %{{.*}} by %{{.*}} : vector<64x128xf32>, vector<64x1xf32>
  %y = attn_gpu.scale_rows %x by %f : vector<64x128xf32>, vector<64x1xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x128xf32>, memref<?x128xf32>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @pending(
attn_gpu.kernel @pending(%x: memref<?x64xbf16>, %y: memref<?x64xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %b = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %k = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<128x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %started = attn_gpu.mma %a, %k transpose_b : vector<64x64xbf16>,
      !attn_gpu.tile<128x64xbf16> -> vector<64x128xf32>
  %later = attn_gpu.mma %a, %b : vector<64x64xbf16>,
      !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  // CHECK: attn_gpu.mma_wait %{{.*}} pending 1 : vector<64x128xf32>
  %s = attn_gpu.mma_wait %started pending 1 : vector<64x128xf32>
  %t = attn_gpu.mma_wait %later : vector<64x64xf32>
  attn_gpu.write %t to %y[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @rings(
attn_gpu.kernel @rings(%k: memref<?x?x?x64xbf16>, %b: index, %h: index,
                       %row: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // CHECK: attn_gpu.ring_create
  %ring = attn_gpu.ring_create
      : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
  // CHECK: attn_gpu.ring_fill
  attn_gpu.ring_fill %ring[%n] from %k[%b, %h, %row, %c0]
      : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>, memref<?x?x?x64xbf16>
  // CHECK: attn_gpu.ring_wait
  %tile = attn_gpu.ring_wait %ring[%n]
      : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
  // CHECK: attn_gpu.ring_release
  attn_gpu.ring_release %ring[%n]
      : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @stages(
// CHECK: attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
// CHECK: attn_gpu.copy_wait read
// CHECK: attn_gpu.store_fragment
// CHECK: attn_gpu.copy_out
attn_gpu.kernel @stages(%o: memref<?x?x?x64xbf16>, %b: index, %h: index,
                        %row: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %out = arith.constant dense<0.0> : vector<64x64xbf16>
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
  %first = arith.constant 64 : index
  %mine = attn_gpu.subtile %stage[%first] : !whole -> !part
  attn_gpu.copy_wait read
  attn_gpu.store_fragment %out to %mine : vector<64x64xbf16>,
      !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  attn_gpu.copy_out %mine to %o[%b, %h, %row, %c0]
      : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, memref<?x?x?x64xbf16>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @roles(
attn_gpu.kernel @roles(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  // CHECK: attn_gpu.warp_specialize producer 24 {
  // CHECK: } consumers 240 {
  attn_gpu.warp_specialize producer 24 {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0]
        : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
  } consumers 240 {
    %tile = attn_gpu.ring_wait %ring[%c0]
        : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    %a = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16>
        -> vector<64x64xbf16>
    attn_gpu.ring_release %ring[%c0]
        : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @turns(
attn_gpu.kernel @turns(%x: memref<?x64xbf16>, %y: memref<?x64xf32>)
    warpgroups 2 {
  %c0 = arith.constant 0 : index
  %b = attn_gpu.read %x[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  // CHECK: attn_gpu.turn_wait
  // CHECK: attn_gpu.mma
  // CHECK: attn_gpu.turn_pass
  attn_gpu.turn_wait
  %started = attn_gpu.mma %a, %b : vector<64x64xbf16>,
      !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  attn_gpu.turn_pass
  %d = attn_gpu.mma_wait %started : vector<64x64xf32>
  attn_gpu.write %d to %y[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @fill_pairs
// CHECK-SAME:    warpgroups 1 cluster 2 {
// CHECK:         attn_gpu.cluster_rank
attn_gpu.kernel @fill_pairs(%to: memref<?x1xf32>, %pairs: index)
    warpgroups 1 cluster 2 {
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  attn_gpu.work_loop (%pair) in (%pairs) schedule strided {
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %rank = attn_gpu.cluster_rank
    %first = arith.muli %pair, %c2 : index
    %tile = arith.addi %first, %rank : index
    %row = arith.muli %tile, %c64 : index
    attn_gpu.write %zero to %to[%row, %c0]
        : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}
