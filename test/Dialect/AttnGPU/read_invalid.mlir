// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1(%x: memref<?x?x64xbf16>, %c0: index) {
  // expected-error @+1 {{expected an offset for each dimension of 'source', 3, got 2}}
  %0 = attn_gpu.read %x[%c0, %c0] : memref<?x?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

func.func @c2_last(%x: memref<?x64xbf16>, %c0: index) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'source' other than the last, got 1}}
  %0 = attn_gpu.read %x[%c0, %c0] row_dim 1 : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

func.func @c2_negative(%x: memref<?x64xbf16>, %c0: index) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'source' other than the last, got -1}}
  %0 = attn_gpu.read %x[%c0, %c0] row_dim -1 : memref<?x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

func.func @c2_vector(%x: memref<?xbf16>, %c0: index) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'source' other than the last, got -1}}
  %0 = attn_gpu.read %x[%c0] : memref<?xbf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

func.func @c2_scalar(%x: memref<bf16>) {
  // expected-error @+1 {{'row_dim' expected a dimension of 'source' other than the last, got -2}}
  %0 = attn_gpu.read %x[] : memref<bf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

// All at once.

func.func @c3_c4(%x: memref<?x64xf16, strided<[64, 2]>>, %c0: index) {
  // expected-error @+2 {{'source' expected unit stride in the last dimension, got 'memref<?x64xf16, strided<[64, 2]>>'}}
  // expected-error @+1 {{'source' expected elements of 'bf16' as the tile, got 'f16'}}
  %0 = attn_gpu.read %x[%c0, %c0] : memref<?x64xf16, strided<[64, 2]>> -> !attn_gpu.tile<64x64xbf16>
  return
}
