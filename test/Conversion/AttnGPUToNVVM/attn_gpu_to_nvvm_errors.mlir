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
  // expected-error @+1 {{takes a tensor: expected attn_gpu.read, attn_gpu.ring_fill, attn_gpu.write, attn_gpu.copy_out or memref.dim}}
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
    // expected-note @+1 {{read here}}
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

// -----

// expected-error @+1 {{'attn_gpu.kernel' op expected tiles of at most 232448 bytes in all, got 262176}}
attn_gpu.kernel @shared_rings(%a: memref<256x256xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{'!attn_gpu.ring<2 x !attn_gpu.tile<256x256xbf16>>' has 262144}}
  %ring = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<256x256xbf16>>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<2 x !attn_gpu.tile<256x256xbf16>>
  attn_gpu.return
}

// -----

// C6

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @dimensions(%a: memref<2x2x2x2x64x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{'source' expected at most 5 dimensions, which the copy engine walks, got 6: collapse some, or read it with attn_gpu.read}}
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0, %c0, %c0, %c0, %c0] : !ring, memref<2x2x2x2x64x64xbf16>
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.return
}

// -----

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @carried_tensor(%a: memref<64x64xbf16>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{takes a tensor}}
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (memref<64x64xbf16>) {
    // expected-error @+1 {{'source' expected an argument of the kernel}}
    attn_gpu.ring_fill %ring[%i] from %t[%c0, %c0] : !ring, memref<64x64xbf16>
    attn_gpu.ring_release %ring[%i] : !ring
    // expected-error @+1 {{takes a tensor}}
    scf.yield %t : memref<64x64xbf16>
  }
  attn_gpu.return
}

// -----

// C7

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @unfilled(%n: index, %a: memref<64x64xbf16>, %c: i1) warpgroups 1 {
  // expected-error @+1 {{is waited for but not filled}}
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{is filled but not released}}
  %kept = attn_gpu.ring_create : !ring
  %t = attn_gpu.ring_wait %ring[%n] : !ring
  attn_gpu.ring_fill %kept[%n] from %a[%n, %n] : !ring, memref<64x64xbf16>
  %either = arith.select %c, %ring, %kept : !ring
  // expected-error @+1 {{'ring' expected the result of an attn_gpu.ring_create}}
  attn_gpu.ring_release %either[%n] : !ring
  attn_gpu.return
}

// -----

// C8

!ring = !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @roles(%a: memref<64x64xbf16>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{expected to be in one of the roles of attn_gpu.warp_specialize}}
  attn_gpu.turn_wait
  attn_gpu.warp_specialize producer 40 {
    // expected-error @+1 {{depends on attn_gpu.warpgroup_index, which the producer does not have}}
    %w = attn_gpu.warpgroup_index
    // expected-error @+1 {{depends on attn_gpu.warpgroup_index, which the producer does not have}}
    attn_gpu.ring_fill %ring[%c0] from %a[%w, %c0] : !ring, memref<64x64xbf16>
    // expected-error @+1 {{belongs to the consumers, not to the producer}}
    attn_gpu.ring_release %ring[%c0] : !ring
    // expected-error @+1 {{belongs to the consumers, not to the producer}}
    attn_gpu.turn_pass
  } consumers 232 {
    // expected-error @+1 {{needs all threads of the block, which have roles: expected a ring}}
    %t = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  }
  // expected-error @+1 {{is not the kernel's first: expected one}}
  attn_gpu.warp_specialize producer 40 {
  } consumers 232 {
  }
  attn_gpu.return
}

// -----

// 640 threads start with 96 registers each.

attn_gpu.kernel @registers() warpgroups 4 {
  // expected-error @+1 {{expected at most 480 registers over the warpgroups, what 640 threads start with, got 504}}
  attn_gpu.warp_specialize producer 24 {
  } consumers 120 {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @threads() warpgroups 8 {
  // expected-error @+1 {{expected at most 1024 threads with the producer's, got 1152}}
  attn_gpu.warp_specialize producer 24 {
  } consumers 24 {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @copy_out_of_six(%to: memref<2x2x2x2x?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  // expected-error @+1 {{'destination' expected at most 5 dimensions, which the copy engine walks, got 6: collapse some, or write it with attn_gpu.write}}
  attn_gpu.copy_out %tile to %to[%c0, %c0, %c0, %c0, %c0, %c0] : !attn_gpu.tile<64x64xbf16>, memref<2x2x2x2x?x64xbf16>
  attn_gpu.return
}

// -----

attn_gpu.kernel @copy_wait_of_the_producer() warpgroups 1 {
  attn_gpu.warp_specialize producer 56 {
    // expected-error @+1 {{belongs to the consumers, not to the producer}}
    attn_gpu.copy_wait
  } consumers 256 {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @two_persistent_loops(%n: index) warpgroups 1 {
  // expected-error @+1 {{is persistent: expected it to be the kernel's only work loop, or each role to have the same one}}
  attn_gpu.work_loop (%i) in (%n) schedule dynamic {
  }
  attn_gpu.work_loop (%i) in (%n) {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @roles_with_different_loops(%n: index, %m: index) warpgroups 1 {
  attn_gpu.warp_specialize producer 56 {
    // expected-error @+1 {{is persistent: expected it to be the kernel's only work loop, or each role to have the same one}}
    attn_gpu.work_loop (%i) in (%n) schedule strided {
    }
  } consumers 256 {
    attn_gpu.work_loop (%i) in (%m) schedule strided {
    }
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @one_role_without_work(%n: index) warpgroups 1 {
  attn_gpu.warp_specialize producer 56 {
  } consumers 256 {
    // expected-error @+1 {{is persistent: expected it to be the kernel's only work loop, or each role to have the same one}}
    attn_gpu.work_loop (%i) in (%n) schedule dynamic {
    }
  }
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected at most 16 named barriers for turns and staged writes, got 17}}
attn_gpu.kernel @named_barriers() warpgroups 8 {
  attn_gpu.turn_wait
  attn_gpu.turn_pass
  attn_gpu.copy_wait
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected tiles of at most 232448 bytes in all, got 262144}}
attn_gpu.kernel @stage_too_great() warpgroups 1 {
  // expected-note @+1 {{'!attn_gpu.tile<512x256xbf16>' has 262144}}
  %tile = attn_gpu.tile_create : !attn_gpu.tile<512x256xbf16>
  attn_gpu.return
}
