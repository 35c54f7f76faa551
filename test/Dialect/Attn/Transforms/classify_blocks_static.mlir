// RUN: attn-opt %s --attn-decompose-attention --canonicalize \
// RUN:   --attn-tile="query-tile=64 key-tile=64" --attn-fuse-online-softmax \
// RUN:   --attn-classify-blocks --canonicalize --split-input-file \
// RUN: | FileCheck %s

// One query tile of 40 rows over 1000 keys: everything is known, and so are the
// tiles. Bottom right, the rows have positions 960 to 999, in the last key tile
// but the 15 before it; that tile is ragged, so it is never full.

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// CHECK-LABEL: @no_mask
// CHECK: attn.walk %c1000 by 64 segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c15, %c15, %c16)
func.func @no_mask(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1024x16xf32>

// No ragged tile: the mask of every tile is gone.
// CHECK-LABEL: @no_mask_no_ragged_tile
// CHECK: segments [#attn.segment<range, full>] bounds(%c0, %c16)
func.func @no_mask_no_ragged_tile(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// CHECK-LABEL: @causal_bottom_right
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c15, %c15, %c16)
func.func @causal_bottom_right(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Positions 0 to 39.
// CHECK-LABEL: @causal_top_left
// CHECK: segments [#attn.segment<range, partial>] bounds(%c0, %c1)
func.func @causal_top_left(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) alignment top_left
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x24x16xf32>

// More queries than keys: positions -16 to 23.
// CHECK-LABEL: @causal_more_queries
// CHECK: segments [#attn.segment<range, partial>] bounds(%c0, %c1)
func.func @causal_more_queries(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x1x16xf32>
!kv = tensor<1x1x641x16xf32>

// One row, at 640: tiles 0 to 9 are full, and one key is left.
// CHECK-LABEL: @causal_one_row
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c10, %c10, %c11)
func.func @causal_one_row(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x0x16xf32>

// No key: no tile, and nothing to fold into the state.
// CHECK-LABEL: @no_key
// CHECK-NOT: attn.walk
// CHECK: attn.finalize
func.func @no_key(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Keys 760 on are seen by some row, keys 799 to 960 by all.
// CHECK-LABEL: @window
// CHECK: segments [#attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c11, %c13, %c13, %c15, %c15, %c16)
func.func @window(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.window<left = 200, right = 0>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// The same: 201 keys, the row's own among them.
// CHECK-LABEL: @window_size
// CHECK: segments [#attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c11, %c13, %c13, %c15, %c15, %c16)
func.func @window_size(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.window_size<201>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// No left bound: positions 0 to 39 see keys up to 100 at least, 139 at most.
// CHECK-LABEL: @window_right
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c1, %c1, %c3)
func.func @window_right(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.window<right = 100>)
      alignment top_left : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// The chunk 768 to 1023.
// CHECK-LABEL: @chunked
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c12, %c15, %c15, %c16)
func.func @chunked(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.chunked<256>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// CHECK-LABEL: @prefix
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c1, %c1, %c2)
func.func @prefix(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.prefix<100>) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Longer than any position can be: all keys.
// CHECK-LABEL: @prefix_beyond_all
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c15, %c15, %c16)
func.func @prefix_beyond_all(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.prefix<9223372036854775807>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// First keys and a window: what attention with sink tokens sees.
// CHECK-LABEL: @prefix_or_window
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c1, %c11, %c13, %c13, %c15, %c15, %c16)
func.func @prefix_or_window(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v
      mask (#attn.or<#attn.prefix<64>, #attn.window<left = 200, right = 0>>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Three parts, one of them composed.
// CHECK-LABEL: @composed
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c12, %c14, %c14, %c15)
func.func @composed(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.causal, #attn.chunked<256>,
                      #attn.or<#attn.prefix<900>>>)
      : !q, !kv, !kv -> !q
  return %out : !q
}
