// RUN: attn-opt %s -attn-collapse-parallel | FileCheck %s

// Parts of the keys, and in each the query tiles: one loop.

// CHECK-LABEL: func @split(
// CHECK-SAME: %[[M:[^:]*]]: memref<?x?x?xf32>, %[[P:.*]]: index, %[[B:.*]]: index, %[[N:.*]]: index, %{{.*}}: f32)
func.func @split(%m: memref<?x?x?xf32>, %parts: index, %b: index, %n: index, %z: f32) {
  // CHECK: scf.forall (%[[I:.*]], %[[J:.*]], %[[K:.*]]) = (0, 0, 0) to (%[[P]], %[[B]], %[[N]]) step (1, 1, 64)
  // CHECK: %[[V:.*]] = memref.subview %[[M]][%[[I]], 0, 0]
  // CHECK: memref.store %{{.*}}, %[[V]][%[[J]], %[[K]]]
  // CHECK-NOT: scf.forall
  // CHECK: return
  scf.forall (%i) in (%parts) {
    %v = memref.subview %m[%i, 0, 0] [1, %b, %n] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    scf.forall (%j, %k) = (0, 0) to (%b, %n) step (1, 64) {
      memref.store %z, %v[%j, %k] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// The inner bound depends on the outer iteration, or something else happens.
// CHECK-LABEL: func @apart(
func.func @apart(%m: memref<?x?xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: scf.forall (%{{.*}}) in
  // CHECK: scf.forall (%{{.*}}) in
  scf.forall (%i) in (%n) {
    %last = arith.addi %i, %n : index
    scf.forall (%j) in (%last) {
      memref.store %z, %m[%i, %j] : memref<?x?xf32>
    }
  }
  // CHECK: scf.forall (%{{.*}}) in
  // CHECK: scf.forall (%{{.*}}) in
  scf.forall (%i) in (%n) {
    memref.store %z, %m[%i, %c0] : memref<?x?xf32>
    scf.forall (%j) in (%n) {
      memref.store %z, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
