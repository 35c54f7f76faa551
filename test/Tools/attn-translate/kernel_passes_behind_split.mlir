// What comes behind split loops is verified as well, and may come there: slicing
// roles used a loop that it had erased, and what was wrong became PTX.

// REQUIRES: attn-translate
// RUN: not attn-translate --attn-to-ptx --query-tile=64 --key-tile=64 --kernel-passes='attn-gpu-async-copy,attn-gpu-warp-specialize,attn-gpu-split-loops,attn-gpu-schedule-work{schedule=strided}' %s -o %t.ptx 2>&1 | FileCheck %s
// CHECK: error: 'attn_gpu.{{.*}} carries no count of them
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=32},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,attn-gpu-split-loops,attn-gpu-warp-specialize))' | FileCheck %s --check-prefix=ROLES
// ROLES: attn_gpu.warp_specialize
// ROLES: attn_gpu.ring_fill
// ROLES: } consumers

!t = tensor<1x1x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %o : !t
}
