// RUN: attn-opt %s -attn-decompose-attention -canonicalize -attn-split-keys=parts=3 -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -attn-decompose-attention -canonicalize -attn-split-keys=threads=64 -canonicalize -cse | FileCheck %s --check-prefix=MODEL
// RUN: attn-opt %s -attn-decompose-attention -canonicalize -attn-split-keys | FileCheck %s --check-prefix=NONE
// RUN: not attn-opt %s -attn-decompose-attention -attn-split-keys=parts=-2 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: attn-split-keys: option 'parts' expected 0 to 4096, got -2; the nearest is 0
// NONE-NOT: attn.merge

// Three parts of the keys in parallel, each from a neutral state of its own;
// their states are merged in order.

// CHECK-LABEL: func @decode(
// MODEL-LABEL: func @decode(
func.func @decode(%q: tensor<1x8x1x16xf32>, %k: tensor<1x2x8192x16xf32>) -> tensor<1x8x1x16xf32> {
  // CHECK: attn.neutral : tensor<3x1x2x4x1xf32>, tensor<3x1x2x4x1x16xf32>
  // CHECK: scf.forall (%[[J:.*]]) = (0) to (8192) step (2731)
  // CHECK: tensor.extract_slice {{.*}} to tensor<1x2x4x1xf32>
  // CHECK: attn.partial {{.*}} origin[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[J]]]
  // CHECK: mapping = [#attn.dim<key_split>]
  // CHECK: scf.for
  // CHECK: attn.merge
  // CHECK: attn.finalize
  // 8 query tiles on 64 cores: 8 parts.
  // MODEL: attn.neutral : tensor<8x1x2x4x1xf32>
  %o = attn.attention %q, %k, %k
      : tensor<1x8x1x16xf32>, tensor<1x2x8192x16xf32>, tensor<1x2x8192x16xf32> -> tensor<1x8x1x16xf32>
  return %o : tensor<1x8x1x16xf32>
}
