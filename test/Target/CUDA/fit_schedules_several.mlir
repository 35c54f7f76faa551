// A verdict is on the attention that it is about: others keep their schedules.

// RUN: env SPILLS=512 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s | FileCheck %s

// CHECK:     "symbol": "two"
// CHECK:     "attention": 0
// CHECK-NOT: "length"
// CHECK:     "query_tile": 128
// CHECK:     "schedule": "192x128"
// CHECK:     "attention": 1
// CHECK:     "key_tile": 64
// CHECK-NOT: "rejected"
// CHECK:     "symbol": "brief"
// CHECK:     "attention": 2
// CHECK:     "query_tile": 128
// CHECK-NOT: "rejected"
// CHECK-NOT: "attention"

!a = tensor<?x?x?x64xbf16>
!b = tensor<?x?x?x256xbf16>
!c = tensor<32x32x512x64xbf16>
func.func @two(%q: !a, %r: !b) -> (!a, !b) {
  %0 = attn.attention %q, %q, %q : !a, !a, !a -> !a
  %1 = attn.attention %r, %r, %r : !b, !b, !b -> !b
  return %0, %1 : !a, !b
}
// Static lengths never wanted 192 rows.
func.func @brief(%q: !c) -> !c {
  %0 = attn.attention %q, %q, %q mask (#attn.causal) : !c, !c, !c -> !c
  return %0 : !c
}
