// Causal attention of any batch, heads and lengths. main.c calls it.
!t = tensor<?x?x?x64xf32>
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}
