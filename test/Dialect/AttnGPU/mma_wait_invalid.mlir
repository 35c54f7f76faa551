// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1(%p: !attn_gpu.in_flight<vector<64x64xf32>>) {
  // expected-error @+1 {{expected the result 'vector<64x64xf32>', got 'vector<64x128xf32>'}}
  %0 = "attn_gpu.mma_wait"(%p) : (!attn_gpu.in_flight<vector<64x64xf32>>) -> vector<64x128xf32>
  return
}

// -----

func.func @c2_negative(%p: !attn_gpu.in_flight<vector<64x64xf32>>) {
  // expected-error @+1 {{'pending' expected 0 to 7, got -1}}
  %0 = attn_gpu.mma_wait %p pending -1 : vector<64x64xf32>
  return
}

// -----

func.func @c2_many(%p: !attn_gpu.in_flight<vector<64x64xf32>>) {
  // expected-error @+1 {{'pending' expected 0 to 7, got 8}}
  %0 = attn_gpu.mma_wait %p pending 8 : vector<64x64xf32>
  return
}
