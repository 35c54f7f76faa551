// RUN: attn-opt %s --split-input-file --verify-diagnostics

// The constraints of attn.partial, by label.

// C1: three maps.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'maps' expected 3 maps, for q, k and v, got 2}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: seven dimensions.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 3 faults: (1) 'q' expected a map of 7 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5); (2) 'k' expected a map of 7 dimensions with 4 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5); (3) 'v' expected a map of 7 dimensions with 4 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d) -> (b, h, j, d)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: no symbols.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 3 faults: (1) 'q' expected a map of 7 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6)[s0] -> (d0, d1, d2, d3, d5); (2) 'k' expected a map of 7 dimensions with 4 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6)[s0] -> (d0, d1, d4, d5); (3) 'v' expected a map of 7 dimensions with 4 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6)[s0] -> (d0, d1, d4, d6)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e)[s] -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e)[s] -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e)[s] -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: no expressions.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'q' expected a map of 7 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d5 + 1)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d + 1)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: each dimension once.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'q' expected a map of 7 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d3)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, i)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: no constants.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'q' expected a map of 7 dimensions with 5 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6) -> (0, d1, d2, d3, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (0, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: as many results as the operand has axes.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'k' expected a map of 7 dimensions with 4 results, each a dimension used once, got (d0, d1, d2, d3, d4, d5, d6) -> (d4, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: q has no keys.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'q' expected no dimension key in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d4, d5); (2) 'q' expected dimension query in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d4, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: k has no groups.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'k' expected no dimension group in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d4, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, g, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: k uses j and d.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 4 faults: (1) 'k' expected no dimension query in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d6); (2) 'k' expected no dimension Dv in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d6); (3) 'k' expected dimension key in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d6); (4) 'k' expected dimension D in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d6)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, i, e)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: v uses e.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'v' expected no dimension D in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d4, d5); (2) 'v' expected dimension Dv in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d4, d5)}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: rank 0 names nothing.
func.func @f(%q: tensor<f32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'q' expected dimension query in its map, got (d0, d1, d2, d3, d4, d5, d6) -> (); (2) 'q' expected dimension D in its map, got (d0, d1, d2, d3, d4, d5, d6) -> ()}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> ()>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<f32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C1: positions of all five dimensions.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'origin' expected 5 values, got 4}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C2: m has rank 4.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<f32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'm' expected [batch, kv_head, group, query], got tensor<f32>}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<f32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C2: acc has rank 5.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'acc' expected [batch, kv_head, group, query, Dv], got tensor<1x2x3x4xf32>}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
  return
}

// -----

// C2: states are f32.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf64>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'm' expected element type f32, got f64; (2) 'l' expected element type f32, got f64}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf64>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C2, C3: acc agrees with m.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x5x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'acc' expected extent 4 (query) as in 'm', got 5}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x5x6xf32>
  return
}

// -----

// C3: extents agree.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x3x5x9xf32>, %v: tensor<2x2x7x7xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 5 faults: (1) 'k' expected extent 2 (kv_head) as in 'm', got 3; (2) 'k' expected extent 8 (D) as in 'q', got 9; (3) 'v' expected extent 1 (batch) as in 'm', got 2; (4) 'v' expected extent 5 (key) as in 'k', got 7; (5) 'v' expected extent 6 (Dv) as in 'acc', got 7}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x3x5x9xf32>, tensor<2x2x7x7xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C3: extents of ids and prefix agree.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index, %i: tensor<2x9xi32>, %p: tensor<2xi32>) {
  // expected-error @+1 {{'attn.partial' op has 5 faults: (1) 'q_ids' expected extent 1 (batch) as in 'm', got 2; (2) 'q_ids' expected extent 4 (query) as in 'm', got 9; (3) 'kv_ids' expected extent 1 (batch) as in 'm', got 2; (4) 'kv_ids' expected extent 5 (key) as in 'k', got 9; (5) 'prefix' expected extent 1 (batch) as in 'm', got 2}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n mask (#attn.and<#attn.prefix, #attn.documents>) scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      documents (%i, %i : tensor<2x9xi32>, tensor<2x9xi32>) prefix (%p : tensor<2xi32>)
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C4: one element type.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xbf16>, %v: tensor<1x2x5x6xf16>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'k' expected element type f32 as in 'q', got bf16; (2) 'v' expected element type f32 as in 'q', got f16}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xbf16>, tensor<1x2x5x6xf16>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C4: that there is.
func.func @f(%q: tensor<1x2x3x4x8xf64>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'q' expected element type f32, bf16 or f16, got f64}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf64>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C5: not zero.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'scale' expected greater than 0 and below 2^127 in f32, got 0.000000e+00; a negative or zero scale breaks the running maximum: negate or drop 'q' instead}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 0.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C5: not NaN.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'scale' expected greater than 0 and below 2^127 in f32, got nan}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 0x7FF8000000000000
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C5: no underflow in f32.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'scale' expected greater than 0 and below 2^127 in f32, got 1.000000e-60}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0e-60
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: what the mask needs.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op has 3 faults: (1) #attn.documents expected 'documents' operands, got none; (2) #attn.prefix without a number expected a 'prefix' operand, got none; (3) #attn.region expected a 'visible' region, got none}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n mask (#attn.or<#attn.documents, #attn.prefix, #attn.region>) scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: what the mask does not need.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'visible' region given, but the mask has no #attn.region}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %true = arith.constant true
        attn.yield %true : i1
      }
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: regions see positions, not local indices.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'score' region expected 5 arguments, got 6}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %j: index):
        attn.yield %s : f32
      }
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: a score is f32.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op 'score' region expected to yield (f32), got ()}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        attn.yield
      }
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: maps of captures are over five dimensions.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index, %c: f32) {
  // expected-error @+1 {{'attn.partial' op 'score capture 0' expected a map of 5 dimensions, got 4}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      score (%c : f32) score_maps [affine_map<(b, h, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %x : f32
      }
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C6: extents of captures agree, keys included.
func.func @f(%q: tensor<1x2x3x4x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>,
             %m: tensor<1x2x3x4xf32>, %acc: tensor<1x2x3x4x6xf32>, %n: index, %c: tensor<3x4x4xf32>) {
  // expected-error @+1 {{'attn.partial' op has 2 faults: (1) 'score capture 0' expected extent 2 (kv_head) as in 'm', got 3; (2) 'score capture 0' expected extent 5 (key) as in 'k', got 4}}
  %s:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      score (%c : tensor<3x4x4xf32>)
      score_maps [affine_map<(b, h, g, i, j) -> (h, i, j)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %x : f32
      }
      : tensor<1x2x3x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>
      -> tensor<1x2x3x4xf32>, tensor<1x2x3x4x6xf32>
  return
}

// -----

// C7: m, l and their results have one type.
func.func @f(%q: tensor<1x1x1x1x8xf32>, %k: tensor<1x1x1x8xf32>,
             %m: tensor<1x1x1x1xf32>, %l: tensor<1x1x1x?xf32>,
             %acc: tensor<1x1x1x1x8xf32>, %n: index) {
  // expected-error @+1 {{'attn.partial' op failed to verify that all of {m, l, new_m, new_l} have same type}}
  %s:3 = "attn.partial"(%q, %k, %k, %m, %l, %acc, %n, %n, %n, %n, %n, %n) <{
      maps = [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
              affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
              affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>],
      operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0>,
      scale = 1.0 : f64}> ({}, {})
      : (tensor<1x1x1x1x8xf32>, tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>,
         tensor<1x1x1x1xf32>, tensor<1x1x1x?xf32>, tensor<1x1x1x1x8xf32>,
         index, index, index, index, index, index)
      -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1x8xf32>)
  return
}
