// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{outer-stages=2}))' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{outer-stages=2},canonicalize,cse,attn-gpu-warp-specialize,canonicalize,cse))' | FileCheck %s --check-prefix=ROLES
// RUN: not attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{stages=9 outer-stages=9}))' 2>&1 | FileCheck %s --check-prefix=ERROR

!tile = !attn_gpu.tile<64x64xbf16>

// ERROR: 'stages' expected 0 to 8, got 9
// ERROR: 'outer-stages' expected 0 to 8, got 9

// Counts go on from point to point: that of the outer read with each point, that
// of the inner one with each step of all points. Each role carries its own.

// CHECK-LABEL: attn_gpu.kernel @persistent
// CHECK-DAG:     %[[INNER:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x
// CHECK:         attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) schedule dynamic iter_args(%[[M:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) -> (i32, i32) {
// CHECK:           %[[POINT:.*]] = arith.index_castui %[[M]] : i32 to index
// CHECK:           attn_gpu.ring_fill %[[OUTER:.*]][%[[POINT]]]
// CHECK:           attn_gpu.ring_wait %[[OUTER]][%[[POINT]]]
// CHECK:           %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[K:.*]] = %[[N]]) -> (vector<64x64xf32>, i32)
// CHECK:             %[[STEP:.*]] = arith.index_castui %[[K]] : i32 to index
// CHECK:             attn_gpu.ring_fill %{{.*}}[%[[STEP]]]
// CHECK:             %[[NEXT:.*]] = arith.addi %[[K]],
// CHECK:             scf.yield %{{.*}}, %[[NEXT]] : vector<64x64xf32>, i32
// CHECK:           attn_gpu.ring_release %[[OUTER]][%[[POINT]]]
// CHECK:           %[[M1:.*]] = arith.addi %[[M]],
// CHECK:           attn_gpu.yield %[[M1]], %[[LOOP]]#1 : i32, i32

// ROLES:       attn_gpu.warp_specialize producer
// ROLES:         %{{.*}}:2 = attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) schedule dynamic iter_args(%{{.*}}) -> (i32, i32) {
// ROLES:           attn_gpu.ring_fill
// ROLES:           scf.for {{.*}} -> (i32)
// ROLES:             attn_gpu.ring_fill
// ROLES:           attn_gpu.yield %{{.*}}, %{{.*}} : i32, i32
// ROLES:       } consumers
// ROLES:         %{{.*}}:2 = attn_gpu.work_loop (%{{.*}}) in (%{{.*}}) schedule dynamic iter_args(%{{.*}}) -> (i32, i32) {
// ROLES-NOT:       ring_fill
// ROLES:           attn_gpu.yield %{{.*}}, %{{.*}} : i32, i32
attn_gpu.kernel @persistent(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>,
                            %to: memref<?x64xf32>, %tiles: index, %n: index)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%t) in (%tiles) schedule dynamic {
    %at = arith.muli %t, %c64 : index
    %a = attn_gpu.read %x[%at, %c0] : memref<?x64xbf16> -> !tile
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %b = attn_gpu.read %y[%row, %c0] : memref<?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %b acc %s : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%at, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}
