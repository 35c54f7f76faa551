// RUN: attn-opt %s -attn-expand-destinations | FileCheck %s
// RUN: attn-opt %s -attn-cpu-bufferize -attn-cpu-vectorize | FileCheck %s --check-prefix=INPLACE

!out = memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>

// The heads are split in the computation and joined in the result: the buffer
// is seen split instead, and nothing is allocated or copied.

// CHECK-LABEL: func @heads(
// CHECK-SAME: %[[OUT:[^:]*]]: memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>
// INPLACE-LABEL: func @heads(
func.func @heads(%out: !out, %b: index, %hk: index, %g: index) {
  %z = arith.constant 1.0 : f32
  // CHECK: %[[E:.*]] = memref.expand_shape %[[OUT]] {{\[\[}}0], [1, 2], [3]] output_shape [%{{.*}}, %{{.*}}, %{{.*}}, 8]
  // CHECK-SAME: memref<?x?x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
  // CHECK: %[[R:.*]] = scf.forall
  // CHECK: materialize_in_destination %[[R]] in restrict writable %[[E]]
  // INPLACE-NOT: memref.alloc
  // INPLACE-NOT: memref.load
  // INPLACE-NOT: vector.load
  // INPLACE: vector.store {{.*}} memref<8xf32, strided<[1], offset: ?>>
  // INPLACE-NOT: vector.load
  // INPLACE: return
  %e = tensor.empty(%b, %hk, %g) : tensor<?x?x?x8xf32>
  %r = scf.forall (%i, %j, %k) in (%b, %hk, %g) shared_outs(%o = %e) -> (tensor<?x?x?x8xf32>) {
    %s = tensor.extract_slice %o[%i, %j, %k, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<?x?x?x8xf32> to tensor<8xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i, %j, %k, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<8xf32> into tensor<?x?x?x8xf32>
    }
  }
  %c = tensor.collapse_shape %r [[0], [1, 2], [3]] : tensor<?x?x?x8xf32> into tensor<?x?x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %out : (tensor<?x?x8xf32>, !out) -> ()
  return
}
