// RUN: attn-opt %s -attn-expand-views -canonicalize | FileCheck %s

// Dynamic sizes in a strided layout: the stride of the outer part is the old
// stride times the size of the inner part.

// CHECK-LABEL: func @split(
// CHECK-SAME: %[[M:[^:]*]]: memref<{{.*}}>, %[[A:.*]]: index, %[[B:.*]]: index, %[[N:.*]]: index)
func.func @split(%m: memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>, %a: index, %b: index, %n: index)
    -> memref<?x?x?x8xf32, strided<[?, ?, ?, 1], offset: ?>> {
  // CHECK: %{{.*}}, %[[OFF:.*]], %{{.*}}:3, %[[S:.*]]:3 = memref.extract_strided_metadata %[[M]]
  // CHECK: %[[OUTER:.*]] = arith.muli %[[S]]#0, %[[B]]
  // CHECK: memref.reinterpret_cast %[[M]] to offset: [%[[OFF]]], sizes: [%[[A]], %[[B]], %[[N]], 8], strides: [%[[OUTER]], %[[S]]#0, %[[S]]#1, 1]
  %e = memref.expand_shape %m [[0, 1], [2], [3]] output_shape [%a, %b, %n, 8]
      : memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>> into memref<?x?x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
  return %e : memref<?x?x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
}

// CHECK-LABEL: func @static(
func.func @static(%m: memref<64xf32>) -> memref<1x4x16xf32> {
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 4, 16], strides: [64, 16, 1]
  %e = memref.expand_shape %m [[0, 1, 2]] output_shape [1, 4, 16] : memref<64xf32> into memref<1x4x16xf32>
  return %e : memref<1x4x16xf32>
}
