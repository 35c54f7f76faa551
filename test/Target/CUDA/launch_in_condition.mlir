// Kernels for several lengths, launched in the branches of a condition, write the
// caller's memory: nothing is allocated or copied, which only a device could do.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-attn-gpu,attn-gpu-compile-kernels{assemble=false},attn-bind-host-memory,eliminate-empty-tensors,one-shot-bufferize,canonicalize,cse)' | FileCheck %s
// RUN: attn-opt %s --attn-to-cuda='assemble=false' | FileCheck %s --check-prefix=CALLS

// CHECK-LABEL: func.func private @causal_impl(
// CHECK-SAME:    %[[OUT:[a-z0-9]*]]: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>, %[[LSE:[a-z0-9]*]]: memref<?x?x?xf32, strided<[?, ?, 1]>>) attributes
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         %[[IS_LONG:.*]] = arith.cmpi sge, %{{.*}}, %c1152
// CHECK:         scf.if %[[IS_LONG]] {
// CHECK-DAG:       %[[OUT1:.*]] = memref.expand_shape %[[OUT]]
// CHECK-DAG:       %[[LSE1:.*]] = memref.expand_shape %[[LSE]]
// CHECK:           attn_gpu.launch @causal_kernel blocks {{.*}} outs(%[[OUT1]], %{{.*}} :
// CHECK:         } else {
// CHECK-DAG:       %[[OUT2:.*]] = memref.expand_shape %[[OUT]]
// CHECK-DAG:       %[[LSE2:.*]] = memref.expand_shape %[[LSE]]
// CHECK:           attn_gpu.launch @causal_kernel1 blocks {{.*}} outs(%[[OUT2]], %{{.*}} :
// CHECK:         }
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return

// The program chooses between the two kernels.
// CALLS-DAG:   llvm.mlir.global {{.*}}@__attn_causal_kernel(
// CALLS-DAG:   llvm.mlir.global {{.*}}@__attn_causal_kernel1(
// CALLS-LABEL: llvm.func {{.*}}@causal_impl(
// CALLS-DAG:   %[[LEAST:.*]] = llvm.mlir.constant(1152 : index)
// CALLS-DAG:   %[[LONG:.*]] = llvm.mlir.addressof @__attn_causal_kernel :
// CALLS-DAG:   %[[SHORT:.*]] = llvm.mlir.addressof @__attn_causal_kernel1 :
// CALLS:       %[[IS_LONG:.*]] = llvm.icmp "sge" %{{.*}}, %[[LEAST]]
// CALLS:       llvm.cond_br %[[IS_LONG]]
// CALLS:       llvm.call @attn_rt_cuda_launch(

!t = tensor<?x?x?x64xbf16>
!l = tensor<?x?x?xf32>
func.func @causal(%q: !t, %k: !t, %v: !t) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal) : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}
