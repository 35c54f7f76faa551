// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

// Parameters: the pointer, what is dynamic of extents and strides, scalars.

// CHECK-NOT:   attn_gpu_shared
// CHECK-LABEL: llvm.func @fill(
// CHECK-SAME:    %[[TO:.*]]: !llvm.ptr<1>, %[[EXTENT:.*]]: i64, %[[VALUE:.*]]: f32)
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 0 : i64
// CHECK-SAME:    attn_gpu.parameters = [{argument = 0 : i64, kind = "pointer"}, {argument = 0 : i64, dimension = 0 : i64, kind = "extent"}, {argument = 1 : i64, kind = "scalar"}]
// CHECK-SAME:    denormal_fp_math_f32 = "preserve-sign"
// CHECK-SAME:    nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>
// CHECK:         llvm.return
attn_gpu.kernel @fill(%to: memref<?x1xf32>, %value: f32) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %values = vector.broadcast %value : f32 to vector<64x1xf32>
  attn_gpu.write %values to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}

// -----

// What the body does not use is no parameter.

// CHECK-LABEL: llvm.func @unused(
// CHECK-SAME:    %[[EXTENT:[^:]*]]: i64, %[[TO:[^:]*]]: !llvm.ptr<1>, %[[ROW:[^:]*]]: i64)
// CHECK-SAME:    attn_gpu.parameters = [{argument = 0 : i64, dimension = 1 : i64, kind = "extent"}, {argument = 2 : i64, kind = "pointer"}, {argument = 3 : i64, kind = "scalar"}]
// CHECK-SAME:    nvvm.reqntid = array<i32: 384>
attn_gpu.kernel @unused(%from: memref<?x?xf32, strided<[?, 1]>>, %n: index,
                        %to: memref<64x1xf32>, %row: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  %columns = memref.dim %from, %c1 : memref<?x?xf32, strided<[?, 1]>>
  %at = arith.addi %row, %columns : index
  attn_gpu.write %x to %to[%at, %c0] : vector<64x1xf32>, memref<64x1xf32>
  attn_gpu.return
}

// -----

// The last extent is the fastest; the named one counts down.

// CHECK-LABEL: llvm.func @work(
// CHECK-SAME:    %[[HEADS:[^:, ]*]]: i64, %[[TILES:[^:, ]*]]: i64)
// CHECK:         %[[H:.*]] = arith.maxsi %[[HEADS]],
// CHECK:         %[[T:.*]] = arith.maxsi %[[TILES]],
// CHECK:         %[[POINTS:.*]] = arith.muli %[[H]], %[[T]] : i64
// CHECK:         %[[TILES32:.*]] = arith.trunci %[[TILES]] : i64 to i32
// CHECK:         %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK:         %[[AT:.*]] = arith.extui %[[BLOCK]] : i32 to i64
// CHECK:         %[[EXISTS:.*]] = arith.cmpi slt, %[[AT]], %[[POINTS]] : i64
// CHECK:         scf.if %[[EXISTS]] {
// CHECK-DAG:       %[[TILE:.*]] = arith.remui %[[BLOCK]], %[[TILES32]] : i32
// CHECK-DAG:       %[[HEAD:.*]] = arith.divui %[[BLOCK]], %[[TILES32]] : i32
// CHECK:           %[[LAST:.*]] = arith.addi %[[TILES32]], %c-1_i32 : i32
// CHECK:           arith.subi %[[LAST]], %[[TILE]] : i32
// CHECK-COUNT-2:   inline_asm
// CHECK:         }
// CHECK:         llvm.return
attn_gpu.kernel @work(%to: memref<?x?x1xf32>, %heads: index, %tiles: index)
    warpgroups 1 {
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  attn_gpu.work_loop (%head, %tile) in (%heads, %tiles) descending [1] {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %row = arith.muli %tile, %c64 : index
    attn_gpu.write %zero to %to[%head, %row, %c0]
        : vector<64x1xf32>, memref<?x?x1xf32>
  }
  attn_gpu.return
}

// -----

// One shuffle, before anything diverges, for all uses of a warpgroup's index.

// CHECK-LABEL: llvm.func @warpgroups(
// CHECK:         %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK:         %[[GROUP:.*]] = arith.divui %[[THREAD]], %{{.*}} : i32
// CHECK:         nvvm.shfl.sync idx %{{.*}}, %[[GROUP]], %{{.*}}, %{{.*}} : i32 -> i32
// CHECK-NOT:     nvvm.shfl.sync
attn_gpu.kernel @warpgroups(%to: memref<?x1xf32>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  scf.for %i = %c0 to %n step %c1 {
    %w = attn_gpu.warpgroup_index
    %row = arith.addi %w, %i : index
    attn_gpu.write %x to %to[%row, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  %w = attn_gpu.warpgroup_index
  attn_gpu.write %x to %to[%w, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}
