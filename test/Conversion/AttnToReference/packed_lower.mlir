// RUN: attn-opt %s --attn-lower-to-reference | FileCheck %s

// Packed operands: each row goes through the segments, which begin where the one
// before ends and stay in the memory whatever cu_seqlens holds, to its own.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[TCUQ:[a-z0-9]+]]: tensor<?xi32>, %[[TCUKV:[a-z0-9]+]]: tensor<?xi32>)
// CHECK-SAME:    -> (tensor<?x4x16xf64>, tensor<4x?xf64>)
// CHECK:         %[[CUQ:[a-z0-9_]+]] = bufferization.to_buffer %[[TCUQ]] read_only
// CHECK:         %[[CUKV:[a-z0-9_]+]] = bufferization.to_buffer %[[TCUKV]] read_only
// CHECK:         %[[OUT:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?x4x16xf64>
// CHECK:         %[[LSE:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<4x?xf64>
// CHECK:         scf.parallel (%[[H:[a-z0-9_]+]], %[[T:[a-z0-9_]+]]) = (%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) to (%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) step
// CHECK:           %[[FOUND:[a-z0-9_]+]]:7 = scf.for {{.*}} iter_args(%[[ENDQ:[a-z0-9_]+]] = {{.*}}, %[[ENDKV:[a-z0-9_]+]] = {{.*}}, %{{.*}} = %c-1
// CHECK:             memref.load %[[CUQ]]
// CHECK:             arith.cmpi sgt
// CHECK:             arith.cmpi slt, %{{.*}}, %[[ENDQ]]
// CHECK:             memref.load %[[CUKV]]
// CHECK:             arith.cmpi sgt
// CHECK:             arith.cmpi slt, %{{.*}}, %[[ENDKV]]
// CHECK:             memref.load %[[CUQ]]
// CHECK:             memref.load %[[CUKV]]
// CHECK:           %[[HAS:[a-z0-9_]+]] = arith.cmpi sge, %[[FOUND]]#2
// CHECK:           scf.if %[[HAS]]
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
