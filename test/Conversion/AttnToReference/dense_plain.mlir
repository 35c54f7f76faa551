// RUN: attn-opt %s --attn-lower-to-reference=precision=plain --canonicalize \
// RUN:   | FileCheck %s

// The yardstick: f32 sums, probabilities rounded to bf16, results in the user's
// types. Functions are computed in f64 and rounded to f32.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    -> (tensor<1x2x?x16xbf16>, tensor<1x2x?xf32>)
// CHECK:         %[[OUT:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<1x2x?x16xbf16>
// CHECK:         %[[LSE:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<1x2x?xf32>
// No mask: every key of the loop is computed.
// CHECK:           scf.for {{.*}} -> (index, f32)
// CHECK-NOT:         scf.if
// CHECK:               arith.addf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             %[[SUM:[a-z0-9_]+]] = scf.for
// CHECK:               %[[EXP:[a-z0-9_]+]] = math.exp %{{.*}} : f64
// CHECK:               arith.truncf %[[EXP]] : f64 to f32
// CHECK:             %[[WIDE:[a-z0-9_]+]] = arith.extf %[[SUM]] : f32 to f64
// CHECK:             %[[LOG:[a-z0-9_]+]] = math.log %[[WIDE]] : f64
// CHECK:             arith.truncf %[[LOG]] : f64 to f32
// CHECK:             memref.store %{{.*}}, %[[LSE]]
// CHECK:             %[[P:[a-z0-9_]+]] = arith.divf %{{.*}}, %[[SUM]] : f32
// CHECK:             %[[ROUNDED:[a-z0-9_]+]] = arith.truncf %[[P]] : f32 to bf16
// CHECK:             arith.extf %[[ROUNDED]] : bf16 to f32
// CHECK:             %[[RESULT:[a-z0-9_]+]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT:        memref.store %[[RESULT]], %[[OUT]]
func.func @f(%q: tensor<1x2x?x8xbf16>, %k: tensor<1x1x?x8xbf16>,
             %v: tensor<1x1x?x16xbf16>)
    -> (tensor<1x2x?x16xbf16>, tensor<1x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v
      : tensor<1x2x?x8xbf16>, tensor<1x1x?x8xbf16>, tensor<1x1x?x16xbf16>
      -> tensor<1x2x?x16xbf16>, tensor<1x2x?xf32>
  return %out, %lse : tensor<1x2x?x16xbf16>, tensor<1x2x?xf32>
}
