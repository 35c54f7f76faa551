// Attention that has a kernel.
!t = tensor<?x?x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 64, key_tile = 64>} : !t, !t, !t -> !t
  return %out : !t
}
