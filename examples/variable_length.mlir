// Sequences of different lengths packed one after the other, as inference
// servers batch them: cu_seqlens says where each begins.
//
//   attn-run variable_length.mlir --shape=q:1000x32x128,k:1300x8x128,cu_seqlens_q:9 --check

!q = tensor<?x32x128xbf16>
!kv = tensor<?x8x128xbf16>
!cu = tensor<?xi32>

func.func @variable_length(%q: !q, %k: !kv, %v: !kv, %cu_seqlens_q: !cu,
                           %cu_seqlens_kv: !cu) -> !q {
  %out = attn.attention %q, %k, %v mask(#attn.causal)
      cu_seqlens(%cu_seqlens_q, %cu_seqlens_kv : !cu, !cu) : !q, !kv, !kv -> !q
  return %out : !q
}
