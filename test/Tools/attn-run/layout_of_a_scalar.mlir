// A layout given for an argument that is passed by value was ignored.

// REQUIRES: attn-run
// RUN: not attn-run %s --layout=n:padded,s:padded,z:huge 2>&1 | FileCheck %s
// RUN: attn-run %s --layout=n:dense,x:padded
// CHECK-DAG: attn-run: error: argument 'n' is a scalar, which is passed by value: expected no layout, got 'padded'
// CHECK-DAG: attn-run: error: argument 's' is a scalar
// CHECK-DAG: attn-run: error: function 'f' has no argument 'z'; it has n, s, x

func.func @f(%n: index, %s: f32, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
