// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_fragment() {
  // expected-error @+1 {{expected a vector of 64x1 or 1xN, got 'vector<64x64xindex>'}}
  %0 = attn_gpu.iota : vector<64x64xindex>
  return
}

// -----

func.func @c1_columns() {
  // expected-error @+1 {{expected a vector of 64x1 or 1xN, got 'vector<1x12xi32>'}}
  %0 = attn_gpu.iota : vector<1x12xi32>
  return
}

// -----

func.func @c1_element() {
  // expected-error @+1 {{result #0 must be}}
  %0 = attn_gpu.iota : vector<64x1xi64>
  return
}
