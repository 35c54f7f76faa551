// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --split-input-file --verify-diagnostics

// C1: layouts and constants; all at once.

attn_gpu.kernel @vectors(%value: f32) warpgroups 1 {
  // expected-error @+1 {{has a vector without a layout: expected 64x1, 64x4, 64xN or 1xN with N a multiple of 8, got 'vector<32x8xf32>'}}
  %x = vector.broadcast %value : f32 to vector<32x8xf32>
  // expected-error @+1 {{has a vector without a layout: expected 64x1, 64x4, 64xN or 1xN with N a multiple of 8, got 'vector<64xf32>'}}
  %y = vector.broadcast %value : f32 to vector<64xf32>
  // expected-error @+1 {{expected one value for all elements: numbers of rows and columns come from attn_gpu.iota}}
  %z = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : vector<1x8xi32>
  attn_gpu.return
}

// -----

// C2

attn_gpu.kernel @operations(%x: f32, %n: index) warpgroups 1 {
  // expected-error @+1 {{'math.sin' op has no lowering to NVVM: a kernel holds operations of attn_gpu, arith, scf.for, scf.if, scf.while, vector.broadcast, memref.dim, and of math absf, absi, ceil, copysign, exp2, floor, fma, log2, roundeven, sqrt, trunc}}
  %s = math.sin %x : f32
  // expected-error @+1 {{'memref.alloc' op has no lowering to NVVM}}
  %m = memref.alloc(%n) : memref<?xf32>
  attn_gpu.return
}

// -----

attn_gpu.kernel @tensors(%a: memref<?x64xbf16>, %c: i1, %dim: index) warpgroups 1 {
  // expected-error @+1 {{takes a tensor: expected attn_gpu.read, attn_gpu.write or memref.dim}}
  %b = arith.select %c, %a, %a : memref<?x64xbf16>
  // expected-error @+1 {{expected a ranked tensor and a constant dimension}}
  %n = memref.dim %a, %dim : memref<?x64xbf16>
  attn_gpu.return
}

// -----

// C3

attn_gpu.kernel @carried(%a: memref<64x64xbf16>, %to: memref<64x64xf32>, %n: index)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{carries '!attn_gpu.tile<64x64xbf16>' and holds an attn_gpu.read, which overwrites what an iteration before has read}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!attn_gpu.tile<64x64xbf16>) {
    %next = attn_gpu.read %a[%i, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
    scf.yield %next : !attn_gpu.tile<64x64xbf16>
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @in_flight(%a: memref<64x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %t = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{expected one use of a product in flight, got 0}}
  %s = attn_gpu.mma %t, %t : !attn_gpu.tile<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  attn_gpu.return
}

// -----

// C4

attn_gpu.kernel @elements(%to: memref<64x1xf64>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<0.0> : vector<64x1xf64>
  // expected-error @+1 {{'destination' expected elements of 16 or 32 bits, got 'f64'}}
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x1xf64>, memref<64x1xf64>
  attn_gpu.return
}

// -----

// C5

// expected-error @+1 {{'attn_gpu.kernel' op expected tiles of at most 232448 bytes in all, got 262144}}
attn_gpu.kernel @shared(%a: memref<256x256xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{'!attn_gpu.tile<256x256xbf16>' has 131072}}
  %s = attn_gpu.read %a[%c0, %c0] : memref<256x256xbf16> -> !attn_gpu.tile<256x256xbf16>
  // expected-note @+1 {{'!attn_gpu.tile<256x256xbf16>' has 131072}}
  %t = attn_gpu.read %a[%c0, %c0] : memref<256x256xbf16> -> !attn_gpu.tile<256x256xbf16>
  attn_gpu.return
}
