// A product for each row of tiles of A: a read in each of two loops.
!t = memref<?x64xbf16>
!o = memref<?x64xf32>
!tile = !attn_gpu.tile<64x64xbf16>
attn_gpu.kernel @nest(%a: !t, %b: !t, %d: !o, %n: index, %m: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%i) in (%n) {
    scf.for %j = %c0 to %m step %c1 {
      %x = attn_gpu.read %a[%j, %c0] : !t -> !tile
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
        %y = attn_gpu.read %b[%k, %c0] : !t -> !tile
        %s = attn_gpu.mma %x, %y acc %acc : !tile, !tile -> vector<64x64xf32>
        %r = attn_gpu.mma_wait %s : vector<64x64xf32>
        scf.yield %r : vector<64x64xf32>
      }
      attn_gpu.write %sum to %d[%j, %c0] : vector<64x64xf32>, !o
    }
  }
  attn_gpu.return
}
