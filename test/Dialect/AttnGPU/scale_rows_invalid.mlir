// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_rows(%x: vector<1x64xf32>, %f: vector<64x1xf32>) {
  // expected-error @+1 {{operand #0 must be a fragment: a vector of 64 rows whose columns are a multiple of 8, but got 'vector<1x64xf32>'}}
  %0 = attn_gpu.scale_rows %x by %f : vector<1x64xf32>, vector<64x1xf32>
  return
}

// -----

func.func @c1_factors(%x: vector<64x64xf32>, %f: vector<64x4xf32>) {
  // expected-error @+1 {{expected a fragment 64xN of f32 and factors 64x1, got 'vector<64x64xf32>' and 'vector<64x4xf32>'}}
  %0 = attn_gpu.scale_rows %x by %f : vector<64x64xf32>, vector<64x4xf32>
  return
}

// -----

func.func @c1_element(%x: vector<64x64xbf16>, %f: vector<64x1xf32>) {
  // expected-error @+1 {{expected a fragment 64xN of f32 and factors 64x1, got 'vector<64x64xbf16>' and 'vector<64x1xf32>'}}
  %0 = attn_gpu.scale_rows %x by %f always : vector<64x64xbf16>, vector<64x1xf32>
  return
}
