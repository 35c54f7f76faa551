// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_pair(%x: vector<64x4xf32>) {
  // expected-error @+1 {{expected a reduction from 64xN to 64x4 or 64x1, or from 64x4 to 64x1, got 'vector<64x4xf32>' to 'vector<64x4xf32>'}}
  %0 = attn_gpu.row_reduce <add> %x : vector<64x4xf32> -> vector<64x4xf32>
  return
}

// -----

func.func @c1_columns(%x: vector<1x64xf32>) {
  // expected-error @+1 {{expected a reduction from 64xN to 64x4 or 64x1, or from 64x4 to 64x1, got 'vector<1x64xf32>' to 'vector<64x1xf32>'}}
  %0 = attn_gpu.row_reduce <add> %x : vector<1x64xf32> -> vector<64x1xf32>
  return
}

// -----

func.func @c1_element(%x: vector<64x64xbf16>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = attn_gpu.row_reduce <add> %x : vector<64x64xbf16> -> vector<64x1xf32>
  return
}

// -----

func.func @c2(%x: vector<64x64xf32>) {
  // expected-error @+1 {{'kind' expected add, maxnumf or minnumf, got mul}}
  %0 = attn_gpu.row_reduce <mul> %x : vector<64x64xf32> -> vector<64x1xf32>
  return
}
