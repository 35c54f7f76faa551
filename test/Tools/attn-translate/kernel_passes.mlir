// The passes on kernels can be chosen: without roles no registers change hands,
// with the shipped passes they do. A pipeline that does not parse is named beside
// the other faults of the command.
//
// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx %s | FileCheck %s --check-prefix=SHIPPED
// RUN: attn-translate --attn-to-ptx --kernel-passes=canonicalize,cse %s | FileCheck %s --check-prefix=SYNC
// RUN: attn-translate --attn-to-ptx --kernel-passes='attn-gpu-schedule-work,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,attn-gpu-stage-writes,attn-gpu-warp-specialize,canonicalize,cse,attn-gpu-split-loops,canonicalize,cse' %s -o %t.named
// RUN: attn-translate --attn-to-ptx %s -o %t.shipped
// RUN: cmp %t.named %t.shipped
// RUN: not attn-translate --attn-to-ptx --kernel-passes=attn-gpu-fly --key-tile=5000 %s 2>&1 | FileCheck %s --check-prefix=FAULTS

// SHIPPED: cp.async.bulk.tensor
// SHIPPED: setmaxnreg
// SYNC-NOT: setmaxnreg
// SYNC-NOT: cp.async.bulk.tensor
// SYNC: wgmma.mma_async
// FAULTS: attn-translate: error: option 'key-tile' expected 0 to 4096, got 5000
// FAULTS-NEXT: option 'kernel-passes': {{.*}}'attn-gpu-fly' does not refer to a registered pass

!t = tensor<?x?x?x128xbf16>
func.func @causal(%q: !t, %k: !t, %v: !t) -> (!t, tensor<?x?x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t, tensor<?x?x?xf32>
  return %out, %lse : !t, tensor<?x?x?xf32>
}
