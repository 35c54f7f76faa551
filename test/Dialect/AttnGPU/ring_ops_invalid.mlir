// RUN: attn-opt %s --split-input-file --verify-diagnostics

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

func.func @create_outside() {
  // expected-error @+1 {{expects parent op 'attn_gpu.kernel'}}
  %0 = attn_gpu.ring_create : !ring
  return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

func.func @fill_c1(%ring: !ring, %n: index, %x: memref<?x?x64xbf16>) {
  // expected-error @+1 {{expected an offset for each dimension of 'source', 3, got 2}}
  attn_gpu.ring_fill %ring[%n] from %x[%n, %n] : !ring, memref<?x?x64xbf16>
  return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

func.func @fill_c2(%ring: !ring, %n: index, %x: memref<?x64xbf16>) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'source' other than the last, got 1}}
  attn_gpu.ring_fill %ring[%n] from %x[%n, %n] row_dim 1 : !ring, memref<?x64xbf16>
  return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

func.func @fill_c3_c4(%ring: !ring, %n: index, %x: memref<?x64xf16, strided<[64, 2]>>) {
  // expected-error @+2 {{'source' expected unit stride in the last dimension, got 'memref<?x64xf16, strided<[64, 2]>>'}}
  // expected-error @+1 {{'source' expected elements of 'bf16' as the ring, got 'f16'}}
  attn_gpu.ring_fill %ring[%n] from %x[%n, %n] : !ring, memref<?x64xf16, strided<[64, 2]>>
  return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

func.func @wait(%ring: !ring, %n: index) {
  // expected-error @+1 {{expected the ring's tile '!attn_gpu.tile<64x64xbf16>', got '!attn_gpu.tile<64x128xbf16>'}}
  %0 = "attn_gpu.ring_wait"(%ring, %n) : (!ring, index) -> !attn_gpu.tile<64x128xbf16>
  return
}

// -----

attn_gpu.kernel @c6_column(%x: memref<?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %cm9 = arith.constant -9 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  // expected-error @+1 {{the last offset expected a multiple of 8, 16 bytes, got -9}}
  attn_gpu.ring_fill %ring[%c0] from %x[%c0, %cm9] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @create_c1_alone() warpgroups 1 {
  // expected-error @+1 {{is 'multicast', but the kernel has no clusters}}
  %ring = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  attn_gpu.return
}

// -----

attn_gpu.kernel @create_c1_rows() warpgroups 1 cluster 4 {
  %ring = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  // expected-error @+1 {{is 'multicast': expected a multiple of 4 * 8 rows, got 80}}
  %odd = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<80x64xbf16>>
  attn_gpu.return
}
