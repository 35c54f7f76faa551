// With ptxas the image has machine code, and what ptxas said of it.

// REQUIRES: ptxas
// RUN: attn-opt %s --attn-gpu-compile-kernels | FileCheck %s

// CHECK:      attn_gpu.image @fill
// CHECK-SAME: ptx "
// CHECK-SAME: .version 8.7
// CHECK-SAME: cubin "\7FELF
// CHECK-SAME: assembly {registers = {{[1-9][0-9]*}} : i64, spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64}
attn_gpu.kernel @fill(%value: f32, %to: memref<?x1xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %values = vector.broadcast %value : f32 to vector<64x1xf32>
  attn_gpu.write %values to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}
