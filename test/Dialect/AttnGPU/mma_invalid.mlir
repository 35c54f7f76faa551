// RUN: attn-opt %s --split-input-file --verify-diagnostics

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c1_elements(%a: !attn_gpu.tile<64x64xf16>, %b: !tile) {
  // expected-error @+1 {{'b' expected elements of 'f16' as 'a', got 'bf16'}}
  %0 = attn_gpu.mma %a, %b : !attn_gpu.tile<64x64xf16>, !tile -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c1_fragment(%a: vector<64x64xf32>, %b: !tile) {
  // expected-error @+1 {{'a' expected elements of bf16 or f16, got 'f32'}}
  %0 = attn_gpu.mma %a, %b : vector<64x64xf32>, !tile -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c1_result(%a: !tile, %b: !tile) {
  // expected-error @+1 {{expected the result to be a fragment of f32, got 'vector<64x64xbf16>'}}
  %0 = attn_gpu.mma %a, %b : !tile, !tile -> vector<64x64xbf16>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c1_addend(%a: !tile, %b: !tile, %c: vector<64x64xbf16>) {
  // expected-error @+1 {{'c' expected 'vector<64x64xf32>' as the result, got 'vector<64x64xbf16>'}}
  %0 = "attn_gpu.mma"(%a, %b, %c) : (!tile, !tile, vector<64x64xbf16>) -> !attn_gpu.in_flight<vector<64x64xf32>>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c2_rows(%a: !attn_gpu.tile<128x64xbf16>, %b: !tile) {
  // expected-error @+1 {{'a' expected 64 rows, got 128}}
  %0 = attn_gpu.mma %a, %b : !attn_gpu.tile<128x64xbf16>, !tile -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c2_transposed_rows(%a: !attn_gpu.tile<64x128xbf16>, %b: !tile) {
  // expected-error @+1 {{'a' expected 64 rows, got 128}}
  %0 = attn_gpu.mma %a, %b transpose_a : !attn_gpu.tile<64x128xbf16>, !tile -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c2_contraction(%a: !tile, %b: !attn_gpu.tile<64x128xbf16>) {
  // expected-error @+1 {{'b' expected 64 as the contracted extent of 'a', got 128}}
  %0 = attn_gpu.mma %a, %b transpose_b : !tile, !attn_gpu.tile<64x128xbf16> -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c2_columns(%a: !tile, %b: !attn_gpu.tile<64x128xbf16>) {
  // expected-error @+1 {{expected a result of 128 columns, got 64}}
  %0 = attn_gpu.mma %a, %b : !tile, !attn_gpu.tile<64x128xbf16> -> vector<64x64xf32>
  return
}

// -----

func.func @c3_contraction(%a: vector<64x72xbf16>, %b: !attn_gpu.tile<72x64xbf16>) {
  // expected-error @+1 {{expected a contracted extent in multiples of 16, got 72}}
  %0 = attn_gpu.mma %a, %b : vector<64x72xbf16>, !attn_gpu.tile<72x64xbf16> -> vector<64x64xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c3_columns(%a: !tile, %b: !attn_gpu.tile<64x320xbf16>) {
  // expected-error @+1 {{expected at most 256 columns, got 320}}
  %0 = attn_gpu.mma %a, %b : !tile, !attn_gpu.tile<64x320xbf16> -> vector<64x320xf32>
  return
}

// -----

!tile = !attn_gpu.tile<64x64xbf16>

func.func @c4(%a: vector<64x64xbf16>, %b: !tile) {
  // expected-error @+1 {{'transpose_a' expected 'a' to be a tile, got 'vector<64x64xbf16>'}}
  %0 = attn_gpu.mma %a, %b transpose_a : vector<64x64xbf16>, !tile -> vector<64x64xf32>
  return
}
