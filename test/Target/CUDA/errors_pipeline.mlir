// Choices that no kernel can be made of are errors at the user's operation.

// RUN: not attn-opt %s --attn-to-cuda='query-tile=256 key-tile=128 assemble=false' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not attn-opt %s --attn-to-cuda='query-tile=100 assemble=false' 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not attn-opt %s --attn-to-cuda='query-tile=512 key-tile=64 assemble=false' 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not attn-opt %s --attn-to-cuda='key-tile=1 assemble=false' 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not attn-opt %s --attn-to-cuda='key-tile=512 assemble=false' 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not attn-opt %s --attn-to-cuda='key-parts=2 assemble=false' 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not attn-opt %s --attn-to-cuda='stages=9 schedule=static assemble=false' 2>&1 | FileCheck %s --check-prefix=STAGES

// SHARED: errors_pipeline.mlir:[[#@LINE+19]]:10: error: no kernel has the schedule given:
// SHARED-NEXT: tiles expected to take at most 231424 bytes of shared memory, got 393216: 256 rows of 'q', and 2 stages of 128 rows of 'k' and 'v'
// SHARED-NEXT: a thread of 4 consumers expected to need at most 112 registers, got 250: 128 for outputs, 64 for scores, 32 for weights, 26 for all else
// SHARED-NEXT: the nearest that fits has query_tile = 128, key_tile = 96, stages = 1
// ROWS: errors_pipeline.mlir:[[#@LINE+15]]:10: error: no kernel has the schedule given:
// ROWS-NEXT: 'query_tile' expected a multiple of 64, at most 448 (a thread block has 8 warpgroups: one copies, each other one has 64 rows), got 100
// ROWS-NEXT: the nearest that fits has query_tile = 64, key_tile = 64, stages = 2
// Every reason at once. Was refused by the operation that makes roles, and said nothing of memory.
// THREADS: errors_pipeline.mlir:[[#@LINE+11]]:10: error: no kernel has the schedule given:
// THREADS-NEXT: 'query_tile' expected a multiple of 64, at most 448 ({{.*}}), got 512
// THREADS-NEXT: tiles expected to take at most 231424 bytes of shared memory, got 393216:
// THREADS-NEXT: the nearest that fits has query_tile = 128, key_tile = 64, stages = 2
// KEYS: errors_pipeline.mlir:[[#@LINE+7]]:10: error: no kernel has the schedule given:
// KEYS-NEXT: 'key_tile' expected a multiple of 16, at most 256 (columns of one product), got {{(1|512)$}}
// PARTS: errors_pipeline.mlir:[[#@LINE+5]]:10: error: keys are walked in parts
// STAGES: error: attn-select-schedule: option 'stages' expected 0 to 8, got 9; the nearest is 8
// STAGES: error: attn-select-schedule: option 'schedule' expected once, strided or dynamic, got 'static'
!t = tensor<?x?x?x256xbf16>
func.func @wide(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
