// Queries are loaded into registers once a query tile, before the loop, so that their
// tile is free for the next one; by schedule or by option.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu{queries-in-registers},lower-affine,canonicalize,cse)' | FileCheck %s --check-prefix=OPTION
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,attn_gpu.kernel(attn-gpu-schedule-work,attn-gpu-async-copy))' | FileCheck %s --check-prefix=RELEASE

!t = tensor<?x?x?x64xbf16>

// CHECK-LABEL: attn_gpu.kernel @loaded_kernel(
// CHECK:         %[[TILE:.*]] = attn_gpu.read %{{.*}} -> !attn_gpu.tile<128x64xbf16>
// CHECK:         %[[MINE:.*]] = attn_gpu.subtile %[[TILE]]
// CHECK-NEXT:    %[[Q:.*]] = attn_gpu.load_fragment %[[MINE]] : !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> vector<64x64xbf16>
// CHECK:         scf.for
// CHECK-NOT:       attn_gpu.load_fragment
// CHECK:           attn_gpu.mma %[[Q]], %{{.*}} transpose_b : vector<64x64xbf16>, !attn_gpu.tile<128x64xbf16>

// RELEASE-LABEL: attn_gpu.kernel @loaded_kernel(
// RELEASE:         %[[TILE:.*]] = attn_gpu.ring_wait %[[RING:.*]][%[[N:.*]]] :
// RELEASE:         attn_gpu.load_fragment
// RELEASE-NEXT:    attn_gpu.ring_release %[[RING]][%[[N]]]
// RELEASE:         scf.for
func.func @loaded(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule =
      #attn.schedule<query_tile = 128, key_tile = 128, queries_in_registers = true>} : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @shared_kernel(
// CHECK-NOT:     attn_gpu.load_fragment
// CHECK:         attn_gpu.mma %{{.*}} transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, !attn_gpu.tile<128x64xbf16>
// OPTION-LABEL: attn_gpu.kernel @shared_kernel(
// OPTION:         attn_gpu.load_fragment
// OPTION:         attn_gpu.mma %{{.*}} transpose_b : vector<64x64xbf16>, !attn_gpu.tile<128x64xbf16>
func.func @shared(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
