// Tiles of 192 x 128 were chosen by the width of values alone: with wide keys
// they did not fit shared memory, and the program was refused.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx %s | FileCheck %s

// CHECK: .visible .entry narrow_kernel(
// CHECK: .visible .entry middle_kernel(

!q = tensor<?x?x?x256xbf16>
!v = tensor<?x?x?x64xbf16>
!w = tensor<?x?x?x128xbf16>
func.func @narrow(%q: !q, %k: !q, %v: !v) -> !v {
  %out = attn.attention %q, %k, %v : !q, !q, !v -> !v
  return %out : !v
}
func.func @middle(%q: !q, %k: !q, %v: !w) -> !w {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !q, !w -> !w
  return %out : !w
}
