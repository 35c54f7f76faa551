// Loops whose products do not wait for each other, or not in their step, stay.

// RUN: attn-opt %s -o %t.before
// RUN: attn-opt %s --attn-gpu-pipeline -o %t.after
// RUN: diff %t.before %t.after

!t = memref<?x64xbf16>
!o = memref<?x64xf32>
!tile = !attn_gpu.tile<64x64xbf16>
!acc = vector<64x64xf32>

attn_gpu.kernel @independent(%a: !t, %d: !o, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !acc
  attn_gpu.work_loop (%i) in (%n) {
    %sums:2 = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (!acc, !acc) {
      %t = attn_gpu.read %a[%j, %c0] : !t -> !tile
      %s = attn_gpu.mma %t, %t acc %x : !tile, !tile -> !acc
      %r = attn_gpu.mma_wait %s : !acc
      %s2 = attn_gpu.mma %t, %t acc %y transpose_b : !tile, !tile -> !acc
      %r2 = attn_gpu.mma_wait %s2 : !acc
      scf.yield %r, %r2 : !acc, !acc
    }
    %sum = arith.addf %sums#0, %sums#1 : !acc
    attn_gpu.write %sum to %d[%c0, %c0] : !acc, !o
  }
  attn_gpu.return
}

attn_gpu.kernel @three(%a: !t, %d: !o, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !acc
  attn_gpu.work_loop (%i) in (%n) {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (!acc) {
      %t = attn_gpu.read %a[%j, %c0] : !t -> !tile
      %s = attn_gpu.mma %t, %t : !tile, !tile -> !acc
      %r = attn_gpu.mma_wait %s : !acc
      %f = arith.truncf %r : !acc to vector<64x64xbf16>
      %s2 = attn_gpu.mma %f, %t : vector<64x64xbf16>, !tile -> !acc
      %r2 = attn_gpu.mma_wait %s2 : !acc
      %f2 = arith.truncf %r2 : !acc to vector<64x64xbf16>
      %s3 = attn_gpu.mma %f2, %t acc %x : vector<64x64xbf16>, !tile -> !acc
      %r3 = attn_gpu.mma_wait %s3 : !acc
      scf.yield %r3 : !acc
    }
    attn_gpu.write %sum to %d[%c0, %c0] : !acc, !o
  }
  attn_gpu.return
}

attn_gpu.kernel @waited_for_under_a_condition(%a: !t, %d: !o, %n: index, %c: i1) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !acc
  attn_gpu.work_loop (%i) in (%n) {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (!acc) {
      %t = attn_gpu.read %a[%j, %c0] : !t -> !tile
      %s = attn_gpu.mma %t, %t : !tile, !tile -> !acc
      %r = attn_gpu.mma_wait %s : !acc
      %f = arith.truncf %r : !acc to vector<64x64xbf16>
      %s2 = attn_gpu.mma %f, %t acc %x : vector<64x64xbf16>, !tile -> !acc
      %r2 = scf.if %c -> (!acc) {
        %w = attn_gpu.mma_wait %s2 : !acc
        scf.yield %w : !acc
      } else {
        scf.yield %x : !acc
      }
      scf.yield %r2 : !acc
    }
    attn_gpu.write %sum to %d[%c0, %c0] : !acc, !o
  }
  attn_gpu.return
}
