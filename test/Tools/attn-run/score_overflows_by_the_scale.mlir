// A finite product of query and key that the scale takes beyond f32 is a score
// of +inf, which gives NaN: in the first tile of a row and in the last, which no
// other tile follows.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Skv=1 --check --plant=q:0x0x0x0=1,q:0x0x0x1=0,k:0x0x0x0=2e38 | FileCheck %s
// RUN: attn-run %s --shape=Skv=70 --check --plant=q:0x0x0x0=1,q:0x0x0x1=0,k:0x0x0x0=2e38 | FileCheck %s
// RUN: attn-run %s --shape=Skv=70 --check --plant=q:0x0x0x0=1,q:0x0x0x1=0,k:0x0x69x0=2e38 | FileCheck %s
// RUN: attn-run %s --shape=Skv=70 --check --key-parts=2 --plant=q:0x0x0x0=1,q:0x0x0x1=0,k:0x0x69x0=2e38 | FileCheck %s
// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed

func.func @scaled(%q: tensor<1x1x1x2xf32>, %k: tensor<1x1x?x2xf32>,
                  %v: tensor<1x1x?x2xf32>)
    -> (tensor<1x1x1x2xf32>, tensor<1x1x1xf32>) {
  %out, %lse = attn.attention %q, %k, %v scale 2.0
      : tensor<1x1x1x2xf32>, tensor<1x1x?x2xf32>, tensor<1x1x?x2xf32>
      -> tensor<1x1x1x2xf32>, tensor<1x1x1xf32>
  return %out, %lse : tensor<1x1x1x2xf32>, tensor<1x1x1xf32>
}
