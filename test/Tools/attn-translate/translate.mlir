// From the user level to files.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-object %s -o %t.o
// RUN: llvm-nm-22 %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: attn-translate --attn-to-assembly %s | FileCheck %s --check-prefix=ASSEMBLY
// RUN: attn-translate --attn-to-manifest %s | FileCheck %s --check-prefix=MANIFEST
// RUN: attn-translate --attn-to-header %s | FileCheck %s --check-prefix=HEADER
// RUN: attn-translate --attn-to-object --cpu=x86-64-v4 %s -o %t.v4.o
// RUN: attn-translate --attn-to-manifest --cpu=x86-64-v4 %s | FileCheck %s --check-prefix=V4
// RUN: not attn-translate --attn-to-object --cpu=abacus %s -o %t.none 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not attn-translate --attn-to-header --query-tile=5000 %s 2>&1 | FileCheck %s --check-prefix=RANGE

// OBJECT: T causal
// ASSEMBLY: .globl causal
// MANIFEST: "symbol": "causal"
// MANIFEST: "name": "keys"
// MANIFEST: "avx2"
// V4: "avx512f"
// HEADER: AttnRtStatus causal(const AttnRtTensor *q, const AttnRtTensor *keys, const AttnRtTensor *v, const AttnRtTensor *out);
// CPU: attn-translate: error: option 'cpu' or 'features': unknown CPU 'abacus'
// RANGE: attn-translate: error: option 'query-tile' expected 0 to 1024, got 5000; the nearest is 1024
func.func @causal(%q: tensor<1x2x?x16xf32>, %keys: tensor<1x2x?x16xf32>,
                  %v: tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32> {
  %out = attn.attention %q, %keys, %v mask (#attn.causal)
      : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
      -> tensor<1x2x?x16xf32>
  return %out : tensor<1x2x?x16xf32>
}
