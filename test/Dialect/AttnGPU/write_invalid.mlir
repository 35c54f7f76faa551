// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1(%v: vector<64x64xbf16>, %x: memref<?x64xbf16>, %c0: index) {
  // expected-error @+1 {{expected an offset for each dimension of 'destination', 2, got 3}}
  attn_gpu.write %v to %x[%c0, %c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  return
}

// -----

func.func @c2(%v: vector<64x64xbf16>, %x: memref<?x64xbf16>, %c0: index) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'destination' other than the last, got 1}}
  attn_gpu.write %v to %x[%c0, %c0] row_dim 1 : vector<64x64xbf16>, memref<?x64xbf16>
  return
}

// -----

func.func @c3(%v: vector<64x64xf32>, %x: memref<?x64xbf16>, %c0: index) {
  // expected-error @+1 {{'destination' expected elements of 'f32' as the value, got 'bf16'}}
  attn_gpu.write %v to %x[%c0, %c0] : vector<64x64xf32>, memref<?x64xbf16>
  return
}

// -----

func.func @c4(%v: vector<64x1xf32>, %x: memref<?x1xf32, strided<[1, ?]>>, %c0: index) {
  // expected-error @+1 {{'destination' expected unit stride in the last dimension, got 'memref<?x1xf32, strided<[1, ?]>>'}}
  attn_gpu.write %v to %x[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32, strided<[1, ?]>>
  return
}

// -----

func.func @c5_partials(%v: vector<64x4xf32>, %x: memref<?x4xf32>, %c0: index) {
  // expected-error @+1 {{operand #0 must be a fragment: a vector of 64 rows whose columns are a multiple of 8 or a value for each row: a vector<64x1>, but got 'vector<64x4xf32>'}}
  attn_gpu.write %v to %x[%c0, %c0] : vector<64x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @c5_columns(%v: vector<1x64xf32>, %x: memref<?x64xf32>, %c0: index) {
  // expected-error @+1 {{operand #0 must be a fragment: a vector of 64 rows}}
  attn_gpu.write %v to %x[%c0, %c0] : vector<1x64xf32>, memref<?x64xf32>
  return
}
