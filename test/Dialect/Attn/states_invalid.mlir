// RUN: attn-opt %s --split-input-file --verify-diagnostics

// The constraints of attn.neutral, attn.merge and attn.finalize, by label.

// attn.neutral C1.
func.func @f() {
  // expected-error @+1 {{'attn.neutral' op 'm' expected the shape of 'acc' without its last dimension, got tensor<4x5xf32> for 'acc' tensor<5x4x8xf32>}}
  %s:3 = attn.neutral : tensor<4x5xf32>, tensor<5x4x8xf32>
  return
}

// -----

// attn.neutral C1: rank 0 has no last dimension.
func.func @f() {
  // expected-error @+1 {{'attn.neutral' op 'm' expected the shape of 'acc' without its last dimension, got tensor<f32> for 'acc' tensor<f32>}}
  %s:3 = attn.neutral : tensor<f32>, tensor<f32>
  return
}

// -----

// attn.neutral C1: f32.
func.func @f() {
  // expected-error @+1 {{'attn.neutral' op result #0 must be ranked tensor of 32-bit float values, but got 'tensor<4xbf16>'}}
  %s:3 = attn.neutral : tensor<4xbf16>, tensor<4x8xbf16>
  return
}

// -----

// attn.neutral C2: an extent is missing.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.neutral' op expected 2 extents, one per dynamic extent of 'acc', got 1}}
  %s:3 = attn.neutral [%n] : tensor<?x?xf32>, tensor<?x?x8xf32>
  return
}

// -----

// attn.neutral C2: an extent too many.
func.func @f(%n: index) {
  // expected-error @+1 {{'attn.neutral' op expected 0 extents, one per dynamic extent of 'acc', got 1}}
  %s:3 = attn.neutral [%n] : tensor<4xf32>, tensor<4x8xf32>
  return
}

// -----

// attn.merge C1.
func.func @f(%m: tensor<?xf32>, %acc: tensor<4x8xf32>) {
  // expected-error @+1 {{'attn.merge' op 'm' expected the shape of 'acc' without its last dimension, got tensor<?xf32> for 'acc' tensor<4x8xf32>}}
  %s:3 = attn.merge (%m, %m, %acc), (%m, %m, %acc)
      : tensor<?xf32>, tensor<4x8xf32>
  return
}

// -----

// attn.merge C1: both states have the same types.
func.func @f(%m: tensor<4xf32>, %other: tensor<?xf32>, %acc: tensor<4x8xf32>) {
  // expected-error @+1 {{'attn.merge' op failed to verify that all of {m, l, other_m, other_l, new_m, new_l} have same type}}
  %s:3 = "attn.merge"(%m, %m, %acc, %other, %other, %acc)
      : (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<4x8xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>)
  return
}

// -----

// attn.finalize C1, C2, C3.
func.func @f(%m: tensor<1x2x3x5xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %sinks: tensor<3x2xf32>) {
  // expected-error @+1 {{'attn.finalize' op has 4 faults: (1) 'm' expected the shape of 'acc' without its last dimension, got tensor<1x2x3x5xf32> for 'acc' tensor<1x2x3x4x8xf32>; (2) 'out' expected the shape of 'acc' tensor<1x2x3x4x8xf32>, got tensor<1x2x3x4x9xbf16>; (3) 'lse' expected tensor<1x2x3x5xf32> as 'm', got tensor<1x2x3xf32>; (4) 'sinks' expected [kv_head, group] of 'acc' tensor<1x2x3x4x8xf32>, got tensor<3x2xf32>}}
  %out, %lse = attn.finalize (%m, %m, %acc) sinks (%sinks : tensor<3x2xf32>)
      : tensor<1x2x3x5xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x9xbf16>, tensor<1x2x3xf32>
  return
}

// -----

// attn.finalize C2: sinks have no meaning for a state without heads.
func.func @f(%m: tensor<4xf32>, %acc: tensor<4x8xf32>, %sinks: tensor<4xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'sinks' expected [kv_head, group] of 'acc' tensor<4x8xf32>, got tensor<4xf32>}}
  %out = attn.finalize (%m, %m, %acc) sinks (%sinks : tensor<4xf32>)
      : tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xbf16>
  return
}

// -----

// attn.finalize C2: ranked sinks.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %sinks: tensor<*xf32>) {
  // expected-error @+1 {{'attn.finalize' op operand #3 must be ranked tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<*xf32>'}}
  %out = attn.finalize (%m, %m, %acc) sinks (%sinks : tensor<*xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32> -> tensor<1x2x3x4x8xbf16>
  return
}
