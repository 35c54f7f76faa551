// Each kernel becomes an image of its name; launches stay.

// RUN: attn-opt %s --attn-gpu-compile-kernels='assemble=false' | FileCheck %s
// RUN: attn-opt %s --attn-gpu-compile-kernels='assemble=false ptx-version=ptx88' | FileCheck %s --check-prefix=VERSION
// RUN: not attn-opt %s --attn-gpu-compile-kernels='assemble=false chip=sm_9000' 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not attn-opt %s --attn-gpu-compile-kernels='ptxas=/nowhere' 2>&1 | FileCheck %s --check-prefix=ABSENT

// CHECK:      attn_gpu.image @fill chip "sm_90a" threads 128 shared 0 parameters
// CHECK-SAME: [{argument = 0 : i64, kind = "scalar"}, {argument = 1 : i64, kind = "pointer"}, {argument = 1 : i64, dimension = 0 : i64, kind = "extent"}]
// CHECK-SAME: .version 8.7
// CHECK-SAME: .target sm_90a
// CHECK-SAME: .visible .entry fill(
// CHECK-NOT:  cubin
// CHECK:      attn_gpu.image @rows chip "sm_90a" threads 256 shared {{[1-9]}}
// CHECK:      attn_gpu.image @pairs chip "sm_90a" threads 128 shared {{[0-9]+}} cluster 2 persistent parameters
// CHECK-SAME: .explicitcluster
// CHECK-SAME: .reqnctapercluster 2
// CHECK-NOT:  attn_gpu.kernel
// CHECK:      attn_gpu.launch @fill blocks

// VERSION: .version 8.8
// CHIP: error: {{.*}}sm_9000
// ABSENT: error: no ptxas at '/nowhere', which an option names

attn_gpu.kernel @fill(%value: f32, %to: memref<?x1xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %values = vector.broadcast %value : f32 to vector<64x1xf32>
  attn_gpu.write %values to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}

attn_gpu.kernel @rows(%from: memref<?x64xbf16>, %to: memref<?x64xbf16>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<?x64xbf16> -> !attn_gpu.tile<128x64xbf16>
  %w = attn_gpu.warpgroup_index
  %row = arith.muli %w, %c64 : index
  %mine = attn_gpu.subtile %tile[%row] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %x = attn_gpu.load_fragment %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> vector<64x64xbf16>
  attn_gpu.write %x to %to[%row, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
  attn_gpu.return
}

attn_gpu.kernel @pairs(%value: f32, %to: memref<?x1xf32>, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %values = vector.broadcast %value : f32 to vector<64x1xf32>
  attn_gpu.work_loop (%t) in (%n) schedule strided {
    %rank = attn_gpu.cluster_rank
    attn_gpu.write %values to %to[%rank, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}

func.func @start(%value: f32, %to: memref<?x1xf32>, %n: index) {
  attn_gpu.launch @fill blocks %n ins(%value : f32) outs(%to : memref<?x1xf32>)
  return
}
