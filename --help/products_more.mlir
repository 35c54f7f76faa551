attn_gpu.kernel @mma_subtiles(%a: memref<128x128xbf16, strided<[?, 1]>>, %b: memref<256x128xbf16, strided<[?, 1]>>, %to: memref<256x128xf32, strided<[?, 1]>>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<128x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x128xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<256x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<256x128xbf16>
  %w = attn_gpu.warpgroup_index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %w, %c64 : index
  %b_row = arith.muli %w, %c128 : index
  %a_mine = attn_gpu.subtile %a_tile[%row] : !attn_gpu.tile<128x128xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  %b_mine = attn_gpu.subtile %b_tile[%b_row] : !attn_gpu.tile<256x128xbf16> -> !attn_gpu.tile<128x128xbf16, panel_rows = 256>
  %s = attn_gpu.mma %a_mine, %b_mine transpose_b : !attn_gpu.tile<64x128xbf16, panel_rows = 128>, !attn_gpu.tile<128x128xbf16, panel_rows = 256> -> vector<64x128xf32>
  %t = attn_gpu.mma %a_mine, %b_mine : !attn_gpu.tile<64x128xbf16, panel_rows = 128>, !attn_gpu.tile<128x128xbf16, panel_rows = 256> -> vector<64x128xf32>
  %x = attn_gpu.mma_wait %s pending 1 : vector<64x128xf32>
  attn_gpu.write %x to %to[%row, %c0] : vector<64x128xf32>, memref<256x128xf32, strided<[?, 1]>>
  %y = attn_gpu.mma_wait %t : vector<64x128xf32>
  %row2 = arith.addi %row, %c128 : index
  attn_gpu.write %y to %to[%row2, %c0] : vector<64x128xf32>, memref<256x128xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @loop_bf16(%a: memref<?x?xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %d = memref.dim %b, %c0 : memref<?x64xbf16, strided<[?, 1]>>
  %sum = scf.for %k = %c0 to %d step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %a_tile = attn_gpu.read %a[%c0, %k] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
    %b_tile = attn_gpu.read %b[%k, %c0] : memref<?x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
    %s = attn_gpu.mma %a_tile, %b_tile acc %acc : !attn_gpu.tile<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
    %x = attn_gpu.mma_wait %s : vector<64x64xf32>
    scf.yield %x : vector<64x64xf32>
  }
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @loop_f16(%a: memref<?x?xf16, strided<[?, 1]>>, %b: memref<?x64xf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %d = memref.dim %b, %c0 : memref<?x64xf16, strided<[?, 1]>>
  %sum = scf.for %k = %c0 to %d step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %a_tile = attn_gpu.read %a[%c0, %k] : memref<?x?xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
    %b_tile = attn_gpu.read %b[%k, %c0] : memref<?x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
    %s = attn_gpu.mma %a_tile, %b_tile acc %acc : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
    %x = attn_gpu.mma_wait %s : vector<64x64xf32>
    scf.yield %x : vector<64x64xf32>
  }
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}
