// The code for a score is of bounded length, however long the sum.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Sq=2,Skv=5 --check | FileCheck %s
// CHECK: out {{.*}} passed

func.func @f(%q: tensor<1x1x?x100000xf32>, %k: tensor<1x1x?x100000xf32>,
             %v: tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32> {
  %out = attn.attention %q, %k, %v
      : tensor<1x1x?x100000xf32>, tensor<1x1x?x100000xf32>, tensor<1x1x?x8xf32>
      -> tensor<1x1x?x8xf32>
  return %out : tensor<1x1x?x8xf32>
}
