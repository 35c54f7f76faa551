// What a result may and may not depend on: a NaN at a visible key reaches the
// rows that see it and no other.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Sq=70,Skv=70 --check --plant=k:0x0x30x3=nan | FileCheck %s
// CHECK: out {{.*}} passed

func.func @causal(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>,
                  %v: tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32> {
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>
      -> tensor<1x1x?x16xf32>
  return %out : tensor<1x1x?x16xf32>
}
