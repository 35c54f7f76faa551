// attn.partial, tiled and split by transform scripts in stock mlir-opt: nothing
// but upstream's interfaces is used.

// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s --canonicalize --cse \
// RUN:   --transform-interpreter=entry-point=tile_parallel --canonicalize --cse | FileCheck %s --check-prefix=PARALLEL
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s --canonicalize --cse \
// RUN:   --transform-interpreter=entry-point=tile_keys --canonicalize --cse | FileCheck %s --check-prefix=KEYS
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s --canonicalize --cse \
// RUN:   --transform-interpreter=entry-point=split_keys --canonicalize --cse | FileCheck %s --check-prefix=SPLIT
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s --canonicalize --cse \
// RUN:   --transform-interpreter=entry-point=split_then_tile --canonicalize --cse | FileCheck %s --check-prefix=BOTH
// RUN: not mlir-opt --load-dialect-plugin=%attn_plugin %s \
// RUN:   --transform-interpreter=entry-point=split_in_order 2>&1 | FileCheck %s --check-prefix=REFUSED

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// PARALLEL-DAG: #[[TIMES2:.*]] = affine_map<(d0) -> (d0 * 2)>
// PARALLEL-DAG: #[[TIMES16:.*]] = affine_map<(d0) -> (d0 * 16)>
// PARALLEL-DAG: #[[SHIFTED:.*]] = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// PARALLEL-LABEL: func @f(
// PARALLEL-SAME: %[[Q:.*]]: tensor<1x8x4x64x16xf32>, %[[K:.*]]: tensor<1x8x250x16xf32>, %[[V:.*]]: tensor<1x8x250x32xf32>, %[[BIAS:.*]]: tensor<8x1x64x250xf32>, %[[IDS:.*]]: tensor<1x64xi32>, %[[KVIDS:.*]]: tensor<1x250xi32>,
// PARALLEL: scf.forall (%[[H:.*]], %[[G:.*]], %[[I:.*]]) in (4, 4, 4) shared_outs(%[[OM:.*]] = %{{.*}}, %[[OL:.*]] = %{{.*}}, %[[OACC:.*]] = %{{.*}})
// PARALLEL-DAG:   %[[HEAD:.*]] = affine.apply #[[TIMES2]](%[[H]])
// PARALLEL-DAG:   %[[ROW:.*]] = affine.apply #[[TIMES16]](%[[I]])
// PARALLEL-DAG:   %[[POS:.*]] = affine.apply #[[SHIFTED]](%[[I]])[%{{.*}}]
// PARALLEL-DAG:   %[[M:.*]] = tensor.extract_slice %[[OM]][0, %[[HEAD]], %[[G]], %[[ROW]]] [1, 2, 1, 16]
// PARALLEL-DAG:   %[[L:.*]] = tensor.extract_slice %[[OL]][0, %[[HEAD]], %[[G]], %[[ROW]]] [1, 2, 1, 16]
// PARALLEL-DAG:   %[[ACC:.*]] = tensor.extract_slice %[[OACC]][0, %[[HEAD]], %[[G]], %[[ROW]], 0] [1, 2, 1, 16, 32]
// PARALLEL-DAG:   %[[QT:.*]] = tensor.extract_slice %[[Q]][0, %[[HEAD]], %[[G]], %[[ROW]], 0] [1, 2, 1, 16, 16]
// PARALLEL-DAG:   %[[KT:.*]] = tensor.extract_slice %[[K]][0, %[[HEAD]], 0, 0] [1, 2, 250, 16]
// PARALLEL-DAG:   %[[VT:.*]] = tensor.extract_slice %[[V]][0, %[[HEAD]], 0, 0] [1, 2, 250, 32]
// A capture is tiled as its map says; its axis that is a constant 0 is not.
// PARALLEL-DAG:   %[[BIAST:.*]] = tensor.extract_slice %[[BIAS]][%[[HEAD]], 0, %[[ROW]], 0] [2, 1, 16, 250]
// PARALLEL-DAG:   %[[IDST:.*]] = tensor.extract_slice %[[IDS]][0, %[[ROW]]] [1, 16]
// Positions move with the tile, and heads too.
// PARALLEL:       %[[NM:[^ ]+]], %[[NL:[^ ]+]], %[[NACC:[^ ]+]] = attn.partial %[[QT]], %[[KT]], %[[VT]] into(%[[M]], %[[L]], %[[ACC]])
// PARALLEL-SAME:    origin[%c0{{[^ ]*}}, %[[HEAD]], %[[G]], %[[POS]], %c0{{[^ ]*}}] group_size %c4
// PARALLEL-SAME:    mask(#attn.and<#attn.causal, #attn.documents>)
// PARALLEL-SAME:    score(%[[BIAST]] : tensor<2x1x16x250xf32>)
// PARALLEL:         documents(%[[IDST]], %[[KVIDS]] : tensor<1x16xi32>, tensor<1x250xi32>)
// PARALLEL:       scf.forall.in_parallel
// PARALLEL:         tensor.parallel_insert_slice %[[NM]] into %[[OM]][0, %[[HEAD]], %[[G]], %[[ROW]]] [1, 2, 1, 16]
// PARALLEL:         tensor.parallel_insert_slice %[[NL]] into %[[OL]]
// PARALLEL:         tensor.parallel_insert_slice %[[NACC]] into %[[OACC]][0, %[[HEAD]], %[[G]], %[[ROW]], 0] [1, 2, 1, 16, 32]

// Keys in order: the states are carried from tile to tile, in f32. The last tile
// is ragged, and of `valid` keys a tile sees what lies in it.
// KEYS-DAG: #[[SIZE:.*]] = affine_map<(d0) -> (-d0 + 250, 64)>
// KEYS-DAG: #[[LEFT:.*]] = affine_map<(d0)[s0] -> (-d0 + 250, -d0 + s0, 64)>
// KEYS-DAG: #[[CLAMP:.*]] = affine_map<(d0) -> (0, d0)>
// KEYS-LABEL: func @f(
// KEYS-SAME: %{{[^:]+}}: tensor<1x8x4x64x16xf32>, %[[K:.*]]: tensor<1x8x250x16xf32>, %[[V:.*]]: tensor<1x8x250x32xf32>, %[[BIAS:.*]]: tensor<8x1x64x250xf32>, %{{[^:]+}}: tensor<1x64xi32>, %[[KVIDS:.*]]: tensor<1x250xi32>,
// KEYS:     scf.for %[[J:.*]] = %c0{{.*}} to %c250{{.*}} step %c64{{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}, %[[ACC:.*]] = %{{.*}})
// KEYS-DAG:   %[[N:.*]] = affine.min #[[SIZE]](%[[J]])
// KEYS-DAG:   %[[SOME:.*]] = affine.min #[[LEFT]](%[[J]])[%{{.*}}]
// KEYS-DAG:   %[[VALID:.*]] = affine.max #[[CLAMP]](%[[SOME]])
// KEYS-DAG:   %[[KT:.*]] = tensor.extract_slice %[[K]][0, 0, %[[J]], 0] [1, 8, %[[N]], 16]
// KEYS-DAG:   %[[VT:.*]] = tensor.extract_slice %[[V]][0, 0, %[[J]], 0] [1, 8, %[[N]], 32]
// KEYS-DAG:   %[[BIAST:.*]] = tensor.extract_slice %[[BIAS]][0, 0, 0, %[[J]]] [8, 1, 64, %[[N]]]
// KEYS-DAG:   %[[IDST:.*]] = tensor.extract_slice %[[KVIDS]][0, %[[J]]] [1, %[[N]]]
// KEYS:       %[[NM:[^ ]+]], %[[NL:[^ ]+]], %[[NACC:[^ ]+]] = attn.partial %{{.*}}, %[[KT]], %[[VT]] into(%[[M]], %[[L]], %[[ACC]])
// KEYS-SAME:    origin[%c0{{[^ ]*}}, %c0{{[^ ]*}}, %c0{{[^ ]*}}, %{{[^ ]+}}, %[[J]]] group_size %{{[^ ]+}} valid %[[VALID]]
// KEYS:         documents(%{{.*}}, %[[IDST]] : tensor<1x64xi32>, tensor<1x?xi32>)
// KEYS:       scf.yield %[[NM]], %[[NL]], %[[NACC]]

// Parts of the keys in parallel, each from a neutral state; then merged in the
// order of the keys, so that no result depends on timing.
// SPLIT-LABEL: func @f(
// SPLIT:      %[[M0:.*]], %[[L0:.*]], %[[ACC0:.*]] = attn.neutral : tensor<3x1x8x4x64xf32>, tensor<3x1x8x4x64x32xf32>
// SPLIT:      %[[PARTS:.*]]:3 = scf.forall (%[[J:.*]]) = (0) to (250) step (100) shared_outs(%[[OM:.*]] = %[[M0]], %[[OL:.*]] = %[[L0]], %[[OACC:.*]] = %[[ACC0]])
// SPLIT:        %[[PART:.*]] = affine.apply #{{.*}}()[%[[J]]]
// SPLIT-DAG:    %[[M:.*]] = tensor.extract_slice %[[OM]][%[[PART]], 0, 0, 0, 0] [1, 1, 8, 4, 64] [1, 1, 1, 1, 1] : tensor<3x1x8x4x64xf32> to tensor<1x8x4x64xf32>
// SPLIT-DAG:    %[[ACC:.*]] = tensor.extract_slice %[[OACC]][%[[PART]], 0, 0, 0, 0, 0] [1, 1, 8, 4, 64, 32] [1, 1, 1, 1, 1, 1] : tensor<3x1x8x4x64x32xf32> to tensor<1x8x4x64x32xf32>
// SPLIT:        %[[NM:[^ ]+]], %[[NL:[^ ]+]], %[[NACC:[^ ]+]] = attn.partial %{{.*}} into(%[[M]], %{{.*}}, %[[ACC]]) origin[%{{.*}}, %[[J]]]
// SPLIT:        tensor.parallel_insert_slice %[[NM]] into %[[OM]][%[[PART]], 0, 0, 0, 0] [1, 1, 8, 4, 64]
// SPLIT:        tensor.parallel_insert_slice %[[NL]] into %[[OL]][%[[PART]], 0, 0, 0, 0] [1, 1, 8, 4, 64]
// SPLIT:        tensor.parallel_insert_slice %[[NACC]] into %[[OACC]][%[[PART]], 0, 0, 0, 0, 0] [1, 1, 8, 4, 64, 32]
// SPLIT:      %[[S:.*]]:3 = scf.for %[[N:.*]] = %c0{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}, %[[ACC:.*]] = %{{.*}})
// SPLIT-DAG:    %[[PM:.*]] = tensor.extract_slice %[[PARTS]]#0[%[[N]], 0, 0, 0, 0]
// SPLIT-DAG:    %[[PL:.*]] = tensor.extract_slice %[[PARTS]]#1[%[[N]], 0, 0, 0, 0]
// SPLIT-DAG:    %[[PACC:.*]] = tensor.extract_slice %[[PARTS]]#2[%[[N]], 0, 0, 0, 0, 0]
// SPLIT:        attn.merge(%[[M]], %[[L]], %[[ACC]]), (%[[PM]], %[[PL]], %[[PACC]])
// SPLIT:      return %[[S]]#0, %[[S]]#1, %[[S]]#2

// BOTH:      scf.forall
// BOTH:        scf.for
// BOTH:          attn.partial
// BOTH:        scf.forall.in_parallel
// BOTH:      attn.merge

// REFUSED: error: 'attn.partial' op splits keys in parallel parts only

module attributes {transform.with_named_sequence} {

func.func @f(%q: tensor<1x8x4x64x16xf32>, %k: tensor<1x8x250x16xf32>,
             %v: tensor<1x8x250x32xf32>, %bias: tensor<8x1x64x250xf32>,
             %ids: tensor<1x64xi32>, %kv_ids: tensor<1x250xi32>,
             %m: tensor<1x8x4x64xf32>, %l: tensor<1x8x4x64xf32>,
             %acc: tensor<1x8x4x64x32xf32>, %shift: index, %n: index)
    -> (tensor<1x8x4x64xf32>, tensor<1x8x4x64xf32>, tensor<1x8x4x64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %shift, %c0] group_size %c4 valid %n
      mask (#attn.and<#attn.causal, #attn.documents>) scale 0.25
      maps [#q, #k, #v]
      score (%bias : tensor<8x1x64x250xf32>)
      score_maps [affine_map<(b, h, g, i, j) -> (h, 0, i, j)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        %t = arith.addf %s, %x : f32
        attn.yield %t : f32
      }
      documents (%ids, %kv_ids : tensor<1x64xi32>, tensor<1x250xi32>)
      : tensor<1x8x4x64x16xf32>, tensor<1x8x250x16xf32>, tensor<1x8x250x32xf32>
      -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x32xf32>
  return %s#0, %s#1, %s#2
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64xf32>, tensor<1x8x4x64x32xf32>
}

transform.named_sequence @tile_parallel(%root: !transform.any_op) {
  %op = transform.structured.match ops{["attn.partial"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiled, %loop = transform.structured.tile_using_forall %op
      tile_sizes [1, 2, 1, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

transform.named_sequence @tile_keys(%root: !transform.any_op) {
  %op = transform.structured.match ops{["attn.partial"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiled, %loop = transform.structured.tile_using_for %op
      tile_sizes [0, 0, 0, 0, 64]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

transform.named_sequence @split_keys(%root: !transform.any_op) {
  %op = transform.structured.match ops{["attn.partial"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %init:3, %part, %merge, %loop =
      transform.structured.tile_reduction_using_forall %op
      by tile_sizes = [0, 0, 0, 0, 100]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op,
          !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

transform.named_sequence @split_then_tile(%root: !transform.any_op) {
  %op = transform.structured.match ops{["attn.partial"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %init:3, %part, %merge, %loop =
      transform.structured.tile_reduction_using_forall %op
      by tile_sizes = [0, 0, 0, 0, 100]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op,
          !transform.any_op, !transform.any_op, !transform.any_op)
  %tiled, %keys = transform.structured.tile_using_for %part
      tile_sizes [0, 0, 0, 0, 32]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

transform.named_sequence @split_in_order(%root: !transform.any_op) {
  %op = transform.structured.match ops{["attn.partial"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %init:3, %part, %merge, %loop =
      transform.structured.tile_reduction_using_for %op
      by tile_sizes = [0, 0, 0, 0, 64]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op,
          !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

}
