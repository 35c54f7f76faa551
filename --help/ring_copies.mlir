attn_gpu.kernel @ring_copy_64x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_64x128_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x128xbf16> -> !attn_gpu.tile<64x128xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x128xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_64x256_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x256xbf16> -> !attn_gpu.tile<64x256xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xbf16> -> vector<64x256xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x256xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_128x128_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xbf16, panel_rows = 128> -> vector<64x128xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x128xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_128x192_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x192xbf16> -> !attn_gpu.tile<64x192xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xbf16, panel_rows = 128> -> vector<64x192xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x192xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_192x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 192> -> vector<64x64xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_320x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 5 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xbf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xbf16>>, memref<?x?xbf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xbf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<320x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 320>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 320> -> vector<64x64xbf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xbf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_64x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xf16> -> !attn_gpu.tile<64x64xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_64x128_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x128xf16> -> !attn_gpu.tile<64x128xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xf16> -> vector<64x128xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x128xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x128xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_64x256_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x256xf16> -> !attn_gpu.tile<64x256xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xf16> -> vector<64x256xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x256xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_128x128_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x128xf16> -> !attn_gpu.tile<64x128xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xf16, panel_rows = 128> -> vector<64x128xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x128xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_128x192_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x192xf16> -> !attn_gpu.tile<64x192xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xf16, panel_rows = 128> -> vector<64x192xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<128x192xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x192xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_192x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 192> -> vector<64x64xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @ring_copy_320x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 5 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xf16>>
  attn_gpu.ring_fill %ring[%c0] from %from[%r, %c] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xf16>>, memref<?x?xf16, strided<[?, 1]>>
  %tile = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xf16>>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<320x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 320>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 320> -> vector<64x64xf16>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<320x64xf16>>
  attn_gpu.write %x to %to[%first, %c0] : vector<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}
