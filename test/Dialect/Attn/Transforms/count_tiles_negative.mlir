// RUN: attn-opt %s --attn-count-tiles --split-input-file --verify-diagnostics

// C1: other regions than those of scf's loops and conditions.
func.func @f(%n: index, %s: f32) -> f32 {
  %r = scf.execute_region -> f32 {
    // expected-error @+1 {{attn-count-tiles: expected a walk in loops and conditions of scf, got one in scf.execute_region}}
    %new = attn.walk %n by 64 segments [#attn.segment<range, full>]
        bounds (%n, %n) init (%s : f32) {
    ^bb0(%start: index, %valid: index, %masked: i1, %t: f32):
      attn.yield %t : f32
    }
    scf.yield %new : f32
  }
  return %r : f32
}

// -----

// C1: a body of several blocks.
// expected-error @+1 {{attn-count-tiles: expected a body of one block}}
func.func @f(%n: index) {
  cf.br ^bb1
^bb1:
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: called by another function.
func.func @f(%n: index) {
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}
func.func @g(%n: index) {
  // expected-error @+1 {{attn-count-tiles: expected no call of a function with walks; inline it first}}
  call @f(%n) : (index) -> ()
  return
}

// -----

// C2: a bound that a loop carries.
func.func @f(%n: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1
      // expected-note @+1 {{they depend on this}}
      iter_args(%end = %n, %state = %s) -> (index, f32) {
    // expected-error @+1 {{attn-count-tiles: bounds expected not to depend on what a loop carries}}
    %new = attn.walk %n by 64 segments [#attn.segment<range, full>]
        bounds (%c0, %end) init (%state : f32) {
    ^bb0(%start: index, %valid: index, %masked: i1, %t: f32):
      attn.yield %t : f32
    }
    %next = arith.subi %end, %c1 : index
    scf.yield %next, %new : index, f32
  }
  return %r#0, %r#1 : index, f32
}
