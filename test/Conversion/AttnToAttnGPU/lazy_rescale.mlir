// A row's reference `m` stays behind its maximum by up to 8 powers of 2, or 4 where
// weights are f16, so that what was summed is seldom rescaled.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu{rescale-slack=2.5},lower-affine,canonicalize,cse)' | FileCheck %s --check-prefix=GIVEN
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu{rescale-slack=0},lower-affine,canonicalize,cse)' | FileCheck %s --check-prefix=ALWAYS

!t = tensor<?x?x?x64xbf16>
!h = tensor<?x?x?x64xf16>

// CHECK-LABEL: attn_gpu.kernel @bf16_kernel(
// CHECK-DAG:     %[[SLACK:.*]] = arith.constant dense<8.000000e+00> : vector<64x1xf32>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<0xFF800000> : vector<64x1xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[M:[a-z0-9]+]] = %[[NONE]], %{{.*}}, %[[ACC:[a-z0-9]+]] =
// CHECK:           %[[MAX:.*]] = arith.maxnumf %[[M]], %{{.*}} : vector<64x1xf32>
// CHECK-NEXT:      %[[AHEAD:.*]] = arith.subf %[[MAX]], %[[M]] : vector<64x1xf32>
// An infinity ahead of a number is far ahead; ahead of itself it is a NaN, and stays.
// CHECK-NEXT:      %[[FAR:.*]] = arith.cmpf ogt, %[[AHEAD]], %[[SLACK]] : vector<64x1xf32>
// CHECK-NEXT:      %[[NEWM:.*]] = arith.select %[[FAR]], %[[MAX]], %[[M]]
// CHECK:           %[[RESCALE:.*]] = math.exp2 %{{.*}} : vector<64x1xf32>
// CHECK:           attn_gpu.scale_rows %[[ACC]] by %[[RESCALE]] : vector<64x64xf32>
// CHECK:           scf.yield %[[NEWM]],

// An option comes before the schedule.
// GIVEN-LABEL: attn_gpu.kernel @bf16_kernel(
// GIVEN-DAG:     %[[SLACK:.*]] = arith.constant dense<2.500000e+00> : vector<64x1xf32>
// GIVEN:         arith.cmpf ogt, %{{.*}}, %[[SLACK]] : vector<64x1xf32>
// ALWAYS-LABEL: attn_gpu.kernel @bf16_kernel(
// ALWAYS-NOT:   arith.cmpf ogt
// ALWAYS:       attn_gpu.scale_rows %{{.*}} by %{{.*}} always
func.func @bf16(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule =
      #attn.schedule<query_tile = 128, key_tile = 128, lazy_rescale = true>} : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @f16_kernel(
// CHECK-DAG:     %[[SLACK:.*]] = arith.constant dense<4.000000e+00> : vector<64x1xf32>
// CHECK:         arith.cmpf ogt, %{{.*}}, %[[SLACK]] : vector<64x1xf32>
// CHECK:         attn_gpu.scale_rows %{{.*}} by %{{[a-z0-9]+}} :
func.func @f16(%q: !h, %k: !h, %v: !h) -> !h {
  %out = attn.attention %q, %k, %v {attn.schedule =
      #attn.schedule<query_tile = 128, key_tile = 128, lazy_rescale = true>} : !h, !h, !h -> !h
  return %out : !h
}

// Unless a schedule says so `m` is the maximum. The option is for all.
// CHECK-LABEL: attn_gpu.kernel @eager_kernel(
// CHECK-NOT:     arith.cmpf ogt
// CHECK:         attn_gpu.scale_rows %{{.*}} by %{{.*}} always
// GIVEN-LABEL: attn_gpu.kernel @eager_kernel(
// GIVEN:         arith.cmpf ogt
func.func @eager(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
