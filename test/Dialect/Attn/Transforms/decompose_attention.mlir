// RUN: attn-opt %s -attn-decompose-attention -canonicalize -split-input-file | FileCheck %s

// Heads are split into kv head and group; bottom right puts query 0 at key
// position 120 - 100.

// CHECK-LABEL: func @bottom_right(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x100x16xf32>, %[[K:.*]]: tensor<2x2x120x16xf32>, %[[V:.*]]: tensor<2x2x120x8xf32>
func.func @bottom_right(%q: tensor<2x6x100x16xf32>, %k: tensor<2x2x120x16xf32>,
                        %v: tensor<2x2x120x8xf32>) -> tensor<2x6x100x8xf32> {
  // CHECK-DAG: %[[G:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[SHIFT:.*]] = arith.constant 20 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[Q5:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0], [1, 2], [3], [4]]
  // CHECK: %[[M:.*]], %[[L:.*]], %[[ACC:.*]] = attn.neutral : tensor<2x2x3x100xf32>, tensor<2x2x3x100x8xf32>
  // CHECK: attn.partial %[[Q5]], %[[K]], %[[V]] into(%[[M]], %[[L]], %[[ACC]])
  // CHECK-SAME: origin[%[[C0]], %[[C0]], %[[C0]], %[[SHIFT]], %[[C0]]] group_size %[[G]]
  // CHECK-SAME: mask(#attn.causal) scale 2.500000e-01
  // CHECK: %[[OUT:.*]] = attn.finalize
  // CHECK: tensor.collapse_shape %[[OUT]] {{\[\[}}0], [1, 2], [3], [4]]
  %o = attn.attention %q, %k, %v mask(#attn.causal)
      : tensor<2x6x100x16xf32>, tensor<2x2x120x16xf32>, tensor<2x2x120x8xf32>
      -> tensor<2x6x100x8xf32>
  return %o : tensor<2x6x100x8xf32>
}

// -----

// CHECK-LABEL: func @top_left(
func.func @top_left(%q: tensor<1x2x100x16xf32>, %k: tensor<1x2x120x16xf32>) -> tensor<1x2x100x16xf32> {
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: origin[%[[C0]], %[[C0]], %[[C0]], %[[C0]], %[[C0]]]
  %o = attn.attention %q, %k, %k mask(#attn.causal) alignment top_left
      : tensor<1x2x100x16xf32>, tensor<1x2x120x16xf32>, tensor<1x2x120x16xf32>
      -> tensor<1x2x100x16xf32>
  return %o : tensor<1x2x100x16xf32>
}

// -----

// A capture with heads gets kv head and group; a scalar stays.

// CHECK-DAG: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d4)>
// CHECK-DAG: #[[WHOLE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> ()>
// CHECK-LABEL: func @captures(
func.func @captures(%q: tensor<1x6x100x16xf32>, %k: tensor<1x2x120x16xf32>,
                    %bias: tensor<6x120xf32>, %x: f32) -> tensor<1x6x100x16xf32> {
  // CHECK: %[[BIAS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 3, 120]
  // CHECK: score(%[[BIAS]], %{{.*}} : tensor<2x3x120xf32>, f32) score_maps [#[[HEADS]], #[[WHOLE]]]
  %o = attn.attention %q, %k, %k
      score(%bias, %x : tensor<6x120xf32>, f32)
      score_maps [affine_map<(b, h, i, j) -> (h, j)>, affine_map<(b, h, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %c: f32, %y: f32):
        %t = arith.mulf %c, %y : f32
        %u = arith.addf %s, %t : f32
        attn.yield %u : f32
      }
      : tensor<1x6x100x16xf32>, tensor<1x2x120x16xf32>, tensor<1x2x120x16xf32>
      -> tensor<1x6x100x16xf32>
  return %o : tensor<1x6x100x16xf32>
}

// -----

// Packed operands: a loop over segments, offsets clamped into the tensors; rows
// of no segment are 0 and -inf.

// CHECK-LABEL: func @packed(
// CHECK-SAME: %[[Q:.*]]: tensor<?x4x16xf32>
func.func @packed(%q: tensor<?x4x16xf32>, %k: tensor<?x2x16xf32>, %cq: tensor<?xi32>,
                  %ck: tensor<?xi32>) -> (tensor<?x4x16xf32>, tensor<4x?xf32>) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // Bounds of segments, each within the memory and none below the one before.
  // CHECK: %[[BOUNDSQ:.*]]:2 = scf.for {{.*}} iter_args(%[[ALL:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}}) -> (tensor<?xindex>, index)
  // CHECK: tensor.extract %{{.*}} : tensor<?xi32>
  // CHECK: %[[LOW:.*]] = arith.maxsi %{{.*}}, %[[LAST]]
  // CHECK: %[[BOUND:.*]] = arith.minsi %[[LOW]]
  // CHECK: tensor.insert %[[BOUND]] into %[[ALL]]
  // CHECK: scf.yield %{{.*}}, %[[BOUND]]
  // CHECK: %[[BOUNDSKV:.*]]:2 = scf.for
  // CHECK-DAG: %[[OUT:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<?x2x2x16xf32>
  // CHECK-DAG: %[[LSE:.*]] = linalg.fill ins(%[[INF]] : f32) {{.*}} -> tensor<2x2x?xf32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OUT]], %{{.*}} = %[[LSE]])
  // CHECK: tensor.extract %[[BOUNDSQ]]#0
  // CHECK: tensor.extract %[[BOUNDSQ]]#0
  // CHECK: tensor.extract %[[BOUNDSKV]]#0
  // CHECK: tensor.extract %[[BOUNDSKV]]#0
  // CHECK: attn.partial
  // CHECK: attn.finalize
  // CHECK-SAME: out_map
  // CHECK: tensor.insert_slice
  %o, %l = attn.attention %q, %k, %k cu_seqlens(%cq, %ck : tensor<?xi32>, tensor<?xi32>)
      : tensor<?x4x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>
      -> tensor<?x4x16xf32>, tensor<4x?xf32>
  return %o, %l : tensor<?x4x16xf32>, tensor<4x?xf32>
}

// -----

// The group size divides by at least 1: no heads is legal.

// CHECK-LABEL: func @dynamic_heads(
func.func @dynamic_heads(%q: tensor<?x?x?x16xf32>, %k: tensor<?x?x?x16xf32>) -> tensor<?x?x?x16xf32> {
  // CHECK: affine.max
  // CHECK: affine.apply {{.*}}
  %o = attn.attention %q, %k, %k
      : tensor<?x?x?x16xf32>, tensor<?x?x?x16xf32>, tensor<?x?x?x16xf32> -> tensor<?x?x?x16xf32>
  return %o : tensor<?x?x?x16xf32>
}
