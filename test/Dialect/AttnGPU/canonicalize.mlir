// RUN: attn-opt %s --canonicalize | FileCheck %s

// Zeros stay zeros, whatever the factors: an accumulator that begins at 0 is not
// scaled in the first step.
// CHECK-LABEL: func.func @zeros_scaled(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<64x16xf32>
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant dense<-0.000000e+00> : vector<64x16xf32>
// CHECK-NOT:     scale_rows
// CHECK:         return %[[ZERO]], %[[MINUS]]
func.func @zeros_scaled(%f: vector<64x1xf32>) -> (vector<64x16xf32>, vector<64x16xf32>) {
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %minus = arith.constant dense<-0.0> : vector<64x16xf32>
  %0 = attn_gpu.scale_rows %zero by %f : vector<64x16xf32>, vector<64x1xf32>
  %1 = attn_gpu.scale_rows %minus by %f always : vector<64x16xf32>, vector<64x1xf32>
  return %0, %1 : vector<64x16xf32>, vector<64x16xf32>
}

// Other values are not known.
// CHECK-LABEL: func.func @ones_scaled(
// CHECK:         attn_gpu.scale_rows
func.func @ones_scaled(%f: vector<64x1xf32>) -> vector<64x16xf32> {
  %one = arith.constant dense<1.0> : vector<64x16xf32>
  %0 = attn_gpu.scale_rows %one by %f : vector<64x16xf32>, vector<64x1xf32>
  return %0 : vector<64x16xf32>
}
