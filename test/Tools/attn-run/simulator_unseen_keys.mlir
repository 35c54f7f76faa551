// What K and V hold at keys that no query sees reaches no result of a kernel: a NaN
// there reached the rows of partial tiles.

// REQUIRES: attn-run
// RUN: attn-run %s --device=sim --schedules=2 --function=top_left --shape=Sq=70,Skv=150 --check --plant=v:0x0x70x3=nan,v:0x0x149x5=inf,k:0x0x80x7=nan | FileCheck %s --check-prefixes=CHECK,BEHIND
// RUN: attn-run %s --device=sim --schedules=2 --function=sliding --shape=Sq=70,Skv=250 --layout=v:bshd --check --plant=v:0x0x139x3=nan,v:0x0x0x5=-inf,k:0x0x100x7=nan | FileCheck %s --check-prefixes=CHECK,FRONT
// One that is seen does.
// RUN: attn-run %s --device=sim --schedules=2 --function=sliding --shape=Sq=70,Skv=250 --check --plant=v:0x0x140x3=nan --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPREAD --input-file=%t.json
// BEHIND: keys {{ *}}without keys behind those that queries see
// FRONT:  keys {{ *}}without keys in front of those that queries see
// CHECK:  out {{.*}} passed
// CHECK:  lse {{.*}} passed
// SPREAD: "misplaced": 0
// SPREAD: "spread": {{[1-9]}}

!t = tensor<1x1x?x64xbf16>
!l = tensor<1x1x?xf32>
func.func @top_left(%q: !t, %k: !t, %v: !t) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) alignment top_left : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}
func.func @sliding(%q: !t, %k: !t, %v: !t) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.window<left = 40, right = 7>) : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}
