// The prefill of one layer of Llama 3 8B: 32 query heads share 8 key/value
// heads, head dimension 128, causal.
//
//   attn-run llama3_8b_prefill.mlir --check --time

!q = tensor<1x32x2048x128xbf16>
!kv = tensor<1x8x2048x128xbf16>

func.func @llama3_8b_prefill(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask(#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}
