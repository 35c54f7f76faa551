// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_fragment(%x: vector<64x64xf32>) {
  // expected-error @+1 {{expected vector<64x1xf32> or vector<64x4xf32>, got 'vector<64x64xf32>'}}
  attn_gpu.make_now %x : vector<64x64xf32>
  return
}

// -----

func.func @c1_element(%x: vector<64x4xi32>) {
  // expected-error @+1 {{must be vector of 32-bit float values of ranks 2}}
  attn_gpu.make_now %x : vector<64x4xi32>
  return
}
