// D = (A B) C, the product of A and B rounded and never written to memory.
!t = memref<?x64xbf16>
!o = memref<?x64xf32>
attn_gpu.kernel @chain(%a: !t, %b: !t, %c: !t, %d: !o) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %m = memref.dim %a, %c0 : !t
  %n = memref.dim %b, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.ceildivsi %n, %c64 : index
  attn_gpu.work_loop (%i) in (%m_tiles) {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !attn_gpu.tile<128x64xbf16>
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !attn_gpu.tile<64x64xbf16>
      %z = attn_gpu.read %c[%at, %c0] : !t -> !attn_gpu.tile<64x64xbf16>
      %p_started = attn_gpu.mma %mine, %y transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
      %p = attn_gpu.mma_wait %p_started : vector<64x64xf32>
      %p16 = arith.truncf %p : vector<64x64xf32> to vector<64x64xbf16>
      %d_started = attn_gpu.mma %p16, %z acc %acc : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
      %next = attn_gpu.mma_wait %d_started : vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    %my_row = arith.addi %row, %w_row : index
    attn_gpu.write %sum to %d[%my_row, %c0] : vector<64x64xf32>, !o
  }
  attn_gpu.return
}
