// A launch writes into the memory of its results, without a copy and without
// reading it.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-gpu-compile-kernels{assemble=false},one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},canonicalize)' | FileCheck %s

attn_gpu.kernel @k(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>) warpgroups 1 {
  attn_gpu.return
}

// CHECK-LABEL: func.func @start(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x64xbf16>, %[[N:[^:]*]]: index)
// CHECK:         %[[Y:.*]] = memref.alloc(%[[N]])
// CHECK-NOT:     memref.copy
// CHECK:         attn_gpu.launch @k blocks %[[N]] ins(%[[X]] : memref<?x64xbf16>) outs(%[[Y]] : memref<?x64xbf16>)
// CHECK-NOT:     memref.copy
// CHECK:         return %[[Y]]
func.func @start(%x: tensor<?x64xbf16>, %n: index) -> tensor<?x64xbf16> {
  %to = tensor.empty(%n) : tensor<?x64xbf16>
  %y = attn_gpu.launch @k blocks %n ins(%x : tensor<?x64xbf16>) outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
