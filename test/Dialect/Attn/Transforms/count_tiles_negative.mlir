// RUN: attn-opt %s --attn-count-tiles --split-input-file --verify-diagnostics

// C1: other regions than those of scf's loops and conditions.
func.func @f(%n: index) {
  scf.execute_region {
    // expected-error @+1 {{attn-count-tiles: expected a walk in loops and conditions of scf, got one in scf.execute_region}}
    attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) {
    ^bb0(%start: index, %valid: index, %masked: i1):
    }
    scf.yield
  }
  return
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
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{they depend on this}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%end = %n) -> index {
    // expected-error @+1 {{attn-count-tiles: bounds expected not to depend on what a loop carries}}
    attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%c0, %end) {
    ^bb0(%start: index, %valid: index, %masked: i1):
    }
    %next = arith.subi %end, %c1 : index
    scf.yield %next : index
  }
  return %r : index
}
