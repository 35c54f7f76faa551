// RUN: attn-opt %s -attn-hoist-tile-invariants | FileCheck %s

// The query tile is transposed before the loop over key tiles; the fill that
// starts each product stays, or every iteration would copy it.

// CHECK-LABEL: func @walk(
func.func @walk(%q: tensor<4x8xf32>, %k: tensor<?x8xf32>, %lo: index, %hi: index, %acc: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  // CHECK: %[[T:.*]] = linalg.transpose
  // CHECK: scf.for
  %r = scf.for %j = %lo to %hi step %c16 iter_args(%a = %acc) -> (tensor<16x4xf32>) {
    %e = tensor.empty() : tensor<8x4xf32>
    %t = linalg.transpose ins(%q : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    // CHECK: tensor.extract_slice
    %kt = tensor.extract_slice %k[%j, 0] [16, 8] [1, 1] : tensor<?x8xf32> to tensor<16x8xf32>
    %se = tensor.empty() : tensor<16x4xf32>
    // CHECK: linalg.fill
    %s0 = linalg.fill ins(%z : f32) outs(%se : tensor<16x4xf32>) -> tensor<16x4xf32>
    // CHECK: linalg.matmul ins(%{{.*}}, %[[T]]
    %s = linalg.matmul ins(%kt, %t : tensor<16x8xf32>, tensor<8x4xf32>) outs(%s0 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %n = linalg.add ins(%a, %s : tensor<16x4xf32>, tensor<16x4xf32>) outs(%a : tensor<16x4xf32>) -> tensor<16x4xf32>
    scf.yield %n : tensor<16x4xf32>
  }
  return %r : tensor<16x4xf32>
}
