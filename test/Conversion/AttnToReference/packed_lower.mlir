// RUN: attn-opt %s --attn-lower-to-reference | FileCheck %s

// Packed operands: each row looks for its segment, one per stored query.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[CUQ:[a-z0-9]+]]: memref<?xi32, strided<[1], offset: ?>>,
// CHECK-SAME:    %[[CUKV:[a-z0-9]+]]: memref<?xi32, strided<[1], offset: ?>>,
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<?x4x16xf64, strided<[?, ?, 1], offset: ?>>,
// CHECK-SAME:    %[[LSE:[a-z0-9]+]]: memref<4x?xf64, strided<[?, 1], offset: ?>>)
// CHECK:         scf.parallel (%[[H:[a-z0-9_]+]], %[[T:[a-z0-9_]+]]) = (%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) to (%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) step
// CHECK:           %[[FOUND:[a-z0-9_]+]] = scf.for
// CHECK:             memref.load %[[CUQ]]
// CHECK:             memref.load %[[CUQ]]
// CHECK:           %[[HAS:[a-z0-9_]+]] = arith.cmpi sge, %[[FOUND]]
// CHECK:           scf.if %[[HAS]]
// CHECK:             memref.load %[[CUKV]]
// CHECK:           memref.store %{{.*}}, %[[OUT]][%[[T]], %[[H]], %{{.*}}]
// CHECK:           memref.store %{{.*}}, %[[LSE]][%[[H]], %[[T]]]
func.func @f(%q: tensor<?x4x16xbf16>, %k: tensor<?x1x16xbf16>,
             %v: tensor<?x1x16xbf16>, %cq: tensor<?xi32>, %ck: tensor<?xi32>)
    -> (tensor<?x4x16xbf16>, tensor<4x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v
      cu_seqlens (%cq, %ck : tensor<?xi32>, tensor<?xi32>)
      : tensor<?x4x16xbf16>, tensor<?x1x16xbf16>, tensor<?x1x16xbf16>
      -> tensor<?x4x16xbf16>, tensor<4x?xf32>
  return %out, %lse : tensor<?x4x16xbf16>, tensor<4x?xf32>
}
