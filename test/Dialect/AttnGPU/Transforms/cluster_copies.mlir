// Tiles that all thread blocks of a cluster read come through multicast rings.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy))' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-stage-writes,attn-gpu-pipeline,canonicalize,cse,attn-gpu-warp-specialize,canonicalize,cse,attn-gpu-verify))' | FileCheck %s --check-prefix=VERIFIED

!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>
!odd = !attn_gpu.tile<40x64xbf16>

// CHECK-LABEL: attn_gpu.kernel @some(
// CHECK-SAME:    %[[Q:[^:]*]]: memref<?x64xbf16>, %[[K:[^:]*]]: memref<?x64xbf16>, %[[V:[^:]*]]: memref<?x64xbf16>, %[[O:[^:]*]]: memref<?x64xbf16>, %[[M:[^:]*]]: memref<?x64xbf16>,
// Their own queries; rows that two cannot share; steps that the rank decides on.
// CHECK:         %[[MS:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK:         %[[OS:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<40x64xbf16>>
// CHECK:         %[[VS:.*]] = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK:         %[[KS:.*]] = attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK:         %[[QS:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK:         attn_gpu.work_loop
// CHECK:           attn_gpu.ring_fill %[[QS]][%{{.*}}] from %[[Q]]
// CHECK:           scf.for
// CHECK:             attn_gpu.ring_fill %[[KS]][%{{.*}}] from %[[K]]
// CHECK:             attn_gpu.ring_fill %[[VS]][%{{.*}}] from %[[V]]
// CHECK:             attn_gpu.ring_fill %[[OS]][%{{.*}}] from %[[O]]
// CHECK:           scf.for
// CHECK:             attn_gpu.ring_fill %[[MS]][%{{.*}}] from %[[M]]

// VERIFIED-LABEL: @some(
// VERIFIED-SAME:    cluster 2
// VERIFIED-COUNT-2: attn_gpu.ring_create multicast
// VERIFIED:         attn_gpu.warp_specialize
attn_gpu.kernel @some(%q: !t, %k: !t, %v: !t, %o: !t, %mine: !t, %to: memref<?x64xf32>,
                      %pairs: index, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%pair) in (%pairs) schedule strided {
    %rank = attn_gpu.cluster_rank
    %first = arith.muli %pair, %c2 : index
    %t = arith.addi %first, %rank : index
    %at = arith.muli %t, %c64 : index
    %x = attn_gpu.read %q[%at, %c0] : !t -> !tile
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%row, %c0] : !t -> !tile
      %p = attn_gpu.mma %x, %y acc %s transpose_b : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      %z = attn_gpu.read %v[%row, %c0] : !t -> !tile
      %p2 = attn_gpu.mma %x, %z acc %d : !tile, !tile -> vector<64x64xf32>
      %d2 = attn_gpu.mma_wait %p2 : vector<64x64xf32>
      %u = attn_gpu.read %o[%row, %c0] : !t -> !odd
      %p3 = attn_gpu.mma %x, %u transpose_b : !tile, !odd -> vector<64x40xf32>
      %d3 = attn_gpu.mma_wait %p3 : vector<64x40xf32>
      %most = attn_gpu.row_reduce <maxnumf> %d3 : vector<64x40xf32> -> vector<64x1xf32>
      %d4 = attn_gpu.scale_rows %d2 by %most : vector<64x64xf32>, vector<64x1xf32>
      scf.yield %d4 : vector<64x64xf32>
    }
    %all = scf.for %i = %c0 to %t step %c1 iter_args(%s = %sum) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %mine[%row, %c0] : !t -> !tile
      %p = attn_gpu.mma %x, %y acc %s : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %all to %to[%at, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}
