// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=2}))' --split-input-file | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=4}))' --split-input-file | FileCheck %s --check-prefix=FOUR

// The kernel's own wish, and none.
// RUN: sed 's/warpgroups 1 {/warpgroups 1 attributes {attn_gpu.schedule = {cluster = 2 : i64}} {/' %s > %t.wish
// RUN: attn-opt %t.wish --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters))' --split-input-file | FileCheck %s
// RUN: attn-opt %t.wish --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=4}))' --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters))' --split-input-file | FileCheck %s --check-prefix=ALONE
// RUN: attn-opt %t.wish --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=1}))' --split-input-file | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: {{ cluster [0-9]}}
// ALONE-NOT: attn_gpu.cluster_rank

// RUN: not attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=9}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=-1}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: attn-gpu-form-clusters: 'size' expected 0 to 8, got {{9|-1}}

!tile = !attn_gpu.tile<64x64xbf16>

// The last dimension's points become neighbours of one cluster, the last of which
// may be none: their number is rounded up. All else of the body goes by the point.

// CHECK-LABEL: attn_gpu.kernel @formed(
// CHECK-SAME:    %[[HEADS:[^:, ]*]]: index, %[[TILES:[^:, ]*]]: index, %{{[^:]*}}: index) warpgroups 1 cluster 2
// CHECK:         %[[SIZE:.*]] = arith.constant 2 : index
// CHECK:         %[[PAIRS:.*]] = arith.ceildivsi %[[TILES]], %[[SIZE]] : index
// CHECK:         attn_gpu.work_loop (%[[H:.*]], %[[PAIR:.*]]) in (%[[HEADS]], %[[PAIRS]]) schedule strided {
// CHECK:           %[[RANK:.*]] = attn_gpu.cluster_rank
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PAIR]], %[[SIZE]] : index
// CHECK:           %[[TILE:.*]] = arith.addi %[[FIRST]], %[[RANK]] : index
// CHECK:           arith.muli %[[TILE]], %{{.*}} : index
// CHECK:           attn_gpu.write %{{.*}} to %{{.*}}[%[[TILE]],
// FOUR-LABEL: @formed(
// FOUR-SAME:    warpgroups 1 cluster 4
// FOUR:         arith.ceildivsi
attn_gpu.kernel @formed(%q: memref<?x64xbf16>, %k: memref<?x?x64xbf16>,
                        %to: memref<?x64xf32>, %heads: index, %tiles: index,
                        %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule strided {
    %at = arith.muli %t, %c64 : index
    %x = attn_gpu.read %q[%at, %c0] : memref<?x64xbf16> -> !tile
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %x, %y acc %s : !tile, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// -----

!tile = !attn_gpu.tile<80x64xbf16>

// Two share 80 rows in whole swizzles of 8, four do not.

// CHECK-LABEL: attn_gpu.kernel @rows(
// CHECK-SAME:    warpgroups 1 cluster 2
// FOUR-LABEL: @rows(
// FOUR-NOT:     {{ cluster [0-9]}}
// FOUR-NOT:     attn_gpu.cluster_rank
attn_gpu.kernel @rows(%k: memref<?x64xbf16>, %to: memref<?x80xf32>, %tiles: index,
                      %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x80xf32>
  attn_gpu.work_loop (%t) in (%tiles) schedule strided {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x80xf32>) {
      %y = attn_gpu.read %k[%i, %c0] : memref<?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x80xf32>
      %d = attn_gpu.mma_wait %p : vector<64x80xf32>
      scf.yield %d : vector<64x80xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x80xf32>, memref<?x80xf32>
  }
  attn_gpu.return
}
