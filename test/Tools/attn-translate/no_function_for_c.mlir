// A file without a function that C can call became an empty object, and exit code 0.

// REQUIRES: attn-translate
// RUN: split-file %s %t
// RUN: not attn-translate --attn-to-object %t/functions.mlir -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// RUN: not attn-translate --attn-to-assembly %t/functions.mlir 2>&1 | FileCheck %s
// RUN: not attn-translate --attn-to-manifest %t/functions.mlir 2>&1 | FileCheck %s
// RUN: not attn-translate --attn-to-header %t/functions.mlir 2>&1 | FileCheck %s
// RUN: not attn-translate --attn-to-ptx %t/functions.mlir 2>&1 | FileCheck %s
// RUN: not attn-translate --attn-to-object --device=cuda %t/functions.mlir 2>&1 | FileCheck %s
// RUN: not attn-translate --attn-to-object %t/empty.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK: functions.mlir:0:0: error: has no function that can be called from C; expected a public func.func with a body, and a tensor among its arguments or results
// CHECK: functions.mlir:1:1: note: 'hidden' is private
// CHECK: functions.mlir:4:1: note: 'scalars' has no tensor
// CHECK: functions.mlir:7:1: note: 'elsewhere' has no body
// EMPTY: empty.mlir:0:0: error: has no function that can be called from C

//--- functions.mlir
func.func private @hidden(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}
func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>

//--- empty.mlir
