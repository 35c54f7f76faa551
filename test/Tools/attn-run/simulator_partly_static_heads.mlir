// Query heads that are static and key heads that are not: the host program casts, which
// the simulator did not know.

// REQUIRES: attn-run
// RUN: attn-run %s --device=sim --check --shape=B=1,Hkv=1,Sq=40,Skv=70 | FileCheck %s
// CHECK: passed

!q = tensor<?x4x?x64xbf16>
!k = tensor<?x?x?x64xbf16>
func.func @prefill(%q: !q, %k: !k, %v: !k) -> !q {
  %o = attn.attention %q, %k, %v mask(#attn.causal) : !q, !k, !k -> !q
  return %o : !q
}
