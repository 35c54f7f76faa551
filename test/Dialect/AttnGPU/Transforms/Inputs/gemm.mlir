// C = A B, tiles of 128 x 128.
attn_gpu.kernel @gemm(%a: memref<?x?xbf16, strided<[?, 1]>>, %b: memref<?x?xbf16, strided<[?, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %m = memref.dim %a, %c0 : memref<?x?xbf16, strided<[?, 1]>>
  %k = memref.dim %a, %c1 : memref<?x?xbf16, strided<[?, 1]>>
  %n = memref.dim %b, %c1 : memref<?x?xbf16, strided<[?, 1]>>
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.ceildivsi %n, %c128 : index
  %k_tiles = arith.ceildivsi %k, %c64 : index
  attn_gpu.work_loop (%i, %j) in (%m_tiles, %n_tiles) {
    %row = arith.muli %i, %c128 : index
    %column = arith.muli %j, %c128 : index
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %sum = scf.for %s = %c0 to %k_tiles step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
      %depth = arith.muli %s, %c64 : index
      %x = attn_gpu.read %a[%row, %depth] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xbf16>
      %y = attn_gpu.read %b[%depth, %column] : memref<?x?xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
      %mine = attn_gpu.subtile %x[%w_row] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
      %started = attn_gpu.mma %mine, %y acc %acc : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, !attn_gpu.tile<64x128xbf16> -> vector<64x128xf32>
      %next = attn_gpu.mma_wait %started : vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %my_row = arith.addi %row, %w_row : index
    attn_gpu.write %sum to %c[%my_row, %column] : vector<64x128xf32>, memref<?x?xf32, strided<[?, 1]>>
  }
  attn_gpu.return
}
