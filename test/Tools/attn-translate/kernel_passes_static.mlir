// What a static loop was split into are steps, some without a loop: verified after
// that, a right kernel was refused for roles that do not run alike. The pipeline of
// the named passes is verified before loops are split, as the shipped one is.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx --kernel-passes='attn-gpu-schedule-work,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,attn-gpu-stage-writes,attn-gpu-warp-specialize,canonicalize,cse,attn-gpu-split-loops,canonicalize,cse' %s -o %t.named
// RUN: attn-translate --attn-to-ptx %s -o %t.shipped
// RUN: cmp %t.named %t.shipped

// Options of passes, and braces in them, survive.
// RUN: attn-translate --attn-to-manifest --device=cuda --kernel-passes='attn-gpu-schedule-work{schedule=strided group-bytes=1000},attn-gpu-async-copy{stages=1}' %s | FileCheck %s
// CHECK: "passes": "attn-gpu-schedule-work{schedule=strided group-bytes=1000},attn-gpu-async-copy{stages=1}"

!q = tensor<1x1x128x128xbf16>
!k = tensor<1x1x300x128xbf16>
func.func @causal(%q: !q, %k: !k, %v: !k) -> !q {
  %out = attn.attention %q, %k, %v mask(#attn.causal) : !q, !k, !k -> !q
  return %out : !q
}
