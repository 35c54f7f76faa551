// RUN: attn-opt %s --attn-lower-to-reference --canonicalize | FileCheck %s

// The definition, row by row, in f64: results are f64 and not rounded.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    -> tensor<?x4x?x64xf64>
// CHECK:         %[[OUT:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?x4x?x64xf64>
// Keys and values are widened once.
// CHECK:         %[[KW:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?x4x?x64xf64>
// CHECK:         scf.parallel
// CHECK:         %[[VW:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?x4x?x64xf64>
// CHECK:         scf.parallel
// One iteration per query row.
// CHECK:         scf.parallel (%[[B:[a-z0-9_]+]], %[[H:[a-z0-9_]+]], %[[I:[a-z0-9_]+]]) =
// Bottom-right alignment: p = i + (Skv - Sq).
// CHECK:           %[[SHIFT:[a-z0-9_]+]] = arith.subi
// CHECK:           %[[P:[a-z0-9_]+]] = arith.addi %[[I]], %[[SHIFT]]
// CHECK:           %[[SCORES:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?xf64>
// CHECK:           scf.for %[[J:[a-z0-9_]+]] = {{.*}} iter_args(%[[N:[a-z0-9_]+]] = {{.*}}, %[[MAX:[a-z0-9_]+]] = {{.*}}) -> (index, f64)
// CHECK:             %[[VISIBLE:[a-z0-9_]+]] = arith.cmpi sle, %[[J]], %[[P]]
// CHECK:             scf.if %[[VISIBLE]]
// CHECK:               scf.for
// CHECK:                 vector.load %[[KW]]
// CHECK:                 arith.addf {{.*}} fastmath<contract> : vector<32xf64>
// CHECK:               vector.reduction <add>
// CHECK:               arith.mulf %{{.*}}, %cst{{.*}} : f64
// CHECK:               arith.cmpf une
// CHECK:               arith.maximumf %[[MAX]]
// An empty row, then the other ones.
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             math.exp %{{.*}} : f64
// CHECK-NOT:         math.log
// CHECK:             vector.load %[[VW]]
// CHECK-NOT:         arith.truncf
// CHECK:             arith.divf
// CHECK-NEXT:        memref.store %{{.*}}, %[[OUT]]
// CHECK:         %[[RESULT:[a-z0-9_]+]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:         return %[[RESULT]] : tensor<?x4x?x64xf64>
func.func @f(%q: tensor<?x4x?x64xf32>, %k: tensor<?x4x?x64xf32>,
             %v: tensor<?x4x?x64xf32>) -> tensor<?x4x?x64xf32> {
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<?x4x?x64xf32>, tensor<?x4x?x64xf32>, tensor<?x4x?x64xf32>
      -> tensor<?x4x?x64xf32>
  return %out : tensor<?x4x?x64xf32>
}
