// RUN: attn-opt %s --attn-bind-host-memory --split-input-file --verify-diagnostics

// C1
// expected-error @below {{result 'out' has an extent 0 that no argument determines}}
func.func @unknown(%n: index) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// C2
// expected-error @below {{is public, to be called from C, and used inside the module; expected a private function that both the public one and the user call}}
func.func @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{used here}}
  %0 = call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C3
// expected-error @below {{needs the name '@f_impl', which is taken}}
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-note @below {{by this operation}}
func.func private @f_impl(%a: f32)

// -----

// A signature from elsewhere.
// expected-error @below {{has a type that 'attn.signature' does not describe: '(tensor<4xf32>) -> tensor<4xf32>'}}
func.func @stale(%a: tensor<4xf32>) -> tensor<4xf32> attributes {
    attn.signature = {symbol = "stale", args = [
      {name = "a", element = f32, dims = [5]},
      {name = "out", element = f32, dims = [4], output}]}} {
  return %a : tensor<4xf32>
}

// -----

// expected-error @below {{attribute 'attn.signature' is malformed: expected a dictionary with 'symbol' and 'args'}}
func.func @malformed(%a: tensor<4xf32>) attributes {attn.signature = {}} {
  return
}
