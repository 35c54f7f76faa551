// Kernels that passes make are reported for nothing, not even for what is slow: those
// that are shipped, for every extent of a head and mask, and others after each pass.
//
// RUN: attn-opt %s --attn-to-attn-gpu --verify-diagnostics -o /dev/null
// RUN: attn-opt %s --attn-to-attn-gpu='schedule=once stages=1' --verify-diagnostics -o /dev/null
// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(canonicalize,attn-gpu-verify,attn-gpu-async-copy,attn-gpu-verify,attn-gpu-pipeline,canonicalize,cse,attn-gpu-verify,attn-gpu-stage-writes,attn-gpu-verify,attn-gpu-warp-specialize,attn-gpu-verify,canonicalize,cse,attn-gpu-split-loops,attn-gpu-verify))' --verify-diagnostics -o /dev/null
// RUN: attn-opt %S/Inputs/chain.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(canonicalize,attn-gpu-schedule-work,attn-gpu-verify,attn-gpu-async-copy,attn-gpu-verify,attn-gpu-pipeline,canonicalize,cse,attn-gpu-verify,attn-gpu-stage-writes,attn-gpu-verify,attn-gpu-warp-specialize,attn-gpu-verify,canonicalize,cse,attn-gpu-split-loops,attn-gpu-verify))' --verify-diagnostics -o /dev/null
// RUN: attn-opt %S/Inputs/nested.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(canonicalize,attn-gpu-async-copy,attn-gpu-verify,attn-gpu-pipeline,canonicalize,cse,attn-gpu-verify,attn-gpu-warp-specialize,attn-gpu-verify,canonicalize,cse,attn-gpu-split-loops,attn-gpu-verify))' --verify-diagnostics -o /dev/null
// RUN: attn-opt %s --attn-to-attn-gpu --mlir-print-ir-after=attn-gpu-verify -o /dev/null 2>&1 | FileCheck %s

// It runs on all of them, last.
// CHECK-COUNT-9: IR Dump After {{.*}}attn-gpu-verify

!t64 = tensor<?x?x?x64xbf16>
!t128 = tensor<?x?x?x128xbf16>
!t256 = tensor<?x?x?x256xbf16>
!l = tensor<?x?x?xf32>

func.func @full_64(%q: !t64, %k: !t64, %v: !t64) -> (!t64, !l) {
  %out, %lse = attn.attention %q, %k, %v : !t64, !t64, !t64 -> !t64, !l
  return %out, %lse : !t64, !l
}
func.func @causal_64(%q: !t64, %k: !t64, %v: !t64) -> (!t64, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t64, !t64, !t64 -> !t64, !l
  return %out, %lse : !t64, !l
}
func.func @window_64(%q: !t64, %k: !t64, %v: !t64) -> (!t64, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.window<left = 1023, right = 0>) : !t64, !t64, !t64 -> !t64, !l
  return %out, %lse : !t64, !l
}
func.func @full_128(%q: !t128, %k: !t128, %v: !t128) -> (!t128, !l) {
  %out, %lse = attn.attention %q, %k, %v : !t128, !t128, !t128 -> !t128, !l
  return %out, %lse : !t128, !l
}
func.func @causal_128(%q: !t128, %k: !t128, %v: !t128) -> (!t128, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t128, !t128, !t128 -> !t128, !l
  return %out, %lse : !t128, !l
}
func.func @window_128(%q: !t128, %k: !t128, %v: !t128) -> (!t128, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.window<left = 1023, right = 0>) : !t128, !t128, !t128 -> !t128, !l
  return %out, %lse : !t128, !l
}
func.func @full_256(%q: !t256, %k: !t256, %v: !t256) -> (!t256, !l) {
  %out, %lse = attn.attention %q, %k, %v : !t256, !t256, !t256 -> !t256, !l
  return %out, %lse : !t256, !l
}
func.func @causal_256(%q: !t256, %k: !t256, %v: !t256) -> (!t256, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t256, !t256, !t256 -> !t256, !l
  return %out, %lse : !t256, !l
}
func.func @window_256(%q: !t256, %k: !t256, %v: !t256) -> (!t256, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.window<left = 1023, right = 0>) : !t256, !t256, !t256 -> !t256, !l
  return %out, %lse : !t256, !l
}

// A tile goes on as it came through a loop that reads others: it was refused.
// RUN: attn-opt %S/Inputs/carried_as_it_is.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-verify))' --verify-diagnostics -o /dev/null
