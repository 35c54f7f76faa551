// Choices that no kernel can be made of are errors at the user's operation.

// RUN: not attn-opt %s --attn-to-cuda='query-tile=256 key-tile=128 assemble=false' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not attn-opt %s --attn-to-cuda='query-tile=100 assemble=false' 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not attn-opt %s --attn-to-cuda='query-tile=512 key-tile=64 assemble=false' 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not attn-opt %s --attn-to-cuda='key-tile=1 assemble=false' 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not attn-opt %s --attn-to-cuda='key-tile=512 assemble=false' 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not attn-opt %s --attn-to-cuda='key-parts=2 assemble=false' 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not attn-opt %s --attn-to-cuda='stages=9 schedule=static assemble=false' 2>&1 | FileCheck %s --check-prefix=STAGES

// SHARED: errors_pipeline.mlir:[[#@LINE+10]]:10: error: {{.*}}expected tiles of at most 232448 bytes in all, got
// ROWS: errors_pipeline.mlir:[[#@LINE+9]]:10: error: {{.*}}expected query tiles of a multiple of 64 rows, at most 512, got 100
// THREADS: errors_pipeline.mlir:[[#@LINE+8]]:10: error: {{.*}}expected at most 1024 threads with the producer's, got 1152
// KEYS: errors_pipeline.mlir:[[#@LINE+7]]:10: error: 'attn.partial' op has no kernel:
// KEYS-NEXT: 'k', 'v': expected tiles of keys in multiples of 16, at most 256, got tensor<1x1x{{(1|512)}}x256xbf16>
// PARTS: errors_pipeline.mlir:[[#@LINE+5]]:10: error: keys are walked in parts
// STAGES: error: attn-select-schedule: option 'stages' expected 0 to 8, got 9; the nearest is 8
// STAGES: error: attn-select-schedule: option 'schedule' expected once, strided or dynamic, got 'static'
!t = tensor<?x?x?x256xbf16>
func.func @wide(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
