attn_gpu.kernel @ring_loop_1_0(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 0 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_2_0(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 0 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_2_1(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 1 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %a0 = arith.constant 0 : index
  %ar0 = arith.muli %a0, %c128 : index
  attn_gpu.ring_fill %ring[%a0] from %from[%ar0, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  %e0 = arith.addi %n, %a0 : index
  %et0 = attn_gpu.ring_wait %ring[%e0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e0] : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_3_2(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 2 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %a0 = arith.constant 0 : index
  %ar0 = arith.muli %a0, %c128 : index
  attn_gpu.ring_fill %ring[%a0] from %from[%ar0, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a1 = arith.constant 1 : index
  %ar1 = arith.muli %a1, %c128 : index
  attn_gpu.ring_fill %ring[%a1] from %from[%ar1, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  %e0 = arith.addi %n, %a0 : index
  %et0 = attn_gpu.ring_wait %ring[%e0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e0] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
  %e1 = arith.addi %n, %a1 : index
  %et1 = attn_gpu.ring_wait %ring[%e1] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e1] : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_4_3(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 3 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %a0 = arith.constant 0 : index
  %ar0 = arith.muli %a0, %c128 : index
  attn_gpu.ring_fill %ring[%a0] from %from[%ar0, %c0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a1 = arith.constant 1 : index
  %ar1 = arith.muli %a1, %c128 : index
  attn_gpu.ring_fill %ring[%a1] from %from[%ar1, %c0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a2 = arith.constant 2 : index
  %ar2 = arith.muli %a2, %c128 : index
  attn_gpu.ring_fill %ring[%a2] from %from[%ar2, %c0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  %e0 = arith.addi %n, %a0 : index
  %et0 = attn_gpu.ring_wait %ring[%e0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e0] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  %e1 = arith.addi %n, %a1 : index
  %et1 = attn_gpu.ring_wait %ring[%e1] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e1] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  %e2 = arith.addi %n, %a2 : index
  %et2 = attn_gpu.ring_wait %ring[%e2] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e2] : !attn_gpu.ring<4 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_5_0(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 0 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<5 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @ring_loop_8_7(%from: memref<?x64xf16, strided<[?, 1]>>, %to: memref<?x64xf16, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ahead = arith.constant 7 : index
  %w = attn_gpu.warpgroup_index
  %first = arith.muli %w, %c64 : index
  %a0 = arith.constant 0 : index
  %ar0 = arith.muli %a0, %c128 : index
  attn_gpu.ring_fill %ring[%a0] from %from[%ar0, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a1 = arith.constant 1 : index
  %ar1 = arith.muli %a1, %c128 : index
  attn_gpu.ring_fill %ring[%a1] from %from[%ar1, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a2 = arith.constant 2 : index
  %ar2 = arith.muli %a2, %c128 : index
  attn_gpu.ring_fill %ring[%a2] from %from[%ar2, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a3 = arith.constant 3 : index
  %ar3 = arith.muli %a3, %c128 : index
  attn_gpu.ring_fill %ring[%a3] from %from[%ar3, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a4 = arith.constant 4 : index
  %ar4 = arith.muli %a4, %c128 : index
  attn_gpu.ring_fill %ring[%a4] from %from[%ar4, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a5 = arith.constant 5 : index
  %ar5 = arith.muli %a5, %c128 : index
  attn_gpu.ring_fill %ring[%a5] from %from[%ar5, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %a6 = arith.constant 6 : index
  %ar6 = arith.muli %a6, %c128 : index
  attn_gpu.ring_fill %ring[%a6] from %from[%ar6, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
  %middle = arith.minsi %n, %c3 : index
  scf.for %i = %c0 to %middle step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  scf.for %i = %middle to %n step %c1 {
    %later = arith.addi %i, %ahead : index
    %row = arith.muli %later, %c128 : index
    attn_gpu.ring_fill %ring[%later] from %from[%row, %c0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>, memref<?x64xf16, strided<[?, 1]>>
    %tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
    %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
    %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
    %at = arith.muli %i, %c128 : index
    %to_row = arith.addi %at, %first : index
    attn_gpu.write %x to %to[%to_row, %c0] : vector<64x64xf16>, memref<?x64xf16, strided<[?, 1]>>
  }
  %e0 = arith.addi %n, %a0 : index
  %et0 = attn_gpu.ring_wait %ring[%e0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e0] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e1 = arith.addi %n, %a1 : index
  %et1 = attn_gpu.ring_wait %ring[%e1] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e1] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e2 = arith.addi %n, %a2 : index
  %et2 = attn_gpu.ring_wait %ring[%e2] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e2] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e3 = arith.addi %n, %a3 : index
  %et3 = attn_gpu.ring_wait %ring[%e3] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e3] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e4 = arith.addi %n, %a4 : index
  %et4 = attn_gpu.ring_wait %ring[%e4] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e4] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e5 = arith.addi %n, %a5 : index
  %et5 = attn_gpu.ring_wait %ring[%e5] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e5] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  %e6 = arith.addi %n, %a6 : index
  %et6 = attn_gpu.ring_wait %ring[%e6] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.ring_release %ring[%e6] : !attn_gpu.ring<8 x !attn_gpu.tile<128x64xf16>>
  attn_gpu.return
}
