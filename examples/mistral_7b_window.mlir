// One layer of Mistral 7B at any length: causal attention in a window of 4096 keys.
//
//   attn-run mistral_7b_window.mlir --shape=q:1x32x200x128,k:1x8x5000x128 --check

!q = tensor<?x32x?x128xbf16>
!kv = tensor<?x8x?x128xbf16>

func.func @mistral_7b_window(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v
      mask(#attn.and<#attn.causal, #attn.window_size<4096>>) : !q, !kv, !kv -> !q
  return %out : !q
}
