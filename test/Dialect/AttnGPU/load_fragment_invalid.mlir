// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_rows(%t: !attn_gpu.tile<128x64xbf16>) {
  // expected-error @+1 {{'tile' expected 64 rows, got 128}}
  %0 = attn_gpu.load_fragment %t : !attn_gpu.tile<128x64xbf16> -> vector<64x64xbf16>
  return
}

// -----

func.func @c1_shape(%t: !attn_gpu.tile<64x64xbf16>) {
  // expected-error @+1 {{'fragment' expected 'vector<64x64xbf16>', got 'vector<64x128xbf16>'}}
  %0 = attn_gpu.load_fragment %t : !attn_gpu.tile<64x64xbf16> -> vector<64x128xbf16>
  return
}

// -----

func.func @c1_element(%t: !attn_gpu.tile<64x64xbf16>) {
  // expected-error @+1 {{'fragment' expected 'vector<64x64xbf16>', got 'vector<64x64xf16>'}}
  %0 = attn_gpu.load_fragment %t : !attn_gpu.tile<64x64xbf16> -> vector<64x64xf16>
  return
}
