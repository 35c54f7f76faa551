attn_gpu.kernel @staged_64x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  attn_gpu.store_fragment %x to %rows : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_64x128_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x128xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x128xbf16> -> !attn_gpu.tile<64x128xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x128xbf16> -> !attn_gpu.tile<64x128xbf16>
  attn_gpu.store_fragment %x to %rows : vector<64x128xbf16>, !attn_gpu.tile<64x128xbf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_64x256_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x256xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x256xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x256xbf16> -> !attn_gpu.tile<64x256xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xbf16> -> vector<64x256xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x256xbf16> -> !attn_gpu.tile<64x256xbf16>
  attn_gpu.store_fragment %x to %rows : vector<64x256xbf16>, !attn_gpu.tile<64x256xbf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> vector<64x64xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x128_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x128xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x128xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xbf16, panel_rows = 128> -> vector<64x128xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x128xbf16>, !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xbf16, panel_rows = 128>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x256_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x256xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x256xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x256xbf16> -> !attn_gpu.tile<64x256xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xbf16, panel_rows = 128> -> vector<64x256xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x256xbf16> -> !attn_gpu.tile<64x256xbf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x256xbf16>, !attn_gpu.tile<64x256xbf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xbf16, panel_rows = 128>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x64xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<192x64xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 192> -> vector<64x64xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x128_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x128xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<192x128xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xbf16, panel_rows = 192> -> vector<64x128xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x128xbf16>, !attn_gpu.tile<64x128xbf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xbf16, panel_rows = 192>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x256_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x256xbf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<192x256xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x256xbf16> -> !attn_gpu.tile<64x256xbf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xbf16, panel_rows = 192> -> vector<64x256xbf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x256xbf16> -> !attn_gpu.tile<64x256xbf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x256xbf16>, !attn_gpu.tile<64x256xbf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xbf16, panel_rows = 192>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_64x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xf16> -> !attn_gpu.tile<64x64xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x64xf16> -> !attn_gpu.tile<64x64xf16>
  attn_gpu.store_fragment %x to %rows : vector<64x64xf16>, !attn_gpu.tile<64x64xf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_64x128_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x128xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x128xf16> -> !attn_gpu.tile<64x128xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xf16> -> vector<64x128xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x128xf16> -> !attn_gpu.tile<64x128xf16>
  attn_gpu.store_fragment %x to %rows : vector<64x128xf16>, !attn_gpu.tile<64x128xf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_64x256_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x256xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x256xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x256xf16> -> !attn_gpu.tile<64x256xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xf16> -> vector<64x256xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<64x256xf16> -> !attn_gpu.tile<64x256xf16>
  attn_gpu.store_fragment %x to %rows : vector<64x256xf16>, !attn_gpu.tile<64x256xf16>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x64xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x64xf16>, !attn_gpu.tile<64x64xf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xf16, panel_rows = 128>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x128_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x128xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x128xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x128xf16> -> !attn_gpu.tile<64x128xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xf16, panel_rows = 128> -> vector<64x128xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x128xf16> -> !attn_gpu.tile<64x128xf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x128xf16>, !attn_gpu.tile<64x128xf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xf16, panel_rows = 128>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_128x256_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<128x256xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x256xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x256xf16> -> !attn_gpu.tile<64x256xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xf16, panel_rows = 128> -> vector<64x256xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<128x256xf16> -> !attn_gpu.tile<64x256xf16, panel_rows = 128>
  attn_gpu.store_fragment %x to %rows : vector<64x256xf16>, !attn_gpu.tile<64x256xf16, panel_rows = 128>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xf16, panel_rows = 128>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x64xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<192x64xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 192> -> vector<64x64xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x64xf16>, !attn_gpu.tile<64x64xf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x64xf16, panel_rows = 192>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x128_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x128xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<192x128xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x128xf16> -> !attn_gpu.tile<64x128xf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x128xf16, panel_rows = 192> -> vector<64x128xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x128xf16> -> !attn_gpu.tile<64x128xf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x128xf16>, !attn_gpu.tile<64x128xf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x128xf16, panel_rows = 192>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_192x256_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<192x256xf16>
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<192x256xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<192x256xf16> -> !attn_gpu.tile<64x256xf16, panel_rows = 192>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x256xf16, panel_rows = 192> -> vector<64x256xf16>
  %rows = attn_gpu.subtile %stage[%first] : !attn_gpu.tile<192x256xf16> -> !attn_gpu.tile<64x256xf16, panel_rows = 192>
  attn_gpu.store_fragment %x to %rows : vector<64x256xf16>, !attn_gpu.tile<64x256xf16, panel_rows = 192>
  %row = arith.addi %r, %first : index
  attn_gpu.copy_out %rows to %to[%row, %c] : !attn_gpu.tile<64x256xf16, panel_rows = 192>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.copy_wait
  attn_gpu.return
}
