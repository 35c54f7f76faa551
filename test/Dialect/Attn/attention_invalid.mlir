// RUN: attn-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// The constraints of attn.attention, by label.

// C1: dense operands have rank 4, and all faults come at once.
func.func @f(%q: tensor<8x6x16xf32>, %k: tensor<9x2x16xf32>, %v: tensor<9x2x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 5 faults: (1) 'q' expected rank 4 [batch, heads, length, dim], got tensor<8x6x16xf32>; (2) 'k' expected rank 4 [batch, heads, length, dim], got tensor<9x2x16xf32>; (3) 'v' expected rank 4 [batch, heads, length, dim], got tensor<9x2x24xf32>; (4) 'out' expected rank 4 [batch, heads, length, dim], got tensor<8x6x24xf32>; (5) 'lse' expected rank 3 [batch, heads, length], got tensor<8x6xf32>}}
  %out, %lse = attn.attention %q, %k, %v
      : tensor<8x6x16xf32>, tensor<9x2x16xf32>, tensor<9x2x24xf32>
      -> tensor<8x6x24xf32>, tensor<8x6xf32>
  return
}

// -----

// C1: packed operands have rank 3.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %cu: tensor<3xi32>) {
  // expected-error @+1 {{'attn.attention' op has 4 faults: (1) 'q' expected rank 3 [total, heads, dim], as 'cu_seqlens' packs, got tensor<2x6x8x16xf32>; (2) 'k' expected rank 3 [total, heads, dim], as 'cu_seqlens' packs, got tensor<2x2x9x16xf32>; (3) 'v' expected rank 3 [total, heads, dim], as 'cu_seqlens' packs, got tensor<2x2x9x24xf32>; (4) 'out' expected rank 3 [total, heads, dim], as 'cu_seqlens' packs, got tensor<2x6x8x24xf32>}}
  %out = attn.attention %q, %k, %v
      cu_seqlens (%cu, %cu : tensor<3xi32>, tensor<3xi32>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C1: no unranked lse.
func.func @f(%q: tensor<2x2x9x16xf32>) {
  // expected-error @+1 {{'attn.attention' op 'lse' expected rank 3 [batch, heads, length], got tensor<*xf32>}}
  %out, %lse = attn.attention %q, %q, %q
      : tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>
      -> tensor<2x2x9x16xf32>, tensor<*xf32>
  return
}

// -----

// C8: captures are ranked tensors without encoding, or scalars.
func.func @f(%q: tensor<2x2x9x16xf32>, %c: tensor<*xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a tensor of known rank or a scalar, got tensor<*xf32>}}
  %out = attn.attention %q, %q, %q
      score (%c : tensor<*xf32>)
      score_maps [affine_map<(b, h, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: tensor<*xf32>):
        attn.yield %s : f32
      }
      : tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>
      -> tensor<2x2x9x16xf32>
  return
}

// -----

func.func @f(%q: tensor<2x2x9x16xf32>, %c: tensor<9xi1, "packed">) {
  // expected-error @+1 {{'attn.attention' op 'visible capture 0' expected a tensor without encoding, got tensor<9xi1, "packed">}}
  %out = attn.attention %q, %q, %q mask (#attn.region)
      visible (%c : tensor<9xi1, "packed">)
      visible_maps [affine_map<(b, h, i, j) -> (j)>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %x: i1):
        attn.yield %x : i1
      }
      : tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>
      -> tensor<2x2x9x16xf32>
  return
}

// -----

// C1: no unranked operands.
func.func @f(%q: tensor<*xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'q' expected rank 4 [batch, heads, length, dim], got tensor<*xf32>; (2) 'out' expected rank 4 [batch, heads, length, dim], got tensor<*xf32>}}
  %out = attn.attention %q, %k, %v
      : tensor<*xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<*xf32>
  return
}

// -----

// C1: no rank 0.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{'attn.attention' op 'v' expected rank 4 [batch, heads, length, dim], got tensor<f32>}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<f32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C1: an encoding would be ignored silently.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32, "column-major">, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'k' expected a tensor without encoding, got tensor<2x2x9x16xf32, "column-major">}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32, "column-major">, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C1: ranks of the small operands.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %s: tensor<2x3xf32>, %n: tensor<i32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{'attn.attention' op has 6 faults: (1) 'sinks' expected rank 1 [heads], got tensor<2x3xf32>; (2) 'q_ids' expected rank 2 [batch, length], got tensor<8xi32>; (3) 'kv_ids' expected rank 2 [batch, length], got tensor<8xi32>; (4) 'prefix' expected rank 1 [batch], got tensor<i32>; (5) 'seqused_q' expected rank 1 [batch], got tensor<i32>; (6) 'seqused_kv' expected rank 1 [batch], got tensor<i32>}}
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.prefix, #attn.documents>) sinks (%s : tensor<2x3xf32>)
      documents (%i, %i : tensor<8xi32>, tensor<8xi32>) prefix (%n : tensor<i32>)
      seqused_q (%n : tensor<i32>) seqused_kv (%n : tensor<i32>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C2: the element types that there are.
func.func @f(%q: tensor<2x6x8x16xf64>, %k: tensor<2x2x9x16xf64>, %v: tensor<2x2x9x24xf64>) {
  // expected-error @+1 {{'attn.attention' op 'q' expected element type f32, bf16 or f16, got f64}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf64>, tensor<2x2x9x16xf64>, tensor<2x2x9x24xf64>
      -> tensor<2x6x8x24xf64>
  return
}

// -----

// C2: one element type for all.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xbf16>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'k' expected element type f32 as in 'q', got bf16; (2) 'out' expected element type f32 as in 'q', got f16}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xbf16>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf16>
  return
}

// -----

// What is wrong with one operand's type does not hide what is wrong with extents:
// they were said after it had been mended.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x4x9x16xf32>, %v: tensor<2x4x9x24xbf16>, %s: tensor<5x1xf32>) {
  // expected-error @+1 {{'attn.attention' op has 5 faults: (1) 'v' expected element type f32 as in 'q', got bf16; (2) 'sinks' expected rank 1 [heads], got tensor<5x1xf32>; (3) 'out' expected extent 24 (Dv) as in 'v', got 32; (4) 'q' expected a number of heads that is a multiple of the 4 heads of 'k', got 6; (5) 'scale' expected greater than 0 and below 2^127 in f32, got 0.000000e+00}}
  %out = attn.attention %q, %k, %v scale 0.0 sinks(%s : tensor<5x1xf32>)
      : tensor<2x6x8x16xf32>, tensor<2x4x9x16xf32>, tensor<2x4x9x24xbf16>
      -> tensor<2x6x8x32xf32>
  return
}

// -----

// C2: lse is f32.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'lse' expected element type f32, got f16}}
  %out, %lse = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>, tensor<2x6x8xf16>
  return
}

// -----

// C2: ids and lengths are i32.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %i: tensor<2x8xi64>, %j: tensor<2x9xi64>, %n: tensor<2xi64>) {
  // expected-error @+1 {{'attn.attention' op has 5 faults: (1) 'q_ids' expected element type i32, got i64; (2) 'kv_ids' expected element type i32, got i64; (3) 'prefix' expected element type i32, got i64; (4) 'seqused_q' expected element type i32, got i64; (5) 'seqused_kv' expected element type i32, got i64}}
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.prefix, #attn.documents>)
      documents (%i, %j : tensor<2x8xi64>, tensor<2x9xi64>) prefix (%n : tensor<2xi64>)
      seqused_q (%n : tensor<2xi64>) seqused_kv (%n : tensor<2xi64>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C2: cu_seqlens is i32.
func.func @f(%q: tensor<8x6x16xf32>, %k: tensor<9x2x16xf32>, %v: tensor<9x2x24xf32>, %cu: tensor<3xi64>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'cu_seqlens_q' expected element type i32, got i64; (2) 'cu_seqlens_kv' expected element type i32, got i64}}
  %out = attn.attention %q, %k, %v
      cu_seqlens (%cu, %cu : tensor<3xi64>, tensor<3xi64>)
      : tensor<8x6x16xf32>, tensor<9x2x16xf32>, tensor<9x2x24xf32>
      -> tensor<8x6x24xf32>
  return
}

// -----

// C3: head dimensions are static.
func.func @f(%q: tensor<2x6x8x?xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x?xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'q' expected a static D of at least 1, got ?; (2) 'v' expected a static Dv of at least 1, got ?}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x?xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x?xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C3: all of them.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x?xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'k' expected a static D of at least 1, got ?; (2) 'out' expected a static Dv of at least 1, got ?}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x2x9x?xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x?xf32>
  return
}

// -----

// C3: and not 0.
func.func @f(%q: tensor<2x6x8x0xf32>, %k: tensor<2x2x9x0xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'q' expected a static D of at least 1, got 0; (2) 'k' expected a static D of at least 1, got 0}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x0xf32>, tensor<2x2x9x0xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C3, C4: extents agree.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<3x2x9x17xf32>, %v: tensor<2x1x10x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 7 faults: (1) 'k' expected extent 2 (B) as in 'q', got 3; (2) 'k' expected extent 16 (D) as in 'q', got 17; (3) 'v' expected extent 2 (Hkv) as in 'k', got 1; (4) 'v' expected extent 9 (Skv) as in 'k', got 10; (5) 'out' expected extent 8 (Sq) as in 'q', got 7; (6) 'out' expected extent 24 (Dv) as in 'v', got 25; (7) 'lse' expected extent 6 (Hq) as in 'q', got 5}}
  %out, %lse = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<3x2x9x17xf32>, tensor<2x1x10x24xf32>
      -> tensor<2x6x7x25xf32>, tensor<2x5x8xf32>
  return
}

// -----

// C4: extents of the small operands.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %s: tensor<5xf32>, %n: tensor<3xi32>, %i: tensor<2x7xi32>) {
  // expected-error @+1 {{'attn.attention' op has 6 faults: (1) 'prefix' expected extent 2 (B) as in 'q', got 3; (2) 'seqused_q' expected extent 2 (B) as in 'q', got 3; (3) 'seqused_kv' expected extent 2 (B) as in 'q', got 3; (4) 'sinks' expected extent 6 (Hq) as in 'q', got 5; (5) 'q_ids' expected extent 8 (Sq) as in 'q', got 7; (6) 'kv_ids' expected extent 9 (Skv) as in 'k', got 7}}
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.prefix, #attn.documents>) sinks (%s : tensor<5xf32>)
      documents (%i, %i : tensor<2x7xi32>, tensor<2x7xi32>) prefix (%n : tensor<3xi32>)
      seqused_q (%n : tensor<3xi32>) seqused_kv (%n : tensor<3xi32>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C4: an unknown number of rows is named as such.
func.func @f(%q: tensor<8x6x16xf32>, %k: tensor<9x2x16xf32>, %cu: tensor<3xi32>, %i: tensor<?x8xi32>, %j: tensor<1x9xi32>) {
  // expected-error @+1 {{'attn.attention' op 'q_ids' expected extent 1 first for packed operands, got an unknown one}}
  %0 = attn.attention %q, %k, %k mask (#attn.documents)
      documents (%i, %j : tensor<?x8xi32>, tensor<1x9xi32>)
      cu_seqlens (%cu, %cu : tensor<3xi32>, tensor<3xi32>)
      : tensor<8x6x16xf32>, tensor<9x2x16xf32>, tensor<9x2x16xf32> -> tensor<8x6x16xf32>
  return
}

// -----

// C4: packed ids have one row, cu_seqlens one entry more than there are segments.
func.func @f(%q: tensor<8x6x16xf32>, %k: tensor<9x2x16xf32>, %v: tensor<9x2x24xf32>, %cu: tensor<3xi32>, %ck: tensor<4xi32>, %i: tensor<2x8xi32>, %j: tensor<2x9xi32>) {
  // expected-error @+1 {{'attn.attention' op has 3 faults: (1) 'cu_seqlens_kv' expected extent 2 (B) as in 'cu_seqlens_q', got 3; (2) 'q_ids' expected extent 1 first for packed operands, got 2; (3) 'kv_ids' expected extent 1 first for packed operands, got 2}}
  %out = attn.attention %q, %k, %v
      mask (#attn.documents)
      documents (%i, %j : tensor<2x8xi32>, tensor<2x9xi32>)
      cu_seqlens (%cu, %ck : tensor<3xi32>, tensor<4xi32>)
      : tensor<8x6x16xf32>, tensor<9x2x16xf32>, tensor<9x2x24xf32>
      -> tensor<8x6x24xf32>
  return
}

// -----

// C4: cu_seqlens is never empty.
func.func @f(%q: tensor<8x6x16xf32>, %k: tensor<9x2x16xf32>, %v: tensor<9x2x24xf32>, %cu: tensor<0xi32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'cu_seqlens_q' expected B + 1 entries, got 0; (2) 'cu_seqlens_kv' expected B + 1 entries, got 0}}
  %out = attn.attention %q, %k, %v
      cu_seqlens (%cu, %cu : tensor<0xi32>, tensor<0xi32>)
      : tensor<8x6x16xf32>, tensor<9x2x16xf32>, tensor<9x2x24xf32>
      -> tensor<8x6x24xf32>
  return
}

// -----

// C5: query heads per key head.
func.func @f(%q: tensor<2x5x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'q' expected a number of heads that is a multiple of the 2 heads of 'k', got 5}}
  %out = attn.attention %q, %k, %v
      : tensor<2x5x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x5x8x24xf32>
  return
}

// -----

// C5: no key heads, though there are queries.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x0x9x16xf32>, %v: tensor<2x0x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'q' expected a number of heads that is a multiple of the 0 heads of 'k', got 6}}
  %out = attn.attention %q, %k, %v
      : tensor<2x6x8x16xf32>, tensor<2x0x9x16xf32>, tensor<2x0x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C6: not negative.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'scale' expected greater than 0 and below 2^127 in f32, got -5.000000e-01; a negative or zero scale breaks the running maximum: negate or drop 'q' instead}}
  %out = attn.attention %q, %k, %v
      scale -0.5
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C6: not zero.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'scale' expected greater than 0 and below 2^127 in f32, got 0.000000e+00; a negative or zero scale breaks the running maximum: negate or drop 'q' instead}}
  %out = attn.attention %q, %k, %v
      scale 0.0
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C6: not infinite.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'scale' expected greater than 0 and below 2^127 in f32, got INF}}
  %out = attn.attention %q, %k, %v
      scale 0x7FF0000000000000
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C6: not NaN.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'scale' expected greater than 0 and below 2^127 in f32, got nan}}
  %out = attn.attention %q, %k, %v
      scale 0x7FF8000000000000
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C6: not infinite in f32.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'scale' expected greater than 0 and below 2^127 in f32, got 1.000000e+60}}
  %out = attn.attention %q, %k, %v
      scale 1.0e60
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C7: what a mask needs.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 3 faults: (1) #attn.documents expected 'documents' operands, got none; (2) #attn.prefix without a number expected a 'prefix' operand, got none; (3) #attn.region expected a 'visible' region, got none}}
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.documents, #attn.or<#attn.prefix, #attn.region>>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C7: what no mask needs.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %n: tensor<2xi32>, %i: tensor<2x8xi32>, %j: tensor<2x9xi32>) {
  // expected-error @+1 {{'attn.attention' op has 3 faults: (1) 'documents' operands given, but the mask has no #attn.documents; (2) 'prefix' operand given, but the mask has no #attn.prefix without a number; (3) 'visible' region given, but the mask has no #attn.region}}
  %out = attn.attention %q, %k, %v
      mask (#attn.prefix<4>)
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %true = arith.constant true
        attn.yield %true : i1
      }
      documents (%i, %j : tensor<2x8xi32>, tensor<2x9xi32>) prefix (%n : tensor<2xi32>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C7: ids of one side only.
func.func @f(%q: tensor<1x1x1x4xf32>, %ids: tensor<1x1xi32>) {
  // expected-error @+1 {{'attn.attention' op 'documents' expected ids of queries and of keys together, got those of keys alone}}
  %out = "attn.attention"(%q, %q, %q, %ids) <{
      mask = #attn.documents,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0>}> ({}, {})
      : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1xi32>)
      -> tensor<1x1x1x4xf32>
  return
}

// -----

// C7: a mask is a mask attribute.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op attribute 'mask' failed to satisfy constraint: mask attribute (#attn.causal, window, window_size, prefix, chunked, documents, region, and, or)}}
  %out = attn.attention %q, %k, %v
      mask (#attn.segment<range, full>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: arguments of the score region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score' region expected 5 arguments, got 4}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: i64):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: types of the score region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op has 2 faults: (1) 'score' region expected argument 0 of type f32, got f64; (2) 'score' region expected argument 1 of type index, got i32}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f64, %b: i32, %h: index, %p: index, %r: index):
        %x = arith.truncf %s : f64 to f32
        attn.yield %x : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: yield of the score region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score' region expected to yield (f32), got (f32, index)}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        attn.yield %s, %p : f32, index
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: yield of the visible region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'visible' region expected to yield (i1), got (index)}}
  %out = attn.attention %q, %k, %v
      mask (#attn.region) visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        attn.yield %p : index
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a region ends by attn.yield.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score' region expected attn.yield as its last operation}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        "test.end"(%s) : (f32) -> ()
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: one block.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op region #0 ('score') failed to verify constraint: region with at most 1 blocks}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        cf.br ^bb1
      ^bb1:
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: pure operations only.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score' region expected operations without side effects, got vector.print}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        vector.print %s : f32
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: values from outside come in as captures.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %outer: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        // expected-error @+1 {{'attn.yield' op using value defined outside the region}}
        attn.yield %outer : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: one map per capture.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: f32) {
  // expected-error @+1 {{'attn.attention' op 'score_maps' expected 1 maps, one per capture, got 0}}
  %out = attn.attention %q, %k, %v
      score (%c : f32) score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: captures without a region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: f32) {
  // expected-error @+1 {{'attn.attention' op 'score' captures 1 operands by 1 maps, but there is no score region}}
  %out = attn.attention %q, %k, %v
      score (%c : f32) score_maps [affine_map<(b, h, i, j) -> ()>]
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: maps without a region.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>) {
  // expected-error @+1 {{'attn.attention' op 'visible' captures 0 operands by 1 maps, but there is no visible region}}
  %out = attn.attention %q, %k, %v
      visible_maps [affine_map<(b, h, i, j) -> ()>]
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a capture map has four dimensions.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: f32) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a map of 4 dimensions, got 5}}
  %out = attn.attention %q, %k, %v
      score (%c : f32)
      score_maps [affine_map<(b, h, g, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a capture map has no symbols.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a map whose results are dimensions, each used once, or 0, got (d0, d1, d2, d3)[s0] -> (s0); pass the operand whole by a map without results and read it by tensor.extract}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<4xf32>)
      score_maps [affine_map<(b, h, i, j)[s] -> (s)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: uses a dimension once.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<8x8xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a map whose results are dimensions, each used once, or 0, got (d0, d1, d2, d3) -> (d2, d2); pass the operand whole by a map without results and read it by tensor.extract}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<8x8xf32>)
      score_maps [affine_map<(b, h, i, j) -> (i, i)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: holds no expression.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<9xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a map whose results are dimensions, each used once, or 0, got (d0, d1, d2, d3) -> (d2 + 1); pass the operand whole by a map without results and read it by tensor.extract}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<9xf32>)
      score_maps [affine_map<(b, h, i, j) -> (i + 1)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: holds no constant but 0.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a map whose results are dimensions, each used once, or 0, got (d0, d1, d2, d3) -> (1); pass the operand whole by a map without results and read it by tensor.extract}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<2xf32>)
      score_maps [affine_map<(b, h, i, j) -> (1)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a 0 needs an element there.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<0xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected an element at 0 of axis 0, got extent 0}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<0xf32>)
      score_maps [affine_map<(b, h, i, j) -> (0)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a map with results is for tensors.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: f32) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a tensor of rank 1 for its map, got f32}}
  %out = attn.attention %q, %k, %v
      score (%c : f32)
      score_maps [affine_map<(b, h, i, j) -> (h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: its rank is the number of results.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<6x1xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score capture 0' expected a tensor of rank 1 for its map, got tensor<6x1xf32>}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<6x1xf32>)
      score_maps [affine_map<(b, h, i, j) -> (h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: extents of captures agree with the operands.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<3x5x7x8xf32>) {
  // expected-error @+1 {{'attn.attention' op has 4 faults: (1) 'score capture 0' expected extent 2 (B) as in 'q', got 3; (2) 'score capture 0' expected extent 6 (Hq) as in 'q', got 5; (3) 'score capture 0' expected extent 8 (Sq) as in 'q', got 7; (4) 'score capture 0' expected extent 9 (Skv) as in 'k', got 8}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<3x5x7x8xf32>)
      score_maps [affine_map<(b, h, i, j) -> (b, h, i, j)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C8: a capture passed whole keeps its type.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %c: tensor<6xf32>) {
  // expected-error @+1 {{'attn.attention' op 'score' region expected argument 5 of type tensor<6xf32>, got f32}}
  %out = attn.attention %q, %k, %v
      score (%c : tensor<6xf32>)
      score_maps [affine_map<(b, h, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        attn.yield %s : f32
      }
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C9: sinks are f32, bf16 or f16.
func.func @f(%q: tensor<2x6x8x16xf32>, %k: tensor<2x2x9x16xf32>, %v: tensor<2x2x9x24xf32>, %s: tensor<6xf64>) {
  // expected-error @+1 {{'attn.attention' op 'sinks' expected element type f32, bf16 or f16, got f64}}
  %out = attn.attention %q, %k, %v
      sinks (%s : tensor<6xf64>)
      : tensor<2x6x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x24xf32>
      -> tensor<2x6x8x24xf32>
  return
}

// -----

// C10: cu_seqlens of one side only.
func.func @f(%q: tensor<1x1x4xf32>, %cu: tensor<2xi32>) {
  // expected-error @+1 {{'attn.attention' op 'cu_seqlens' expected those of queries and of keys together, got those of queries alone}}
  %out = "attn.attention"(%q, %q, %q, %cu) <{
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>}> ({}, {})
      : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<2xi32>)
      -> tensor<1x1x4xf32>
  return
}
