// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-warp-specialize))' --split-input-file --verify-diagnostics | FileCheck %s

// Nothing to fill: nothing to divide.

// CHECK-LABEL: attn_gpu.kernel @no_fill
// CHECK-NOT:   warp_specialize
attn_gpu.kernel @no_fill(%to: memref<?x1xf32>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  attn_gpu.work_loop (%i) in (%n) {
    attn_gpu.write %zero to %to[%i, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}

// -----

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
attn_gpu.kernel @outside(%x: memref<?x64xbf16>, %to: memref<?x1xf32>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{'attn_gpu.write' op expected to be in an attn_gpu.work_loop}}
  attn_gpu.write %zero to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.work_loop (%i) in (%n) {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, memref<?x64xbf16>
    %t = attn_gpu.ring_wait %ring[%c0] : !ring
    attn_gpu.ring_release %ring[%c0] : !ring
  }
  attn_gpu.return
}
