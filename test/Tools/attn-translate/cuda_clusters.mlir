// Thread blocks in clusters: PTX says of how many, and the manifest, too. A causal
// mask lets no query tile share what it walks, so its kernel has none, whatever its
// schedule wants.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: attn-translate --attn-to-manifest --device=cuda %s | FileCheck %s --check-prefix=MANIFEST
// RUN: attn-translate --attn-to-ptx %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING --implicit-check-not=warning

// PTX:     .visible .entry full_kernel(
// PTX:     .explicitcluster
// PTX:     .reqnctapercluster 2
// PTX:     barrier.cluster.arrive
// PTX:     barrier.cluster.wait
// PTX-DAG: cp.async.bulk.tensor.{{.*}}.multicast::cluster
// PTX-DAG: mapa.shared::cluster.u32
// PTX-DAG: mbarrier.arrive.shared::cluster.b64
// PTX:     .visible .entry causal_kernel(
// PTX-NOT: cluster{{[. ]}}

// MANIFEST:          "cluster": 2,
// MANIFEST-NEXT:     "name": "full_kernel",
// MANIFEST:          "schedule": {
// MANIFEST-NEXT:       "cluster": 2,
// MANIFEST-NOT:      "cluster"
// MANIFEST:          "name": "causal_kernel",
// MANIFEST:          "schedule": {
// MANIFEST-NEXT:       "cluster": 2,

!t = tensor<?x?x?x64xbf16>
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 128, work = "strided", cluster = 2>}
      : !t, !t, !t -> !t
  return %out : !t
}
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  // WARNING: :[[#@LINE+1]]:10: warning: 'cluster' = 2 of the schedule has no effect: neighbours in the last dimension share nothing that loops read: bounds or tiles differ, as under a mask
  %out = attn.attention %q, %k, %v mask (#attn.causal) {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 128, work = "strided", cluster = 2>}
      : !t, !t, !t -> !t
  return %out : !t
}
// Three thread blocks cannot share the rows of 128 keys in eights.
func.func @odd(%q: !t, %k: !t, %v: !t) -> !t {
  // WARNING: :[[#@LINE+1]]:10: warning: 'cluster' = 3 of the schedule has no effect: the rows of what neighbours share are no multiple of 3 * 8
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 128, work = "strided", cluster = 3>}
      : !t, !t, !t -> !t
  return %out : !t
}
