// The examples of the passes' descriptions, word for word.

// RUN: attn-opt %s --allow-unregistered-dialect -attn-anchor-loop-state | FileCheck %s --check-prefix=ANCHOR
// RUN: attn-opt %s --allow-unregistered-dialect -attn-collapse-loop-state | FileCheck %s --check-prefix=COLLAPSE
// RUN: attn-opt %s --allow-unregistered-dialect -attn-hoist-tile-invariants | FileCheck %s --check-prefix=HOIST
// RUN: attn-opt %s --allow-unregistered-dialect -attn-rematerialize-fills | FileCheck %s --check-prefix=FILL

// FILL-LABEL: func @fill(
func.func @fill(%lo: index, %hi: index, %z: f32) -> tensor<4x4xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  // FILL: %[[A:.*]] = linalg.fill
  // FILL: scf.for {{.*}} = %[[A]])
  // FILL: %[[S:.*]] = linalg.fill
  // FILL: linalg.matmul {{.*}} outs(%[[S]]
  // FILL-NOT: linalg.fill
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %lo to %hi step %c1 iter_args(%a = %f) -> (tensor<4x4xf32>) {
    %s = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// ANCHOR-LABEL: func @anchor(
func.func @anchor(%lo: index, %hi: index, %m0: tensor<64xf32>) -> tensor<64xf32> {
  %c1 = arith.constant 1 : index
  // ANCHOR: scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}})
  // ANCHOR: %[[N:.*]] = "some.op"(%[[M]])
  // ANCHOR: %[[TIED:.*]] = bufferization.materialize_in_destination %[[N]] in %[[M]]
  // ANCHOR: scf.yield %[[TIED]]
  %r = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0) -> (tensor<64xf32>) {
    %n = "some.op"(%m) : (tensor<64xf32>) -> tensor<64xf32>
    scf.yield %n : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// COLLAPSE-LABEL: func @collapse(
func.func @collapse(%lo: index, %hi: index, %m0: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %c1 = arith.constant 1 : index
  // COLLAPSE: scf.for {{.*}} -> (tensor<64xf32>)
  // COLLAPSE-NEXT: "some.op"
  // COLLAPSE-NEXT: scf.yield
  %r = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0) -> (tensor<1x64xf32>) {
    %c = tensor.collapse_shape %m [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
    %n = "some.op"(%c) : (tensor<64xf32>) -> tensor<64xf32>
    %e = tensor.expand_shape %n [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    scf.yield %e : tensor<1x64xf32>
  }
  return %r : tensor<1x64xf32>
}

// HOIST-LABEL: func @hoist(
func.func @hoist(%lo: index, %hi: index, %q: tensor<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x4xf32>
  // HOIST: linalg.transpose
  // HOIST: scf.for
  // HOIST-NEXT: "some.use"
  scf.for %i = %lo to %hi step %c1 {
    %t = linalg.transpose ins(%q : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    "some.use"(%t) : (tensor<8x4xf32>) -> ()
  }
  return
}
