// The first has a schedule by hand, with clusters that a mask does not allow.
!t = tensor<?x?x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> (!t, !t) {
  %a = attn.attention %q, %k, %v mask (#attn.causal) {attn.schedule = #attn.schedule<query_tile = 128, key_tile = 128, work = "strided", cluster = 2>} : !t, !t, !t -> !t
  %b = attn.attention %q, %k, %v mask (#attn.causal) : !t, !t, !t -> !t
  return %a, %b : !t, !t
}
