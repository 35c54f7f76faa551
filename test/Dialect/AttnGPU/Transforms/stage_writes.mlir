// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-stage-writes))' --split-input-file | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-stage-writes{shared-bytes=17500}))' --split-input-file | FileCheck %s --check-prefix=SHORT
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-stage-writes{shared-bytes=10000}))' --split-input-file | FileCheck %s --check-prefix=REUSE

!tile = !attn_gpu.tile<128x64xbf16>
!mine = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
!ring = !attn_gpu.ring<1 x !tile>

// A tile of its own; where memory is short, the one that the block has released:
// its ring gets it back when the copy has been read.

// CHECK-LABEL: attn_gpu.kernel @released
// CHECK-DAG:     %[[STAGE:.*]] = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
// CHECK:         attn_gpu.ring_release
// CHECK:         %[[W:.*]] = attn_gpu.warpgroup_index
// CHECK:         %[[ROW:.*]] = arith.muli %[[W]], %c64
// CHECK:         %[[MINE:.*]] = attn_gpu.subtile %[[STAGE]][%[[ROW]]]
// CHECK:         attn_gpu.copy_wait read
// CHECK-NEXT:    attn_gpu.store_fragment %[[X:.*]] to %[[MINE]]
// CHECK-NEXT:    attn_gpu.copy_out %[[MINE]] to %{{.*}}[%{{.*}}, %{{.*}}]
// CHECK-NEXT:    }
// CHECK-NEXT:    attn_gpu.copy_wait{{$}}
// CHECK-NEXT:    attn_gpu.return

// SHORT-LABEL: attn_gpu.kernel @released
// SHORT-NOT:     tile_create
// SHORT:         %[[TILE:.*]] = attn_gpu.ring_wait
// SHORT:         %[[PART:.*]] = attn_gpu.subtile %[[TILE]]
// SHORT:         attn_gpu.load_fragment %[[PART]]
// SHORT-NOT:     ring_release
// SHORT:         attn_gpu.copy_wait read
// SHORT-NEXT:    attn_gpu.store_fragment %{{.*}} to %[[PART]]
// SHORT-NEXT:    attn_gpu.copy_out %[[PART]] to
// SHORT-NEXT:    attn_gpu.copy_wait read
// SHORT-NEXT:    attn_gpu.ring_release
// SHORT-NEXT:    }
// SHORT-NEXT:    attn_gpu.copy_wait{{$}}
attn_gpu.kernel @released(%from: memref<?x64xbf16>, %to: memref<?x64xbf16>,
                          %tiles: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.work_loop (%t) in (%tiles) {
    %row = arith.muli %t, %c128 : index
    attn_gpu.ring_fill %ring[%c0] from %from[%row, %c0] : !ring, memref<?x64xbf16>
    %tile = attn_gpu.ring_wait %ring[%c0] : !ring
    %w = attn_gpu.warpgroup_index
    %first = arith.muli %w, %c64 : index
    %part = attn_gpu.subtile %tile[%first] : !tile -> !mine
    %x = attn_gpu.load_fragment %part : !mine -> vector<64x64xbf16>
    attn_gpu.ring_release %ring[%c0] : !ring
    %at = arith.addi %row, %first : index
    attn_gpu.write %x to %to[%at, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.return
}

// -----

// Rows of another warpgroup were used: its tile is not taken. No memory then.

// SHORT-LABEL: attn_gpu.kernel @shared_rows
// SHORT-NOT:     copy_
// SHORT:         attn_gpu.write
// SHORT-NOT:     copy_
// SHORT:         attn_gpu.return
!tile = !attn_gpu.tile<128x64xbf16>
!mine = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
!ring = !attn_gpu.ring<1 x !tile>
attn_gpu.kernel @shared_rows(%from: memref<?x64xbf16>, %to: memref<?x64xbf16>)
    warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %from[%c0, %c0] : !ring, memref<?x64xbf16>
  %tile = attn_gpu.ring_wait %ring[%c0] : !ring
  %part = attn_gpu.subtile %tile[%c0] : !tile -> !mine
  %x = attn_gpu.load_fragment %part : !mine -> vector<64x64xbf16>
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}

// -----

// What the copy engine cannot do stays: six dimensions, strides of 8 bytes, f32,
// a value for each row, half a panel.

// CHECK-LABEL: attn_gpu.kernel @kept
// CHECK-NOT:     tile_create
// CHECK-COUNT-5: attn_gpu.write
// CHECK-NOT:     copy_wait
attn_gpu.kernel @kept(%six: memref<2x2x2x2x?x64xbf16>,
                      %odd: memref<?x64xbf16, strided<[68, 1]>>,
                      %wide: memref<?x64xf32>, %rows: memref<?x1xbf16>,
                      %half: memref<?x32xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  %f = arith.constant dense<1.0> : vector<64x64xf32>
  %r = arith.constant dense<1.0> : vector<64x1xbf16>
  %h = arith.constant dense<1.0> : vector<64x32xbf16>
  attn_gpu.write %x to %six[%c0, %c0, %c0, %c0, %c0, %c0] : vector<64x64xbf16>, memref<2x2x2x2x?x64xbf16>
  attn_gpu.write %x to %odd[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16, strided<[68, 1]>>
  attn_gpu.write %f to %wide[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
  attn_gpu.write %r to %rows[%c0, %c0] : vector<64x1xbf16>, memref<?x1xbf16>
  attn_gpu.write %h to %half[%c0, %c0] : vector<64x32xbf16>, memref<?x32xbf16>
  attn_gpu.return
}

// -----

// In a kernel with roles the consumers wait at their end.

// CHECK-LABEL: attn_gpu.kernel @roles
// CHECK:         consumers 232 {
// CHECK:           attn_gpu.copy_out
// CHECK-NEXT:      attn_gpu.copy_wait{{$}}
// CHECK-NEXT:    }
// CHECK-NEXT:    attn_gpu.return
attn_gpu.kernel @roles(%to: memref<?x64xbf16>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  attn_gpu.warp_specialize producer 40 {
  } consumers 232 {
    attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.return
}

// -----

// A write for which no memory is left shares the tile of another one of its type, and
// waits until that has been read: one of the two branches of a flattened loop, say.
// One of another type has none to share.

// REUSE-LABEL: attn_gpu.kernel @reused
// REUSE:         %[[STAGE:.*]] = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
// REUSE-NOT:     tile_create
// REUSE:         attn_gpu.copy_wait read
// REUSE-NEXT:    attn_gpu.store_fragment %{{.*}} to %[[STAGE]]
// REUSE-NEXT:    attn_gpu.copy_out %[[STAGE]] to %{{.*}}
// REUSE:         attn_gpu.work_loop
// REUSE:           attn_gpu.copy_wait read
// REUSE-NEXT:      attn_gpu.store_fragment %{{.*}} to %[[STAGE]]
// REUSE-NEXT:      attn_gpu.copy_out %[[STAGE]] to
// REUSE-NEXT:    }
// REUSE-NEXT:    attn_gpu.write {{.*}} : vector<64x128xbf16>
// REUSE-NEXT:    attn_gpu.copy_wait{{$}}

// With memory for all of them each has its own.
// CHECK-LABEL: attn_gpu.kernel @reused
// CHECK-COUNT-3: attn_gpu.tile_create
// CHECK-NOT:     attn_gpu.write
// CHECK:         attn_gpu.return
attn_gpu.kernel @reused(%to: memref<?x64xbf16>, %wide: memref<?x128xbf16>,
                        %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  %y = arith.constant dense<1.0> : vector<64x128xbf16>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.work_loop (%i) in (%n) {
    attn_gpu.write %x to %to[%i, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.write %y to %wide[%c0, %c0] : vector<64x128xbf16>, memref<?x128xbf16>
  attn_gpu.return
}

// -----

// Memory for half of the columns: two copies through one tile, the second of which
// waits until the first has been read.

// SHORT-LABEL: attn_gpu.kernel @parts
// SHORT:         %[[HALF:.*]] = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
// SHORT:         %[[X:.*]] = arith.negf
// SHORT:         attn_gpu.copy_wait read
// SHORT-NEXT:    attn_gpu.store_fragment %[[X]] to %[[HALF]] : vector<64x128xbf16>, !attn_gpu.tile<64x64xbf16>
// SHORT-NEXT:    attn_gpu.copy_out %[[HALF]] to %{{.*}}[%{{.*}}, %c0]
// SHORT:         %[[AT:.*]] = arith.addi %c0, %c64
// SHORT-NEXT:    attn_gpu.copy_wait read
// SHORT-NEXT:    attn_gpu.store_fragment %[[X]] column 64 to %[[HALF]]
// SHORT-NEXT:    attn_gpu.copy_out %[[HALF]] to %{{.*}}[%{{.*}}, %[[AT]]]
// SHORT-NOT:     attn_gpu.write
attn_gpu.kernel @parts(%from: memref<?x128xbf16>, %to: memref<?x128xbf16>,
                       %tiles: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // 8192 bytes of 17500, less 1024, are left.
  %other = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  attn_gpu.work_loop (%t) in (%tiles) {
    %row = arith.muli %t, %c64 : index
    %z = arith.constant dense<0.0> : vector<64x64xbf16>
    attn_gpu.store_fragment %z to %other : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
    %x = arith.constant dense<1.0> : vector<64x128xbf16>
    %y = arith.negf %x : vector<64x128xbf16>
    attn_gpu.write %y to %to[%row, %c0] : vector<64x128xbf16>, memref<?x128xbf16>
  }
  attn_gpu.return
}

// -----

// The tile of a ring that goes on being used was taken: its release stood behind
// later ones, which wait for it.

// SHORT-LABEL: attn_gpu.kernel @ring_goes_on
// SHORT-NOT:     store_fragment
// SHORT:         attn_gpu.write
// REUSE-LABEL: attn_gpu.kernel @ring_goes_on
// REUSE-NOT:     store_fragment
// REUSE:         attn_gpu.write
attn_gpu.kernel @ring_goes_on(%from: memref<?x64xbf16>, %to: memref<?x64xbf16>,
                              %tiles: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  attn_gpu.work_loop (%t) in (%tiles) {
    %row = arith.muli %t, %c64 : index
    attn_gpu.ring_fill %ring[%c0] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
    %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
    attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    scf.for %n = %c1 to %tiles step %c1 {
      attn_gpu.ring_fill %ring[%n] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
      %next = attn_gpu.ring_wait %ring[%n] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
      attn_gpu.ring_release %ring[%n] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    }
    attn_gpu.write %x to %to[%row, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  }
  attn_gpu.return
}
