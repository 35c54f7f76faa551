// One rule for all outputs: what the object cannot hold is in no header and no
// manifest either.

// REQUIRES: attn-translate
// RUN: split-file %s %t
// RUN: not attn-translate --attn-to-object %t/nested.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not attn-translate --attn-to-header %t/nested.mlir 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not attn-translate --attn-to-manifest %t/nested.mlir 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not attn-translate --attn-to-object %t/name.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not attn-translate --attn-to-header %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not attn-translate --attn-to-manifest %t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not attn-translate --attn-to-header %t/call.mlir 2>&1 | FileCheck %s --check-prefix=CALL

// RUN: not attn-translate --attn-to-object %t/taken.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not attn-translate --attn-to-header %t/taken.mlir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not attn-run %t/taken.mlir --function=f 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not attn-translate --attn-to-object --features=+axv2 %t/taken.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=FEATURE

// TAKEN: taken.mlir:1:1: error: 'func.func' op needs the name '@f_impl' for its code, which is taken
// FEATURE: attn-translate: error: option 'cpu' or 'features': unknown feature 'axv2' for x86_64
// NESTED: nested.mlir:5:1: error: 'builtin.module' op is nested in a module, and nothing in it would be compiled; expected functions in one module
// NAME: name.mlir:1:1: error: 'func.func' op its name is a function of the C library, which compiled code calls; expected another one, such as 'attn_memcpy'
// CALL: call.mlir:3:8: error: 'func.call' op calls 'g' on tensors

//--- nested.mlir
module {
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
module @inner {
  func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
}

//--- taken.mlir
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @f_impl(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

//--- name.mlir
func.func @memcpy(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

//--- call.mlir
func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
