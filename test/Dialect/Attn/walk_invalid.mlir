// RUN: attn-opt %s --split-input-file --verify-diagnostics

// The constraints of attn.walk, by label.

// C1: two bounds per segment.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op 'bounds' expected 2 values, begin and end of 1 segments, got 1}}
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: bounds without segments.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op 'bounds' expected 0 values, begin and end of 0 segments, got 2}}
  attn.walk %n by 64 segments [] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: one list per list segment.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op 'lists' expected 1 operands, one per list segment, got 0}}
  attn.walk %n by 64 segments [#attn.segment<list, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: no list for a range.
func.func @f(%n: index, %l: tensor<?xi32>) {
  // expected-error @+1 {{'attn.walk' op 'lists' expected 0 operands, one per list segment, got 1}}
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) lists (%l : tensor<?xi32>) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: a list is i32, of rank 1.
func.func @f(%n: index, %l: tensor<?xi64>) {
  // expected-error @+1 {{'attn.walk' op 'list 0' expected element type i32, got i64}}
  attn.walk %n by 64 segments [#attn.segment<list, full>] bounds (%n, %n) lists (%l : tensor<?xi64>) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C1: segments are #attn.segment.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op attribute 'segments' failed to satisfy constraint: array of #attn.segment}}
  attn.walk %n by 64 segments [#attn.causal] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C2: no tile of 0 keys.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op 'tile' expected at least 1, got 0}}
  attn.walk %n by 0 segments [#attn.segment<range, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C2: no negative tile, and all faults at once.
func.func @f(%n: index, %l: tensor<?xi32>) {
  // expected-error @+1 {{'attn.walk' op has 3 faults: (1) 'bounds' expected 2 values, begin and end of 1 segments, got 3; (2) 'lists' expected 0 operands, one per list segment, got 1; (3) 'tile' expected at least 1, got -1}}
  attn.walk %n by -1 segments [#attn.segment<range, full>] bounds (%n, %n, %n) lists (%l : tensor<?xi32>) {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

// -----

// C3: start, valid, masked.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op body expected arguments (index, index, i1), got (index, index)}}
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index):
  }
  return
}

// -----

// C3: then the state.
func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{'attn.walk' op body expected arguments (index, index, i1, f32), got (index, index, i1, index)}}
  %r = attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) init (%x : f32) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    %y = arith.constant 0.0 : f32
    attn.yield %y : f32
  }
  return
}

// -----

// C3: yields the state.
func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{'attn.walk' op body expected to yield (f32), got (f32, index)}}
  %r = attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) init (%x : f32) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: f32):
    attn.yield %s, %start : f32, index
  }
  return
}

// -----

// C3: the implied terminator yields nothing.
func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{'attn.walk' op body expected to yield (f32), got ()}}
  %r = attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) init (%x : f32) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: f32):
  }
  return
}

// -----

// C3: one block.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op expects region #0 to have 0 or 1 blocks}}
  attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
    cf.br ^bb1
  ^bb1:
    attn.yield
  }
  return
}

// -----

// C3: results are the states.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.walk' op failed to verify that all of {inits, results} have same type}}
  %r = "attn.walk"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, segments = [], tile = 1 : i64}> ({
  ^bb0(%start: index, %valid: index, %masked: i1):
    attn.yield
  }) : (index) -> index
  return
}
