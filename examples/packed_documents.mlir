// Several documents packed into one row of a training batch: a token sees the
// tokens before it that carry its document's id. Also returns the log-sum-exp
// that a backward pass needs.
//
//   attn-run packed_documents.mlir --shape=B=1,Sq=2048,Skv=2048 --check --time

!qkv = tensor<?x16x?x64xbf16>
!ids = tensor<?x?xi32>
!lse = tensor<?x16x?xf32>

func.func @packed_documents(%q: !qkv, %k: !qkv, %v: !qkv,
                            %q_ids: !ids, %kv_ids: !ids) -> (!qkv, !lse) {
  %out, %lse = attn.attention %q, %k, %v
      mask(#attn.and<#attn.causal, #attn.documents>)
      documents(%q_ids, %kv_ids : !ids, !ids) : !qkv, !qkv, !qkv -> !qkv, !lse
  return %out, %lse : !qkv, !lse
}
