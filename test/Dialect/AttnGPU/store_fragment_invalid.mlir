// RUN: attn-opt %s --split-input-file --verify-diagnostics

attn_gpu.kernel @c1_rows() warpgroups 2 {
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  %tile = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
  // expected-error @+1 {{'tile' expected 64 rows, got 128}}
  attn_gpu.store_fragment %x to %tile : vector<64x64xbf16>, !attn_gpu.tile<128x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c1_columns() warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x64xbf16>
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x128xbf16>
  // expected-error @+1 {{'fragment' expected 128 columns from column 0 on, got 'vector<64x64xbf16>'}}
  attn_gpu.store_fragment %x to %tile : vector<64x64xbf16>, !attn_gpu.tile<64x128xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c1_element() warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x64xf16>
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'fragment' expected 'vector<64x64xbf16>', got 'vector<64x64xf16>'}}
  attn_gpu.store_fragment %x to %tile : vector<64x64xf16>, !attn_gpu.tile<64x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_step() warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x128xbf16>
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'column' expected a multiple of 16, got 8}}
  attn_gpu.store_fragment %x column 8 to %tile : vector<64x128xbf16>, !attn_gpu.tile<64x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_beyond() warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x128xbf16>
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'fragment' expected 64 columns from column 80 on, got 'vector<64x128xbf16>'}}
  attn_gpu.store_fragment %x column 80 to %tile : vector<64x128xbf16>, !attn_gpu.tile<64x64xbf16>
  attn_gpu.return
}
