// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-schedule-work))' --split-input-file | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-schedule-work{schedule=strided group-bytes=0}))' --split-input-file | FileCheck %s --check-prefix=STRIDED
// RUN: not attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-schedule-work{schedule=static group-bytes=-1}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR

!tile = !attn_gpu.tile<64x64xbf16>

// Longer points with the last dimension: groups of what fits. Rows walked are
// those of the row dimension; points that differ in %g read the same.

// ERROR: 'schedule' expected once, strided or dynamic, got 'static'
// ERROR: 'group-bytes' expected 0 or more, got -1

// CHECK-LABEL: attn_gpu.kernel @grouped(
// CHECK-SAME:    %[[K:[^:]*]]: memref<?x?x64xbf16>, %[[V:[^:]*]]: memref<?x?x64xbf16>, %{{[^:]*}}: memref<?x64xf32>, %{{[^:]*}}: index, %[[G:[^:]*]]: index, %{{[^:]*}}: index)
// CHECK-DAG:     %[[K_ROWS:.*]] = memref.dim %[[K]], %c1
// CHECK-DAG:     %[[V_ROWS:.*]] = memref.dim %[[V]], %c1
// CHECK:         %[[BYTES:.*]] = arith.maxsi
// CHECK:         %[[FIT:.*]] = arith.divui %c33554432{{.*}}, %[[BYTES]]
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[FIT]],
// CHECK:         %[[SAME:.*]] = arith.maxsi %[[G]],
// CHECK:         %[[GROUP:.*]] = arith.muli %[[SOME]], %[[SAME]]
// CHECK:         attn_gpu.work_loop (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}) descending [2] group %[[GROUP]] schedule dynamic {
// STRIDED-LABEL: @grouped(
// STRIDED-NOT:     memref.dim
// STRIDED:         attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) descending [2] schedule strided {
attn_gpu.kernel @grouped(%k: memref<?x?x64xbf16>, %v: memref<?x?x64xbf16>,
                         %to: memref<?x64xf32>, %heads: index, %g: index,
                         %tiles: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %m, %t) in (%heads, %g, %tiles) descending [2] {
    %end = arith.addi %t, %c1 : index
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %a = attn_gpu.read %k[%h, %row, %c0] : memref<?x?x64xbf16> -> !tile
      %b = attn_gpu.read %v[%h, %row, %c0] : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %b acc %s : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

// Points of one length: no groups.

// CHECK-LABEL: attn_gpu.kernel @alike(
// CHECK-NOT:     memref.dim
// CHECK:         attn_gpu.work_loop (%{{.*}}, %{{.*}}) in (%{{.*}}) schedule dynamic {
attn_gpu.kernel @alike(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
                       %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %a = attn_gpu.read %k[%h, %row, %c0] : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %a acc %s : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}
