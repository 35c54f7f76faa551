// The first tile is multiplied with each that follows.
!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>
attn_gpu.kernel @carried_as_it_is(%a: !t, %o: memref<?x64xf32>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first, %acc = %zero) -> (!tile, vector<64x64xf32>) {
    %y = attn_gpu.read %a[%i, %c0] : !t -> !tile
    %p = attn_gpu.mma %x, %y : !tile, !tile -> vector<64x64xf32>
    %s = attn_gpu.mma_wait %p : vector<64x64xf32>
    %t = arith.addf %s, %acc : vector<64x64xf32>
    scf.yield %x, %t : !tile, vector<64x64xf32>
  }
  attn_gpu.write %r#1 to %o[%c0, %c0] : vector<64x64xf32>, memref<?x64xf32>
  attn_gpu.return
}
