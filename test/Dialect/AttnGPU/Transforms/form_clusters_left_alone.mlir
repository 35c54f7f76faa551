// Kernels of which the thread blocks stay alone, each for one reason.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=2}))' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=2}))' -o %t.after
// RUN: attn-opt %s -o %t.before
// RUN: diff %t.before %t.after

// A remark says why.
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-form-clusters{size=2}))' --remarks-filter=attn-gpu-form-clusters --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK-NOT: {{ cluster [0-9]}}
// CHECK-NOT: attn_gpu.cluster_rank

!tile = !attn_gpu.tile<64x64xbf16>
!odd = !attn_gpu.tile<24x64xbf16>

// Neighbours walk to different ends: they would wait for each other.
// REMARK: :[[#@LINE+1]]:1: remark: {{.*}}no clusters: neighbours in the last dimension share nothing that loops read
attn_gpu.kernel @causal(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule strided {
    %end = arith.addi %t, %c1 : index
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// A point that is fetched is one thread block's.
// REMARK: :[[#@LINE+1]]:1: remark: {{.*}}no clusters: expected work that is strided, got dynamic
attn_gpu.kernel @dynamic(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule dynamic {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// Thread blocks run one point each.
// REMARK: :[[#@LINE+1]]:1: remark: {{.*}}no clusters: expected work that is strided, got once
attn_gpu.kernel @once(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule once {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// 24 rows are not two shares of whole swizzles.
attn_gpu.kernel @rows(%k: memref<?x?x64xbf16>, %to: memref<?x24xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x24xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule strided {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x24xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !odd
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !odd -> vector<64x24xf32>
      %d = attn_gpu.mma_wait %p : vector<64x24xf32>
      scf.yield %d : vector<64x24xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x24xf32>, memref<?x24xf32>
  }
  attn_gpu.return
}

// Each reads what its own point says.
attn_gpu.kernel @nothing_shared(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) schedule strided {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%t, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// Nor do neighbours in the last dimension, if that is the heads.
attn_gpu.kernel @last_is_head(%k: memref<?x?x64xbf16>, %to: memref<?x64xf32>,
    %heads: index, %tiles: index, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  attn_gpu.work_loop (%t, %h) in (%tiles, %heads) schedule strided {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<64x64xf32>) {
      %row = arith.muli %i, %c64 : index
      %y = attn_gpu.read %k[%h, %row, %c0] row_dim 1 : memref<?x?x64xbf16> -> !tile
      %p = attn_gpu.mma %a, %y acc %s transpose_b : vector<64x64xbf16>, !tile -> vector<64x64xf32>
      %d = attn_gpu.mma_wait %p : vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    attn_gpu.write %sum to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}

// A tile that is read in no loop but the points'.
attn_gpu.kernel @read_once(%k: memref<?x64xbf16>, %to: memref<?x64xf32>,
                           %tiles: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : vector<64x64xbf16>
  attn_gpu.work_loop (%t) in (%tiles) schedule strided {
    %y = attn_gpu.read %k[%c0, %c0] : memref<?x64xbf16> -> !tile
    %p = attn_gpu.mma %a, %y : vector<64x64xbf16>, !tile -> vector<64x64xf32>
    %d = attn_gpu.mma_wait %p : vector<64x64xf32>
    attn_gpu.write %d to %to[%t, %c0] : vector<64x64xf32>, memref<?x64xf32>
  }
  attn_gpu.return
}
