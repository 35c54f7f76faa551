// bf16, and a scalar that nothing depends on.
!t = tensor<?x?x?x64xbf16>
func.func @half(%q: !t, %k: !t, %v: !t, %n: index) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
