// RUN: attn-opt %s --split-input-file --verify-diagnostics

attn_gpu.kernel @c1_offsets(%to: memref<?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{expected an offset for each dimension of 'destination', 2, got 1}}
  attn_gpu.copy_out %tile to %to[%c0] : !attn_gpu.tile<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_row_dim(%to: memref<?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'row_dim'}}
  attn_gpu.copy_out %tile to %to[%c0, %c0] row_dim 1 : !attn_gpu.tile<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c3_element(%to: memref<?x64xf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'destination' expected elements of 'bf16' as the tile, got 'f16'}}
  attn_gpu.copy_out %tile to %to[%c0, %c0] : !attn_gpu.tile<64x64xbf16>, memref<?x64xf16>
  attn_gpu.return
}

// -----

func.func @tile_outside() {
  // expected-error @+1 {{expects parent op 'attn_gpu.kernel'}}
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  return
}

// -----

attn_gpu.kernel @c5_column(%to: memref<?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{the last offset expected a multiple of 8, 16 bytes, got 12}}
  attn_gpu.copy_out %tile to %to[%c0, %c12] : !attn_gpu.tile<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}
