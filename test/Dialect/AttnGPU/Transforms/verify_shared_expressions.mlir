// Bounds of unions of masks share most of what they are made of: comparing them as
// trees took 34 s.

// RUN: attn-opt %s --attn-to-attn-gpu --mlir-timing 2>&1 >/dev/null | FileCheck %s
// CHECK-NOT: {{[1-9][0-9]\.[0-9]+ .*}}AttnGPUVerifyPass
// CHECK:     {{ [0-4]\.[0-9]+ .*}}AttnGPUVerifyPass

!t = tensor<1x1x?x64xf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %p = attn.attention %q, %k, %v mask(#attn.or<#attn.window<left = 0, right = 200>, #attn.or<#attn.prefix<1>, #attn.chunked<1>, #attn.chunked<128>>>) : !t, !t, !t -> !t
  return %p : !t
}
