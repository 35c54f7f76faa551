// A part of the keys whose scores are all NaN has the maximum of a part that has
// seen no key, and is not one: what it saw reaches the row.

// REQUIRES: attn-run
// RUN: attn-run %s --check --key-parts=4 --plant=q:0x0x0x0=nan | FileCheck %s
// RUN: attn-run %s --check --key-parts=4 --key-tile=16 --plant=k:0x0x0x0=nan | FileCheck %s
// RUN: attn-run %s --check --key-parts=40 --key-tile=16 --plant=k:0x0x639x0=nan | FileCheck %s
// RUN: attn-run %s --check --key-parts=2 --plant=v:0x0x5x3=nan | FileCheck %s
// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed

func.func @decode(%q: tensor<1x1x1x16xf32>, %k: tensor<1x1x640x16xf32>,
                  %v: tensor<1x1x640x16xf32>)
    -> (tensor<1x1x1x16xf32>, tensor<1x1x1xf32>) {
  %out, %lse = attn.attention %q, %k, %v
      : tensor<1x1x1x16xf32>, tensor<1x1x640x16xf32>, tensor<1x1x640x16xf32>
      -> tensor<1x1x1x16xf32>, tensor<1x1x1xf32>
  return %out, %lse : tensor<1x1x1x16xf32>, tensor<1x1x1xf32>
}
