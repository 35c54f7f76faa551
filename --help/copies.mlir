attn_gpu.kernel @copy_64x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_64x192_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x192xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x192xbf16> -> !attn_gpu.tile<64x192xbf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xbf16> -> vector<64x192xbf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x192xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_128x64_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> vector<64x64xbf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x64xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_128x192_bf16(%from: memref<?x?xbf16, strided<[?, 1]>>, %to: memref<?x?xbf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x192xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x192xbf16> -> !attn_gpu.tile<64x192xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xbf16, panel_rows = 128> -> vector<64x192xbf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x192xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_64x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x64xf16> -> !attn_gpu.tile<64x64xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_64x192_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x192xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<64x192xf16> -> !attn_gpu.tile<64x192xf16>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xf16> -> vector<64x192xf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x192xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_128x64_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xf16, panel_rows = 128> -> vector<64x64xf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_128x192_f16(%from: memref<?x?xf16, strided<[?, 1]>>, %to: memref<?x?xf16, strided<[?, 1]>>, %r: index, %c: index, %to_r: index, %to_c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%r, %c] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x192xf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %first = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%first] : !attn_gpu.tile<128x192xf16> -> !attn_gpu.tile<64x192xf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x192xf16, panel_rows = 128> -> vector<64x192xf16>
  %row = arith.addi %to_r, %first : index
  attn_gpu.write %x to %to[%row, %to_c] : vector<64x192xf16>, memref<?x?xf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @copy_4d(%from: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, %to: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, %b: index, %h: index, %s: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%b, %s, %h, %c0] row_dim 1 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  attn_gpu.write %x to %to[%b, %h, %s, %c0] : vector<64x64xbf16>, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>
  attn_gpu.return
}
