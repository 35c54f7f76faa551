// RUN: attn-opt %s -attn-decompose-attention -canonicalize -attn-tile="query-tile=32 key-tile=16" -canonicalize -cse -split-input-file | FileCheck %s

// Ragged ends are padded to static tiles: rows to 32 with a neutral state, keys
// to 16 with zeros, which `valid` hides.

// CHECK-LABEL: func @ragged(
func.func @ragged(%q: tensor<2x6x100x16xf32>, %k: tensor<2x2x120x16xf32>,
                  %v: tensor<2x2x120x8xf32>) -> tensor<2x6x100x8xf32> {
  // CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %[[G:.*]], %[[I:.*]]) = (0, 0, 0, 0) to (2, 2, 3, 100) step (1, 1, 1, 32)
  // CHECK: %[[ROWS:.*]] = affine.min
  // CHECK: %[[Q:.*]] = tensor.pad {{.*}} high[0, 0, 0, %{{.*}}, 0]
  // CHECK: tensor<1x1x1x?x16xf32> to tensor<1x1x1x32x16xf32>
  // CHECK: attn.walk %c120 by 16 segments [#attn.segment<range, partial>] bounds(%c0, %c8)
  // CHECK: ^bb0(%[[START:.*]]: index, %[[VALID:.*]]: index, %[[MASKED:.*]]: i1,
  // CHECK: tensor.extract_slice %{{.*}}[0, 0, %[[START]], 0] [1, 1, %[[VALID]], 16]
  // CHECK: attn.partial %[[Q]], %{{.*}}, %{{.*}} into
  // CHECK-SAME: origin[%[[B]], %[[H]], %[[G]], %{{.*}}, %[[START]]]
  // CHECK-SAME: valid %[[VALID]] rows %[[ROWS]] masked %[[MASKED]] mask(#attn.causal)
  // CHECK-SAME: tensor<1x1x1x32x16xf32>, tensor<1x1x16x16xf32>, tensor<1x1x16x8xf32>
  // CHECK: mapping = [#attn.dim<batch>, #attn.dim<kv_head>, #attn.dim<group>, #attn.dim<query>]
  %o = attn.attention %q, %k, %v mask(#attn.causal)
      : tensor<2x6x100x16xf32>, tensor<2x2x120x16xf32>, tensor<2x2x120x8xf32>
      -> tensor<2x6x100x8xf32>
  return %o : tensor<2x6x100x8xf32>
}

// -----

// Tiles that fit need no padding.

// CHECK-LABEL: func @even(
func.func @even(%q: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  // CHECK: scf.forall
  // CHECK: tensor.extract_slice {{.*}} to tensor<1x1x1x32x16xf32>
  // CHECK: attn.walk
  %o = attn.attention %q, %q, %q
      : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32> -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}
