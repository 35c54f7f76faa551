// The example of the dialect's page.

// RUN: attn-opt %s | FileCheck %s
// CHECK: attn.schedule = #attn.schedule<query_tile = 128, key_tile = 128, work = "strided", lazy_rescale = true, cluster = 2>

!t = tensor<?x?x?x128xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 128,
      key_tile = 128, work = "strided", lazy_rescale = true, cluster = 2>} : !t, !t, !t -> !t
  return %out : !t
}
