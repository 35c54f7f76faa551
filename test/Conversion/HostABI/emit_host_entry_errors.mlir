// RUN: attn-opt %s --attn-emit-host-entry --split-input-file --verify-diagnostics

// C1
// expected-error @below {{expected memrefs and scalars as 'attn.signature' describes them, got '(tensor<4xf32>) -> ()'; run attn-bind-host-memory first}}
func.func @f(%a: tensor<4xf32>) attributes {attn.signature = {
    symbol = "f", args = [{name = "a", element = f32, dims = [4]}]}} {
  return
}

// -----

// expected-error @below {{expected memrefs and scalars as 'attn.signature' describes them, got '(memref<4xf64>) -> ()'}}
func.func private @f_impl(%a: memref<4xf64>) attributes {attn.signature = {
    symbol = "f", args = [{name = "a", element = f32, dims = [4]}]}} {
  return
}

// -----

// expected-error @below {{needs the name '@f', which is taken}}
func.func private @f_impl(%a: memref<4xf32>) attributes {attn.signature = {
    symbol = "f", args = [{name = "a", element = f32, dims = [4]}]}} {
  return
}
func.func private @f()
