// RUN: attn-opt %s -attn-anchor-loop-state | FileCheck %s

// The old maximum is read after the new one exists: the new one is yielded
// through the buffer of the old.

// CHECK-LABEL: func @carried(
func.func @carried(%lo: index, %hi: index, %m0: tensor<64xf32>, %x: tensor<64xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>, index) {
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}})
  %r:3 = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0, %y = %x, %k = %n) -> (tensor<64xf32>, tensor<64xf32>, index) {
    // CHECK: %[[NEW:.*]] = linalg.max
    %new = linalg.max ins(%m, %x : tensor<64xf32>, tensor<64xf32>) outs(%m : tensor<64xf32>) -> tensor<64xf32>
    %j = arith.addi %k, %i : index
    // CHECK: %[[TIED:.*]] = bufferization.materialize_in_destination %[[NEW]] in %[[M]]
    // A tensor passed on and an index are left alone.
    // CHECK-NOT: materialize_in_destination
    // CHECK: scf.yield %[[TIED]], %[[X]], %{{.*}}
    scf.yield %new, %y, %j : tensor<64xf32>, tensor<64xf32>, index
  }
  return %r#0, %r#1, %r#2 : tensor<64xf32>, tensor<64xf32>, index
}

// CHECK-LABEL: func @twice(
func.func @twice(%lo: index, %hi: index, %m0: tensor<64xf32>) -> tensor<64xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0) -> (tensor<64xf32>) {
    %new = linalg.exp ins(%m : tensor<64xf32>) outs(%m : tensor<64xf32>) -> tensor<64xf32>
    // CHECK-COUNT-1: materialize_in_destination
    // CHECK-NOT: materialize_in_destination
    %t = bufferization.materialize_in_destination %new in %m : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
