attn_gpu.kernel @ring_rank2_row0(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1] row_dim 0 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank3_row0(%from: memref<?x?x?xbf16, strided<[?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2] row_dim 0 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?xbf16, strided<[?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank3_row1(%from: memref<?x?x?xbf16, strided<[?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2] row_dim 1 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?xbf16, strided<[?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank4_row0(%from: memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3] row_dim 0 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank4_row1(%from: memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3] row_dim 1 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank4_row2(%from: memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3] row_dim 2 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank5_row0(%from: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index, %i4: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3, %i4] row_dim 0 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank5_row1(%from: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index, %i4: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3, %i4] row_dim 1 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank5_row2(%from: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index, %i4: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3, %i4] row_dim 2 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_rank5_row3(%from: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %to: memref<64x128xbf16, strided<[?, 1]>>, %i0: index, %i1: index, %i2: index, %i3: index, %i4: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%i0, %i1, %i2, %i3, %i4] row_dim 3 : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x128xbf16>, memref<64x128xbf16, strided<[?, 1]>>
  attn_gpu.return
}
