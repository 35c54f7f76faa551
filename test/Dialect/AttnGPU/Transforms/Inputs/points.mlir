// One point of work after the other: D = (A B) C of rows of A, in steps.
!t = memref<?x64xbf16>
!o = memref<?x64xf32>
!both = !attn_gpu.tile<128x64xbf16>
!mine = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
!tile = !attn_gpu.tile<64x64xbf16>
!acc = vector<64x64xf32>
!p = vector<64x64xbf16>
attn_gpu.kernel @chain(%a: !t, %b: !t, %c: !t, %d: !o, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !acc
  %m = memref.dim %a, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.maxsi %n, %c1 : index
  attn_gpu.work_loop (%i) in (%m_tiles) schedule strided {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !both
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !both -> !mine
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (!acc) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !tile
      %z = attn_gpu.read %c[%at, %c0] : !t -> !tile
      %p_started = attn_gpu.mma %mine, %y transpose_b : !mine, !tile -> !acc
      %p = attn_gpu.mma_wait %p_started : !acc
      %p16 = arith.truncf %p : !acc to !p
      %d_started = attn_gpu.mma %p16, %z acc %acc : !p, !tile -> !acc
      %next = attn_gpu.mma_wait %d_started : !acc
      scf.yield %next : !acc
    }
    %my_row = arith.addi %row, %w_row : index
    attn_gpu.write %sum to %d[%my_row, %c0] : !acc, !o
  }
  attn_gpu.return
}
