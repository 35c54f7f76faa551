// RUN: attn-opt %s --attn-tile="query-tile=16 key-tile=32" --canonicalize --cse \
// RUN:   --split-input-file | FileCheck %s

!q = tensor<1x1x1x16x8xf32>
!kv = tensor<1x1x?x8xf32>
!m = tensor<1x1x1x16xf32>
!acc = tensor<1x1x1x16x8xf32>

// Keys that do not exist are none of the walk's: it ends at `valid`, moved into
// the keys that the tensor has.
// CHECK-DAG: #[[LEAST:.*]] = affine_map<()[s0, s1] -> (s1, s0)>
// CHECK-DAG: #[[NOT_NEGATIVE:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-LABEL: @valid
// CHECK-SAME: %[[VALID:[^ :]*]]: index)
// CHECK: %[[N:.*]] = affine.min #[[LEAST]]()[%[[VALID]], %{{.*}}]
// CHECK: %[[EXTENT:.*]] = affine.max #[[NOT_NEGATIVE]]()[%[[N]]]
// CHECK: attn.walk %[[EXTENT]] by 32
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[LEFT:.*]]: index, %[[MASKED:.*]]: i1,
// CHECK: attn.partial {{.*}} valid %[[LEFT]] masked %[[MASKED]]
func.func @valid(%q: !q, %k: !kv, %v: !kv, %m: !m, %l: !m, %acc: !acc,
                 %n: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %c0, %c0] group_size %c1 valid %n scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : !q, !kv, !kv -> !m, !acc
  return %r#2 : !acc
}

// -----

!q = tensor<1x1x1x16x8xf32>
!kv = tensor<1x1x?x8xf32>
!m = tensor<1x1x1x16xf32>
!acc = tensor<1x1x1x16x8xf32>

// Where `masked` says whether `valid` counts, the walk cannot know.
// CHECK-LABEL: @valid_if_masked
// CHECK-SAME: %[[OUTER:[^ :]*]]: i1)
// CHECK: %[[KEYS:.*]] = tensor.dim %{{.*}}, %c2
// CHECK: attn.walk %[[KEYS]] by 32
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[INNER:.*]]: i1,
// CHECK: %[[MASKED:.*]] = arith.andi %[[INNER]], %[[OUTER]]
// CHECK: attn.partial {{.*}} masked %[[MASKED]]
func.func @valid_if_masked(%q: !q, %k: !kv, %v: !kv, %m: !m, %l: !m, %acc: !acc,
                           %n: index, %b: i1) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %c0, %c0] group_size %c1 valid %n masked %b
      scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : !q, !kv, !kv -> !m, !acc
  return %r#2 : !acc
}
