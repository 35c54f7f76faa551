// RUN: attn-opt %s --canonicalize | FileCheck %s

// Foldings of the algebra. Each is exact: no result bit changes.

//===----------------------------------------------------------------------===//
// The neutral state is neutral on both sides of a merge
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @merge_with_neutral(
// CHECK-SAME: %[[M:.*]]: tensor<2x?xf32>, %[[L:.*]]: tensor<2x?xf32>, %[[ACC:.*]]: tensor<2x?x8xf32>
func.func @merge_with_neutral(%m: tensor<2x?xf32>, %l: tensor<2x?xf32>,
                              %acc: tensor<2x?x8xf32>, %n: index)
    -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?x8xf32>) {
  // CHECK-NOT: attn
  // CHECK: return %[[M]], %[[L]], %[[ACC]]
  %m0, %l0, %acc0 = attn.neutral [%n] : tensor<2x?xf32>, tensor<2x?x8xf32>
  %s:3 = attn.merge (%m, %l, %acc), (%m0, %l0, %acc0)
      : tensor<2x?xf32>, tensor<2x?x8xf32>
  return %s#0, %s#1, %s#2
      : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?x8xf32>
}

// CHECK-LABEL: func @merge_neutral_with(
// CHECK-SAME: %[[M:.*]]: tensor<2x?xf32>, %[[L:.*]]: tensor<2x?xf32>, %[[ACC:.*]]: tensor<2x?x8xf32>
func.func @merge_neutral_with(%m: tensor<2x?xf32>, %l: tensor<2x?xf32>,
                              %acc: tensor<2x?x8xf32>, %n: index)
    -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?x8xf32>) {
  // CHECK-NOT: attn
  // CHECK: return %[[M]], %[[L]], %[[ACC]]
  %m0, %l0, %acc0 = attn.neutral [%n] : tensor<2x?xf32>, tensor<2x?x8xf32>
  %s:3 = attn.merge (%m0, %l0, %acc0), (%m, %l, %acc)
      : tensor<2x?xf32>, tensor<2x?x8xf32>
  return %s#0, %s#1, %s#2
      : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?x8xf32>
}

// CHECK-LABEL: func @merge_neutrals(
func.func @merge_neutrals() -> (tensor<2xf32>, tensor<2xf32>, tensor<2x8xf32>) {
  // CHECK-NEXT: %[[M:.*]], %[[L:.*]], %[[ACC:.*]] = attn.neutral
  // CHECK-NEXT: return %[[M]], %[[L]], %[[ACC]]
  %m0, %l0, %acc0 = attn.neutral : tensor<2xf32>, tensor<2x8xf32>
  %s:3 = attn.merge (%m0, %l0, %acc0), (%m0, %l0, %acc0)
      : tensor<2xf32>, tensor<2x8xf32>
  return %s#0, %s#1, %s#2 : tensor<2xf32>, tensor<2xf32>, tensor<2x8xf32>
}

// m and l of a neutral state have one type, but not one value: a state with
// the two exchanged is no neutral state.
// CHECK-LABEL: func @merge_with_mixed(
func.func @merge_with_mixed(%m: tensor<2xf32>, %acc: tensor<2x8xf32>)
    -> tensor<2xf32> {
  // CHECK: attn.merge
  %m0, %l0, %acc0 = attn.neutral : tensor<2xf32>, tensor<2x8xf32>
  %s:3 = attn.merge (%m, %m, %acc), (%l0, %m0, %acc0)
      : tensor<2xf32>, tensor<2x8xf32>
  return %s#0 : tensor<2xf32>
}

// Nor is one put together from a neutral m and l and another acc.
// CHECK-LABEL: func @merge_with_half(
func.func @merge_with_half(%m: tensor<2xf32>, %acc: tensor<2x8xf32>)
    -> tensor<2xf32> {
  // CHECK: attn.merge
  %m0, %l0, %acc0 = attn.neutral : tensor<2xf32>, tensor<2x8xf32>
  %s:3 = attn.merge (%m, %m, %acc), (%m0, %l0, %acc)
      : tensor<2xf32>, tensor<2x8xf32>
  return %s#0 : tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// attn.partial: masks that hide nothing
//===----------------------------------------------------------------------===//

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// CHECK-LABEL: func @masked_false(
func.func @masked_false(%q: tensor<1x1x1x4x8xf32>, %k: tensor<1x1x16x8xf32>,
    %m: tensor<1x1x1x4xf32>, %acc: tensor<1x1x1x4x8xf32>, %n: index,
    %ids: tensor<1x4xi32>, %kv_ids: tensor<1x16xi32>, %len: tensor<1xi32>,
    %cap: f32, %keep: i1) -> tensor<1x1x1x4x8xf32> {
  %false = arith.constant false
  // The score region stays; mask, valid, ids, prefix and the mask's region go.
  // CHECK: attn.partial
  // CHECK-NOT: valid
  // CHECK-NOT: mask
  // CHECK-SAME: score(%{{.*}} : f32) score_maps [#{{.*}}] score_region {
  // CHECK: }
  // CHECK-NOT: visible
  // CHECK-NOT: documents
  // CHECK-NOT: prefix
  // CHECK-SAME: {kept}
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %n masked %false
      mask (#attn.and<#attn.documents, #attn.prefix, #attn.region>) scale 1.0
      maps [#q, #k, #v]
      score (%cap : f32) score_maps [affine_map<(b, h, g, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %c: f32):
        %t = arith.minimumf %s, %c : f32
        attn.yield %t : f32
      }
      visible (%keep : i1) visible_maps [affine_map<(b, h, g, i, j) -> ()>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %c: i1):
        attn.yield %c : i1
      }
      documents (%ids, %kv_ids : tensor<1x4xi32>, tensor<1x16xi32>)
      prefix (%len : tensor<1xi32>) {kept}
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2 : tensor<1x1x1x4x8xf32>
}

// CHECK-LABEL: func @masked_true(
func.func @masked_true(%q: tensor<1x1x1x4x8xf32>, %k: tensor<1x1x16x8xf32>,
    %m: tensor<1x1x1x4xf32>, %acc: tensor<1x1x1x4x8xf32>, %n: index)
    -> tensor<1x1x1x4x8xf32> {
  %true = arith.constant true
  // CHECK: attn.partial
  // CHECK-SAME: group_size %{{[^ ]+}} valid %{{[^ ]+}} mask(#attn.causal) scale
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %n masked %true
      mask (#attn.causal) scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2 : tensor<1x1x1x4x8xf32>
}

// CHECK-LABEL: func @masked_unknown(
func.func @masked_unknown(%q: tensor<1x1x1x4x8xf32>, %k: tensor<1x1x16x8xf32>,
    %m: tensor<1x1x1x4xf32>, %acc: tensor<1x1x1x4x8xf32>, %n: index,
    %masked: i1) -> tensor<1x1x1x4x8xf32> {
  // CHECK: attn.partial
  // CHECK-SAME: valid %{{[^ ]+}} masked %{{[^ ]+}} mask(#attn.causal) scale
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %n masked %masked
      mask (#attn.causal) scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2 : tensor<1x1x1x4x8xf32>
}

// Nothing to hide: whether to look is no question.
// CHECK-LABEL: func @masked_without_mask(
func.func @masked_without_mask(%q: tensor<1x1x1x4x8xf32>,
    %k: tensor<1x1x16x8xf32>, %m: tensor<1x1x1x4xf32>,
    %acc: tensor<1x1x1x4x8xf32>, %n: index, %masked: i1)
    -> tensor<1x1x1x4x8xf32> {
  // CHECK: attn.partial
  // CHECK-SAME: group_size %{{[^ ]+}} scale
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n masked %masked
      scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2 : tensor<1x1x1x4x8xf32>
}

// Without keys the state stays.
// CHECK-LABEL: func @no_keys(
// CHECK-SAME: %[[ACC:[^ :]*]]: tensor<1x1x1x4x8xf32>, %{{[^ ]+}}: index)
// CHECK-NEXT: return %[[ACC]]
func.func @no_keys(%q: tensor<1x1x1x4x8xf32>, %k: tensor<1x1x0x8xf32>,
    %m: tensor<1x1x1x4xf32>, %acc: tensor<1x1x1x4x8xf32>, %n: index)
    -> tensor<1x1x1x4x8xf32> {
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x0x8xf32>, tensor<1x1x0x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2 : tensor<1x1x1x4x8xf32>
}

// CHECK-LABEL: func @valid(
func.func @valid(%q: tensor<1x1x1x4x8xf32>, %k: tensor<1x1x16x8xf32>,
    %dynamic: tensor<1x1x?x8xf32>, %m: tensor<1x1x1x4xf32>,
    %acc: tensor<1x1x1x4x8xf32>, %n: index)
    -> (tensor<1x1x1x4x8xf32>, tensor<1x1x1x4x8xf32>, tensor<1x1x1x4x8xf32>) {
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  // All 16 keys are there.
  // CHECK: attn.partial
  // CHECK-SAME: group_size %{{[^ ]+}} scale
  %s:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %c16
      scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  // One is missing.
  // CHECK: attn.partial
  // CHECK-SAME: valid %c15
  %t:3 = attn.partial %q, %k, %k into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %c15
      scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  // Nobody knows of how many.
  // CHECK: attn.partial
  // CHECK-SAME: valid %c16
  %u:3 = attn.partial %q, %dynamic, %dynamic into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n valid %c16
      scale 1.0 maps [#q, #k, #v]
      : tensor<1x1x1x4x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1x4x8xf32>
  return %s#2, %t#2, %u#2
      : tensor<1x1x1x4x8xf32>, tensor<1x1x1x4x8xf32>, tensor<1x1x1x4x8xf32>
}

//===----------------------------------------------------------------------===//
// attn.walk: segments that are empty whatever the lengths are
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @empty_segments(
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: index, %[[L1:.*]]: tensor<?xi32>, %[[L2:.*]]: tensor<?xi32>
func.func @empty_segments(%n: index, %a: index, %l1: tensor<?xi32>,
                          %l2: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // Gone are: 2..2, a..a, 2..0, each with its list; the order of the rest stays.
  // CHECK: attn.walk %[[N]] by 8 segments [#attn.segment<range, partial>, #attn.segment<list, partial, descending>] bounds(%[[A]], %[[N]], %c0{{.*}}, %c2{{.*}}) lists(%[[L2]] : tensor<?xi32>) init(%c0{{.*}} : index)
  %sum = attn.walk %n by 8
      segments [#attn.segment<range, full>, #attn.segment<list, full>,
                #attn.segment<range, partial>,
                #attn.segment<list, partial, descending>,
                #attn.segment<range, full>]
      bounds (%c2, %c2, %a, %a, %a, %n, %c0, %c2, %c2, %c0)
      lists (%l1, %l2 : tensor<?xi32>, tensor<?xi32>) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %sum: index):
    %next = arith.addi %sum, %valid : index
    attn.yield %next : index
  }
  return %sum : index
}

// A walk over nothing gives back its inits.
// CHECK-LABEL: func @nothing_to_walk(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: f32
func.func @nothing_to_walk(%n: index, %x: f32) -> f32 {
  // CHECK-NEXT: return %[[X]]
  %r = attn.walk %n by 8 segments [#attn.segment<range, full>]
      bounds (%n, %n) init (%x : f32) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: f32):
    %t = arith.addf %s, %s : f32
    attn.yield %t : f32
  }
  return %r : f32
}
