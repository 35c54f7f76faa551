// RUN: attn-opt %s -attn-expand-math | FileCheck %s

// CHECK-LABEL: func @vector(
// CHECK-SAME: %[[X:.*]]: vector<16xf32>
func.func @vector(%x: vector<16xf32>) -> vector<16xf32> {
  // CHECK-NOT: math.exp2
  // CHECK: %[[BIASED:.*]] = arith.addf %[[X]], %[[BIAS:.*]] : vector<16xf32>
  // CHECK: %[[N:.*]] = arith.subf %[[BIASED]], %[[BIAS]]
  // CHECK: %[[F:.*]] = arith.subf %[[X]], %[[N]]
  // CHECK-COUNT-6: math.fma {{.*}}, %[[F]], {{.*}} : vector<16xf32>
  // CHECK: arith.shli
  // CHECK: arith.addi {{.*}} : vector<16xi32>
  // CHECK: arith.cmpf olt, %[[X]]
  // CHECK: arith.cmpf olt, %[[X]]
  %y = math.exp2 %x : vector<16xf32>
  return %y : vector<16xf32>
}

// CHECK-LABEL: func @scalar(
func.func @scalar(%x: f32) -> f32 {
  // CHECK-NOT: math.exp2
  // CHECK-COUNT-6: math.fma {{.*}} : f32
  %y = math.exp2 %x : f32
  return %y : f32
}

// CHECK-LABEL: func @logarithm_and_tanh(
func.func @logarithm_and_tanh(%x: vector<8xf32>) -> vector<8xf32> {
  // CHECK-NOT: math.log2
  // CHECK-NOT: math.tanh
  // CHECK: math.fma
  %l = math.log2 %x : vector<8xf32>
  %y = math.tanh %l : vector<8xf32>
  return %y : vector<8xf32>
}

// Other types are left alone.
// CHECK-LABEL: func @other(
func.func @other(%x: f64) -> f64 {
  // CHECK: math.exp2 %{{.*}} : f64
  %y = math.exp2 %x : f64
  return %y : f64
}
