// RUN: attn-opt %s -convert-attn-to-linalg -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: func @neutral(
// CHECK-SAME: %[[N:.*]]: index
func.func @neutral(%n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x8xf32>) {
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: linalg.fill ins(%[[INF]] : f32) {{.*}} -> tensor<?x4xf32>
  // CHECK-DAG: linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<?x4xf32>
  // CHECK-DAG: linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<?x4x8xf32>
  %m, %l, %acc = attn.neutral [%n] : tensor<?x4xf32>, tensor<?x4x8xf32>
  return %m, %l, %acc : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x8xf32>
}

// -----

// A state that has seen no key gives way by a select, not by an addition. Its l is
// 0: that of a state which has seen nothing but NaN is NaN.

// CHECK-LABEL: func @merge(
func.func @merge(%m0: tensor<4xf32>, %l0: tensor<4xf32>, %a0: tensor<4x8xf32>,
                 %m1: tensor<4xf32>, %l1: tensor<4xf32>, %a1: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: arith.maxnumf
  // CHECK-COUNT-2: math.exp2
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[X0:.*]]: f32, %[[X1:.*]]: f32, %[[M0:.*]]: f32, %[[L0:.*]]: f32, %[[M1:.*]]: f32, %[[L1:.*]]: f32, %[[W0:.*]]: f32, %[[W1:.*]]: f32, %{{.*}}: f32)
  // CHECK: %[[P0:.*]] = arith.mulf %[[X0]], %[[W0]]
  // CHECK: %[[P1:.*]] = arith.mulf %[[X1]], %[[W1]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[P0]], %[[P1]]
  // CHECK: %[[LOW1:.*]] = arith.cmpf oeq, %[[M1]]
  // CHECK: %[[ZERO1:.*]] = arith.cmpf oeq, %[[L1]]
  // CHECK: %[[NONE1:.*]] = arith.andi %[[LOW1]], %[[ZERO1]]
  // CHECK: %[[LOW0:.*]] = arith.cmpf oeq, %[[M0]]
  // CHECK: %[[ZERO0:.*]] = arith.cmpf oeq, %[[L0]]
  // CHECK: %[[NONE0:.*]] = arith.andi %[[LOW0]], %[[ZERO0]]
  // CHECK: %[[OTHER:.*]] = arith.select %[[NONE0]], %[[X1]], %[[SUM]]
  // CHECK: arith.select %[[NONE1]], %[[X0]], %[[OTHER]]
  %r:3 = attn.merge (%m0, %l0, %a0), (%m1, %l1, %a1) : tensor<4xf32>, tensor<4x8xf32>
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>
}

// -----

// A tile of one head is finalized as rows and columns; an empty row is 0
// whatever its accumulator holds, and its lse -inf.

// CHECK-LABEL: func @finalize(
func.func @finalize(%m: tensor<1x1x1x32xf32>, %l: tensor<1x1x1x32xf32>, %acc: tensor<1x1x1x32x8xf32>,
                    %o: tensor<1x1x1x32x8xf16>, %s: tensor<1x1x1x32xf32>)
    -> (tensor<1x1x1x32x8xf16>, tensor<1x1x1x32xf32>) {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<32xf32>, tensor<32xf32>)
  // CHECK: arith.divf
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) outs(%{{.*}} : tensor<32x8xf16>)
  // CHECK: arith.select
  // CHECK: arith.truncf {{.*}} : f32 to f16
  // CHECK: linalg.generic
  // CHECK: math.log2
  %out, %lse = attn.finalize (%m, %l, %acc) into (%o, %s : tensor<1x1x1x32xf32>)
      : tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32> -> tensor<1x1x1x32x8xf16>, tensor<1x1x1x32xf32>
  return %out, %lse : tensor<1x1x1x32x8xf16>, tensor<1x1x1x32xf32>
}
