// Results that are one tile as a whole were an input of the kernel, too, from
// memory that nobody has written: the host program allocated it, and was refused.

// REQUIRES: attn-translate
// RUN: attn-opt %s --attn-to-attn-gpu | FileCheck %s
// RUN: attn-translate --attn-to-object --device=cuda %s -o %t.o
// CHECK: attn_gpu.launch @one_kernel blocks %{{[a-z0-9]+}} ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : {{.*}}) outs(

!q = tensor<1x1x128x128xbf16>
!k = tensor<1x1x300x128xbf16>
func.func @one(%q: !q, %k: !k, %v: !k) -> (!q, tensor<1x1x128xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !q, !k, !k -> !q, tensor<1x1x128xf32>
  return %out, %lse : !q, tensor<1x1x128xf32>
}
