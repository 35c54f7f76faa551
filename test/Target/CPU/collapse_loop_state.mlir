// RUN: attn-opt %s -attn-collapse-loop-state | FileCheck %s

// Two loops in a row carry the collapsed type; between them nothing is reshaped.

// CHECK-LABEL: func @chain(
// CHECK-SAME: %[[INIT:[^:]*]]: tensor<1x1x64xf32>
func.func @chain(%init: tensor<1x1x64xf32>, %lo: index, %mid: index, %hi: index) -> tensor<1x1x64xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: %[[C:.*]] = tensor.collapse_shape %[[INIT]] {{\[\[}}0, 1, 2]]
  // CHECK: %[[A:.*]] = scf.for {{.*}} iter_args(%[[M:.*]] = %[[C]]) -> (tensor<64xf32>)
  // CHECK-NEXT: %[[N:.*]] = linalg.exp ins(%[[M]] {{.*}} outs(%[[M]]
  // CHECK-NEXT: scf.yield %[[N]]
  %a = scf.for %i = %lo to %mid step %c1 iter_args(%m = %init) -> (tensor<1x1x64xf32>) {
    %c = tensor.collapse_shape %m [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %n = linalg.exp ins(%c : tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
    %e = tensor.expand_shape %n [[0, 1, 2]] output_shape [1, 1, 64] : tensor<64xf32> into tensor<1x1x64xf32>
    scf.yield %e : tensor<1x1x64xf32>
  }
  // CHECK: %[[B:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (tensor<64xf32>)
  %b = scf.for %i = %mid to %hi step %c1 iter_args(%m = %a) -> (tensor<1x1x64xf32>) {
    %c = tensor.collapse_shape %m [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %n = linalg.log ins(%c : tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
    %e = tensor.expand_shape %n [[0, 1, 2]] output_shape [1, 1, 64] : tensor<64xf32> into tensor<1x1x64xf32>
    scf.yield %e : tensor<1x1x64xf32>
  }
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[B]]
  // CHECK: return %[[E]]
  return %b : tensor<1x1x64xf32>
}

// The body also uses the tensor as it is: nothing changes.
// CHECK-LABEL: func @both(
func.func @both(%init: tensor<1x64xf32>, %lo: index, %hi: index) -> tensor<1x64xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} -> (tensor<1x64xf32>)
  %a = scf.for %i = %lo to %hi step %c1 iter_args(%m = %init) -> (tensor<1x64xf32>) {
    %c = tensor.collapse_shape %m [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
    %x = tensor.extract %m[%lo, %i] : tensor<1x64xf32>
    %n = linalg.fill ins(%x : f32) outs(%c : tensor<64xf32>) -> tensor<64xf32>
    %e = tensor.expand_shape %n [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    scf.yield %e : tensor<1x64xf32>
  }
  return %a : tensor<1x64xf32>
}
