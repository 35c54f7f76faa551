// RUN: attn-opt %s -convert-attn-to-linalg -verify-diagnostics -split-input-file

func.func @not_decomposed(%q: tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32> {
  // expected-error @+1 {{'attn.attention' op expected to be decomposed by attn-decompose-attention before}}
  %o = attn.attention %q, %q, %q
      : tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32> -> tensor<1x1x64x16xf32>
  return %o : tensor<1x1x64x16xf32>
}

// -----

func.func @not_tiled(%q: tensor<1x2x1x64x16xf32>, %k: tensor<1x2x64x16xf32>, %m: tensor<1x2x1x64xf32>,
                     %acc: tensor<1x2x1x64x16xf32>) -> tensor<1x2x1x64x16xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'attn.partial' op expected static tiles of one head, as attn-tile makes them}}
  %r:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%c0, %c0, %c0, %c0, %c0] group_size %c0 scale 0.25
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x2x1x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>
      -> tensor<1x2x1x64xf32>, tensor<1x2x1x64x16xf32>
  return %r#2 : tensor<1x2x1x64x16xf32>
}

// -----

func.func @walk_left(%n: index, %x: index) -> index {
  // expected-error @+1 {{'attn.walk' op expected to be lowered to loops by attn-lower-walk before}}
  %r = attn.walk %n by 64 segments [#attn.segment<range, full>] bounds (%n, %x) init (%x : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %state: index):
    // expected-error @+1 {{'attn.yield' op has no lowering to linalg}}
    attn.yield %state : index
  }
  return %r : index
}
