// Sinks that are no finite number: NaN reaches rows that see a key, and lse; +inf
// takes the whole weight but scrubs no NaN; rows without keys are 0 with any.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Sq=9,Skv=3 --check --plant=s:0=nan,s:1=inf,s:2=-inf,s:3=3e38 | FileCheck %s
// RUN: attn-run %s --shape=Sq=9,Skv=3 --check --key-parts=2 --plant=s:0=nan,s:1=inf,s:2=-inf,s:3=3e38 | FileCheck %s
// RUN: attn-run %s --shape=Sq=9,Skv=0 --check --plant=s:0=nan,s:1=inf,s:2=-inf,s:3=-3e38 | FileCheck %s
// RUN: attn-run %s --shape=Sq=9,Skv=3 --check --plant=s:1=inf,v:0x0x0x0=nan,s:0=1e30 | FileCheck %s
// RUN: attn-run %s --shape=Sq=9,Skv=3 --check --plant=s:2=inf,k:0x1x0x0=nan,s:3=1e30 | FileCheck %s
// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed

func.func @sinks(%q: tensor<1x4x?x16xf32>, %k: tensor<1x2x?x16xf32>,
                 %v: tensor<1x2x?x16xf32>, %s: tensor<4xf32>)
    -> (tensor<1x4x?x16xf32>, tensor<1x4x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal)
      sinks (%s : tensor<4xf32>)
      : tensor<1x4x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
      -> tensor<1x4x?x16xf32>, tensor<1x4x?xf32>
  return %out, %lse : tensor<1x4x?x16xf32>, tensor<1x4x?xf32>
}
