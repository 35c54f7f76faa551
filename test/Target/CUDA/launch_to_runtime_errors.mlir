// RUN: attn-opt %s --attn-gpu-launch-to-runtime --split-input-file --verify-diagnostics

// C1: memory of the device is out of the host program's reach.

attn_gpu.image @k chip "sm_90a" threads 128 shared 0 parameters [] ptx ""
func.func @stores(%x: memref<4xf32>, %n: index, %v: f32) {
  // expected-error @+1 {{'memref.store' works on the device's memory, but is not part of a kernel: expected a function of attention alone}}
  memref.store %v, %x[%n] : memref<4xf32>
  attn_gpu.launch @k blocks %n ins() outs(%x : memref<4xf32>)
  return
}

// -----

// In a loop, too.

attn_gpu.image @k chip "sm_90a" threads 128 shared 0 parameters [] ptx ""
func.func @allocates(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{'memref.alloc' works on the device's memory}}
    %y = memref.alloc() : memref<4xf32>
    attn_gpu.launch @k blocks %n ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  }
  return
}

// -----

// C2

attn_gpu.kernel @k(%x: memref<4xf32>) warpgroups 1 {
  attn_gpu.return
}
func.func @not_compiled(%x: memref<4xf32>, %n: index) {
  // expected-error @+1 {{no image @k}}
  attn_gpu.launch @k blocks %n ins() outs(%x : memref<4xf32>)
  return
}
