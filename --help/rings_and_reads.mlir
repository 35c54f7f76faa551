attn_gpu.kernel @rings_and_reads(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %c64 : index
    attn_gpu.ring_fill %ring[%i] from %b[%row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
    %a_tile = attn_gpu.read %a[%row, %c0] : memref<?x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
    %b_tile = attn_gpu.ring_wait %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    %started = attn_gpu.mma %a_tile, %b_tile : !attn_gpu.tile<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
    %s = attn_gpu.mma_wait %started : vector<64x64xf32>
    attn_gpu.ring_release %ring[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
    attn_gpu.write %s to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
  }
  attn_gpu.return
}
