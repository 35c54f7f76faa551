// Options say nothing to an operation that has a schedule: passed silently.

// RUN: attn-opt %s --attn-select-schedule='query-tile=128 key-tile=64 stages=4 schedule=strided' --verify-diagnostics -o %t
// RUN: FileCheck %s < %t

!t = tensor<?x?x?x64xbf16>
func.func @given(%q: !t, %k: !t, %v: !t) -> (!t, !t, !t) {
  // expected-warning @+1 {{has an attn.schedule, which options do not change: 'query-tile' of 128, it has 192; 'stages' of 4, it has 2; 'schedule' of strided, it has dynamic}}
  %0 = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 192, key_tile = 64>} : !t, !t, !t -> !t
  // They say the same.
  %1 = attn.attention %q, %v, %k {attn.schedule = #attn.schedule<query_tile = 128, key_tile = 64, stages = 4, work = "strided">} : !t, !t, !t -> !t
  %2 = attn.attention %k, %v, %q : !t, !t, !t -> !t
  return %0, %1, %2 : !t, !t, !t
}
// CHECK: #attn.schedule<query_tile = 192, key_tile = 64>
// CHECK: #attn.schedule<query_tile = 128, key_tile = 64, stages = 4, work = "strided">
// CHECK: #attn.schedule<query_tile = 128, key_tile = 64, stages = 4, work = "strided"
