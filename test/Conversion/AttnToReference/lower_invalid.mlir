// RUN: attn-opt %s --attn-lower-to-reference --split-input-file --verify-diagnostics

!t = tensor<1x1x4x8xf32>

func.func @called(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  return %x : !t
}

func.func @caller(%q: !t, %k: !t) -> !t {
  // expected-error @below {{'func.call' op calls 'called' for a tensor; the reference expected no such call: inline it first}}
  %x = call @called(%q, %k) : (!t, !t) -> !t
  return %x : !t
}

// -----

// A function of a nested module with the name of another one was taken for it.

!t = tensor<1x1x4x8xf32>

func.func @f(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k : !t, !t, !t -> !t
  return %x : !t
}

// expected-error @below {{'builtin.module' op is nested in another module; the reference expected functions}}
module @nested {
  func.func @f(%q: !t) -> !t {
    %x = attn.attention %q, %q, %q : !t, !t, !t -> !t
    return %x : !t
  }
}

// -----

!t = tensor<1x1x4x8xf32>

func.func @region(%q: !t, %k: !t) -> !t {
  %x = attn.attention %q, %k, %k score_region {
  ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
    // expected-error @below {{'arith.constant' op is not lowered by the reference in a region of attn.attention; expected arith, math, index, scf or affine operations on scalars, tensor.extract or tensor.dim of a tensor passed whole, got  -> 'tensor<2xf32>'}}
    %table = arith.constant dense<1.0> : tensor<2xf32>
    // expected-error @below {{'tensor.extract' op is not lowered by the reference in a region of attn.attention}}
    %y = tensor.extract %table[%h] : tensor<2xf32>
    attn.yield %y : f32
  } : !t, !t, !t -> !t
  return %x : !t
}
