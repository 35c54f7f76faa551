// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @outside() {
  // expected-error @+1 {{expects parent op 'attn_gpu.kernel'}}
  attn_gpu.warp_specialize producer 24 {
  } consumers 240 {
  }
  return
}

// -----

attn_gpu.kernel @c1_multiples() warpgroups 1 {
  // expected-error @+2 {{'producer' expected registers in multiples of 8 from 24 to 256, got 20}}
  // expected-error @+1 {{'consumers' expected registers in multiples of 8 from 24 to 256, got 264}}
  attn_gpu.warp_specialize producer 20 {
  } consumers 264 {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c1_all() warpgroups 2 {
  // expected-error @+1 {{expected at most 65536 registers in all, got 66560}}
  attn_gpu.warp_specialize producer 40 {
  } consumers 240 {
  }
  attn_gpu.return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @c2_tile(%n: index) warpgroups 1 {
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 24 {
    // expected-error @+1 {{works on tiles or fragments, which the producer must not}}
    %tile = attn_gpu.ring_wait %ring[%n] : !ring
  } consumers 240 {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_nested(%y: memref<?x1xf32>, %n: index) warpgroups 1 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  attn_gpu.warp_specialize producer 24 {
    scf.for %i = %n to %n step %c1 {
      // expected-error @+1 {{works on tiles or fragments, which the producer must not}}
      attn_gpu.write %zero to %y[%i, %i] : vector<64x1xf32>, memref<?x1xf32>
    }
  } consumers 240 {
  }
  attn_gpu.return
}

// -----

!ring = !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>

attn_gpu.kernel @c3(%x: memref<?x64xbf16>, %n: index) warpgroups 1 {
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 24 {
  } consumers 240 {
    scf.for %i = %n to %n step %c1 {
      // expected-error @+1 {{belongs to the producer, not to the consumers}}
      attn_gpu.ring_fill %ring[%i] from %x[%i, %i] : !ring, memref<?x64xbf16>
    }
  }
  attn_gpu.return
}
