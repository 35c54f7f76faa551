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
  // expected-error @+1 {{'attn.neutral' op has 3 faults: (1) 'm' expected element type f32, got bf16; (2) 'l' expected element type f32, got bf16; (3) 'acc' expected element type f32, got bf16}}
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

// attn.finalize C1: m is acc without Dv.
func.func @f(%m: tensor<1x2x3x5xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'm' expected the shape of 'acc' without its last dimension, got tensor<1x2x3x5xf32> for 'acc' tensor<1x2x3x4x8xf32>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init)
      : tensor<1x2x3x5xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C1: acc has rank 5.
func.func @f(%m: tensor<4xf32>, %acc: tensor<4x8xf32>,
             %out_init: tensor<4x8xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'acc' expected [batch, kv_head, group, query, Dv], got tensor<4x8xf32>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init)
      : tensor<4xf32>, tensor<4x8xf32>
      -> tensor<4x8xf32>
  return
}

// -----

// attn.finalize C5: states are f32.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xbf16>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'acc' expected element type f32, got bf16}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xbf16>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C2.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %sinks: tensor<3x2xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'sinks' expected [kv_head, group] of 'acc' tensor<1x2x3x4x8xf32>, got tensor<3x2xf32>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) sinks (%sinks : tensor<3x2xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C2: not flat heads.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %sinks: tensor<6xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'sinks' expected [kv_head, group] of 'acc' tensor<1x2x3x4x8xf32>, got tensor<6xf32>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) sinks (%sinks : tensor<6xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C2: ranked.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %sinks: tensor<*xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'sinks' expected a tensor of known rank, got tensor<*xf32>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) sinks (%sinks : tensor<*xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C3: the type of m.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %lse_init: tensor<1x2x3xf32>) {
  // expected-error @+1 {{'attn.finalize' op has 2 faults: (1) 'lse' expected tensor<1x2x3x4xf32> as 'm', got tensor<1x2x3xf32>; (2) 'lse_init' expected tensor<1x2x3x4xf32> as 'm', got tensor<1x2x3xf32>}}
  %out, %lse = attn.finalize (%m, %m, %acc) into (%out_init, %lse_init : tensor<1x2x3xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>, tensor<1x2x3xf32>
  return
}

// -----

// attn.finalize C3: both or none.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %lse_init: tensor<1x2x3x4xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'lse' and 'lse_init' expected together}}
  %out, %lse = attn.finalize (%m, %m, %acc) into (%out_init)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>, tensor<1x2x3x4xf32>
  return
}

// -----

// attn.finalize C3: nor the other way.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>, %lse_init: tensor<1x2x3x4xf32>) {
  // expected-error @+1 {{'attn.finalize' op 'lse' and 'lse_init' expected together}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init, %lse_init : tensor<1x2x3x4xf32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C4: five dimensions.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out_map' expected a map of 5 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3) -> (d0, d1, d2, d3)}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) out_map affine_map<(b, h, i, e) -> (b, h, i, e)>
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C4: no symbols.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out_map' expected a map of 5 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4)[s0] -> (d0, d1, d2, d3, s0)}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) out_map affine_map<(b, h, g, i, e)[s] -> (b, h, g, i, s)>
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C4: as many results as axes.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out_map' expected a map of 5 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) out_map affine_map<(b, h, g, i, e) -> (b, h, g, i)>
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C4: extents by the map.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out' expected the extents of 'acc' tensor<1x2x3x4x8xf32> by (d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4), got tensor<1x2x3x4x8xbf16>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) out_map affine_map<(b, h, g, i, e) -> (b, g, h, i, e)>
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x8xbf16>
  return
}

// -----

// attn.finalize C4: extents without one.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x3x4x9xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out' expected the extents of 'acc' tensor<1x2x3x4x8xf32> by (d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4), got tensor<1x2x3x4x9xbf16>}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x3x4x9xbf16>
  return
}

// -----

// attn.finalize C4: only extents of 1 may be left out.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32>,
             %out_init: tensor<1x2x4x8xbf16>) {
  // expected-error @+1 {{'attn.finalize' op 'out_map' leaves out dimension 2, expected its extent to be 1, got 3}}
  %out = attn.finalize (%m, %m, %acc) into (%out_init) out_map affine_map<(b, h, g, i, e) -> (b, h, i, e)>
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32>
      -> tensor<1x2x4x8xbf16>
  return
}

// -----

// attn.finalize C5: element types and encodings, by name.
func.func @f(%m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x8xf32, "packed">,
             %out_init: tensor<1x2x3x4x8xf64>, %sinks: tensor<2x3xi32>,
             %lse: tensor<1x2x3x4xf16>) {
  // expected-error @+1 {{'attn.finalize' op has 5 faults: (1) 'acc' expected a tensor without encoding, got tensor<1x2x3x4x8xf32, "packed">; (2) 'out_init' expected element type f32, bf16 or f16, got f64; (3) 'lse_init' expected element type f32, got f16; (4) 'sinks' expected element type f32, bf16 or f16, got i32; (5) 'lse' expected element type f32, got f16}}
  %out, %s = attn.finalize (%m, %m, %acc) into (%out_init, %lse : tensor<1x2x3x4xf16>) sinks (%sinks : tensor<2x3xi32>)
      : tensor<1x2x3x4xf32>, tensor<1x2x3x4x8xf32, "packed">
      -> tensor<1x2x3x4x8xf64>, tensor<1x2x3x4xf16>
  return
}

// -----

// attn.merge C1: states are ranked, f32, and without encoding.
func.func @f(%m: tensor<*xf32>, %acc: tensor<4x8xf32, "packed">) {
  // expected-error @+1 {{'attn.merge' op has 6 faults: (1) 'm' expected a tensor of known rank, got tensor<*xf32>; (2) 'l' expected a tensor of known rank, got tensor<*xf32>; (3) 'acc' expected a tensor without encoding, got tensor<4x8xf32, "packed">; (4) 'other_m' expected a tensor of known rank, got tensor<*xf32>; (5) 'other_l' expected a tensor of known rank, got tensor<*xf32>; (6) 'other_acc' expected a tensor without encoding, got tensor<4x8xf32, "packed">}}
  %s:3 = "attn.merge"(%m, %m, %acc, %m, %m, %acc)
      : (tensor<*xf32>, tensor<*xf32>, tensor<4x8xf32, "packed">, tensor<*xf32>, tensor<*xf32>, tensor<4x8xf32, "packed">)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<4x8xf32, "packed">)
  return
}

// -----

// attn.yield C1.
func.func @f(%x: f32) {
  // expected-error @+1 {{'attn.yield' op expects parent op to be one of 'attn.attention, attn.partial, attn.walk'}}
  attn.yield %x : f32
}
