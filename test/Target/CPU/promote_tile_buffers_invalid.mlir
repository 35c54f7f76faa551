// RUN: attn-opt %s -attn-promote-tile-buffers -verify-diagnostics

func.func @escapes(%n: index, %c: i1, %other: memref<4x8xf32>) {
  %r = scf.if %c -> memref<4x8xf32> {
    // expected-error @+1 {{buffer of type 'memref<32xf32>' leaves the block it is allocated in, so nothing would free it; expected a value computed into its destination}}
    %a = memref.alloc() : memref<32xf32>
    %v = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
    // expected-note @+1 {{it leaves here}}
    scf.yield %v : memref<4x8xf32>
  } else {
    scf.yield %other : memref<4x8xf32>
  }
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%r : memref<4x8xf32>)
  return
}
