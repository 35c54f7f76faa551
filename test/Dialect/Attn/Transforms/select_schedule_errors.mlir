// C1: what a thread block cannot have is an error at the operation that asks for
// it, with every limit and what fits. Was found by operations of the kernel, in
// words of theirs.

// RUN: not attn-opt %s --attn-select-schedule --split-input-file 2>&1 | FileCheck %s --implicit-check-not=error:

!t = tensor<?x?x?x128xbf16>
// CHECK:      :[[#@LINE+6]]:10: error: no kernel has the schedule given:
// CHECK-NEXT:   'query_tile' expected a multiple of 64, at most 448 (a thread block has 8 warpgroups: one copies, each other one has 64 rows), got 512
// CHECK-NEXT:   'key_tile' expected a multiple of 16, at most 256 (columns of one product), got 100
// CHECK-NEXT:   tiles expected to take at most 231424 bytes of shared memory, got 540672: 512 rows of 'q', and 8 stages of 100 rows of 'k' and 'v'
// CHECK-NEXT:   the nearest that fits has query_tile = 192, key_tile = 80, stages = 4
func.func @given(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 512, key_tile = 100, stages = 8>} : !t, !t, !t -> !t
  return %out : !t
}

// -----

// The largest that there are, with and without queries in registers.
!t = tensor<?x?x?x64xbf16>
func.func @fits(%q: !t, %k: !t, %v: !t) -> !t {
  %0 = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 192, key_tile = 128, stages = 2>} : !t, !t, !t -> !t
  %1 = attn.attention %0, %k, %v {attn.schedule = #attn.schedule<query_tile = 64, key_tile = 96, stages = 8>} : !t, !t, !t -> !t
  %2 = attn.attention %1, %k, %v {attn.schedule = #attn.schedule<query_tile = 384, key_tile = 16, stages = 2>} : !t, !t, !t -> !t
  %3 = attn.attention %2, %k, %v {attn.schedule = #attn.schedule<query_tile = 192, key_tile = 112, stages = 2, queries_in_registers = true>} : !t, !t, !t -> !t
  return %3 : !t
}

// -----

// Registers were found to be too few by ptxas only, in words about a kernel.
!t = tensor<?x?x?x64xbf16>
// CHECK:      :[[#@LINE+4]]:8: error: no kernel has the schedule given:
// CHECK-NEXT:   a thread of 3 consumers expected to need at most 160 registers, got 166: 32 for outputs, 72 for scores, 36 for weights, 26 for all else; ptxas would make products wait for each other, or give up
// CHECK-NEXT:   the nearest that fits has query_tile = 192, key_tile = 128, stages = 2
func.func @registers(%q: !t, %k: !t, %v: !t) -> !t {
  %0 = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 192, key_tile = 144>} : !t, !t, !t -> !t
  // CHECK:      :[[#@LINE+3]]:8: error: no kernel has the schedule given:
  // CHECK-NEXT:   a thread of 3 consumers expected to need at most 160 registers, got 170: 32 for outputs, 64 for scores, 32 for weights, 16 for queries, 26 for all else
  // CHECK-NEXT:   the nearest that fits has query_tile = 192, key_tile = 112, stages = 2
  %1 = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 192, key_tile = 128, queries_in_registers = true>} : !t, !t, !t -> !t
  return %1 : !t
}
