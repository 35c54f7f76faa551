// No heads, known before: slices of keys that no query sees were out of bounds.

// REQUIRES: attn-run
// RUN: attn-run %s --device=sim --check --shape=Sq=65,Skv=65 | FileCheck %s
// CHECK: passed

!t = tensor<1x0x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.causal) alignment top_left : !t, !t, !t -> !t
  return %o : !t
}
