// The sum of a key tile's weights is made before the wait for the product of the
// tile before, where the schedule says so.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,attn_gpu.kernel(attn-gpu-pipeline))' | FileCheck %s --check-prefix=PIPELINE

!t = tensor<?x?x?x64xbf16>

// CHECK-LABEL: attn_gpu.kernel @early_kernel(
// CHECK:           %[[WEIGHTS:.*]] = math.exp2 %{{.*}} : vector<64x128xf32>
// CHECK:           %[[SUM:.*]] = attn_gpu.row_reduce <add> %[[WEIGHTS]] : vector<64x128xf32> -> vector<64x4xf32>
// CHECK:           attn_gpu.make_now %[[SUM]] : vector<64x4xf32>
// CHECK-NOT:       attn_gpu.make_now

// PIPELINE-LABEL: attn_gpu.kernel @early_kernel(
// PIPELINE:         scf.for
// PIPELINE:           attn_gpu.mma_wait %{{.*}} pending 1
// PIPELINE:           attn_gpu.make_now
// PIPELINE:           attn_gpu.mma_wait %{{[^ ]*}} :
// PIPELINE:           scf.yield
func.func @early(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule =
      #attn.schedule<query_tile = 128, key_tile = 128, early_weights = true>} : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @late_kernel(
// CHECK-NOT:     attn_gpu.make_now
func.func @late(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule =
      #attn.schedule<query_tile = 128, key_tile = 128>} : !t, !t, !t -> !t
  return %out : !t
}
