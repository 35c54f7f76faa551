// One query tile, known before: clusters of two were made of it, and both thread
// blocks wrote it.

// REQUIRES: attn-run
// RUN: attn-run %s --device=sim --check | FileCheck %s
// That there are none is said, and so is what was launched.
// CHECK: {{clusters +no clusters +[a-z]}}
// CHECK: {{launched +128x64, 2 stages, (once|strided) +f_kernel$}}
// CHECK: passed

!q = tensor<1x1x1x64xbf16>
!k = tensor<1x1x200x64xbf16>
func.func @f(%q: !q, %k: !k, %v: !k) -> !q {
  %o = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, work = "strided", flatten = false, cluster = 2>}
      : !q, !k, !k -> !q
  return %o : !q
}
