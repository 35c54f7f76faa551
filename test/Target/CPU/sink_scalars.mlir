// RUN: attn-opt %s --attn-sink-scalars | FileCheck %s

// Chains go together and in order; what a loop uses stays before it.

// CHECK-LABEL: @bounds
// CHECK-NOT: arith.addi
// CHECK: scf.for {{.*}} to %arg0
// CHECK: }
// CHECK-NEXT: %[[FIRST:.*]] = arith.addi
// CHECK-NEXT: scf.for {{.*}} to %[[FIRST]]
// CHECK: }
// CHECK-NEXT: %[[A:.*]] = arith.muli
// CHECK-NEXT: %[[B:.*]] = arith.maxsi %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.minsi %[[B]], %[[A]]
// CHECK-NEXT: scf.for {{.*}} = %[[B]] to %[[C]]
func.func @bounds(%n: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.muli %n, %n : index
  %first = arith.addi %n, %c1 : index
  %b = arith.maxsi %a, %n : index
  %c = arith.minsi %b, %a : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %first step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  scf.for %i = %b to %c step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}

// Into no region, and not past a use in one; loads and vectors stay.

// CHECK-LABEL: @stays
// CHECK: memref.load
// CHECK-NEXT: arith.addf {{.*}} : vector<4xf32>
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.for
// CHECK: arith.muli
// CHECK-NEXT: return
func.func @stays(%n: index, %v: vector<4xf32>, %m: memref<?xindex>) -> (index, vector<4xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = memref.load %m[%c0] : memref<?xindex>
  %w = arith.addf %v, %v : vector<4xf32>
  %b = arith.addi %n, %c1 : index
  %d = arith.muli %n, %n : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %b, %m[%i] : memref<?xindex>
  }
  return %l, %w, %b, %d : index, vector<4xf32>, index, index
}

// What the pass's page shows.

// CHECK-LABEL: @example
// CHECK-NOT: arith.addi
// CHECK: scf.for {{.*}} to %arg0
// CHECK: }
// CHECK-NEXT: %[[B:.*]] = arith.addi
// CHECK-NEXT: scf.for {{.*}} to %[[B]]
func.func @example(%n: index, %a: index, %c: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.addi %a, %c : index
  scf.for %i = %c0 to %n step %c1 { memref.store %x, %m[%i] : memref<?xf32> }
  scf.for %i = %c0 to %b step %c1 { memref.store %x, %m[%i] : memref<?xf32> }
  return
}
