!t = tensor<?x?x?x128xbf16>
!l = tensor<?x?x?xf32>
func.func @attend(%q: !t, %k: !t, %v: !t) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}
