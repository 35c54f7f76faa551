// A learned sink per head, as in gpt-oss: a logit that joins the denominator
// and carries no value, beside a window of 128 keys.
//
//   attn-run attention_sinks.mlir --shape=B=1,Sq=512,Skv=512 --check

!q = tensor<?x64x?x64xbf16>
!kv = tensor<?x8x?x64xbf16>

func.func @attention_sinks(%q: !q, %k: !kv, %v: !kv,
                           %sinks: tensor<64xbf16>) -> !q {
  %out = attn.attention %q, %k, %v
      mask(#attn.and<#attn.causal, #attn.window_size<128>>)
      sinks(%sinks : tensor<64xbf16>) : !q, !kv, !kv -> !q
  return %out : !q
}
