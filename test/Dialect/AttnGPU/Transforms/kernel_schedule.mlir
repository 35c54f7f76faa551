// A kernel's schedule says what the passes' options leave open.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-attn-gpu)' | FileCheck %s --check-prefix=KERNEL

// Stages, order of work and turns are the attention's.
// KERNEL:      attn_gpu.kernel @attend_kernel(
// KERNEL-SAME:   attn_gpu.origin = {attention = 0 : i64, given, key_tile = 64 : i64, mask = "full", query_tile = 128 : i64, why = "given by attribute"}
// KERNEL-SAME:   attn_gpu.schedule = {early_weights = false, flatten = true, lazy_rescale = false, queries_in_registers = false, stages = 3 : i64, turns = false, work = "strided"}
// KERNEL-DAG:  attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<64x128xbf16>>
// KERNEL-DAG:  schedule strided
// KERNEL-NOT:  attn_gpu.turn_wait
// KERNEL:      attn_gpu.launch @attend_kernel
!t = tensor<?x?x?x128xbf16>
func.func @attend(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, stages = 3, work = "strided", turns = false>}
      : !t, !t, !t -> !t
  return %out : !t
}

// Clusters, where what is walked is the same for all query tiles.
// KERNEL:      attn_gpu.kernel @cluster_kernel(
// KERNEL-SAME:   warpgroups 2 cluster 2 attributes {
// KERNEL-SAME:   attn_gpu.schedule = {cluster = 2 : i64, early_weights = false, flatten = true, lazy_rescale = false, queries_in_registers = false, stages = 2 : i64, turns = true, work = "strided"}
// KERNEL-COUNT-2: attn_gpu.ring_create multicast : !attn_gpu.ring<2 x !attn_gpu.tile<64x128xbf16>>
// KERNEL:      attn_gpu.cluster_rank
// KERNEL:      attn_gpu.launch @cluster_kernel
func.func @cluster(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, work = "strided", cluster = 2>}
      : !t, !t, !t -> !t
  return %out : !t
}

// KERNEL:      attn_gpu.kernel @causal_kernel(
// KERNEL-NOT:    {{ cluster [0-9]|multicast|cluster_rank}}
// KERNEL:      attn_gpu.launch @causal_kernel
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.causal) {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, work = "strided", cluster = 2>}
      : !t, !t, !t -> !t
  return %out : !t
}
