// RUN: attn-opt %s --attn-decompose-attention --canonicalize --cse \
// RUN:   --attn-tile="query-tile=64 key-tile=32" --attn-fuse-online-softmax \
// RUN:   --canonicalize --cse --attn-classify-blocks --cse --split-input-file \
// RUN: | FileCheck %s

// Lengths that are not known: bounds are computed for each query tile from its
// first row and the last one that exists, and clamped to the keys.

!q = tensor<2x8x?x16xf32>
!kv = tensor<2x2x?x16xf32>

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 64)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0)[s0, s1] -> (d0 + s0 - s1)>
// CHECK-LABEL: @causal
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x8x?x16xf32>, %[[K:[^:]*]]:
// CHECK-DAG: %[[SQ:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG: %[[SKV:.*]] = tensor.dim %[[K]], %c2
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}, %[[AT:.*]]) =
// CHECK: %[[N:.*]] = affine.min #[[ROWS]](%[[AT]])
// CHECK: %[[P:.*]] = affine.apply #[[FIRST]](%[[AT]])[%[[SKV]], %[[SQ]]]
// CHECK: %[[LESS:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[LAST:.*]] = arith.addi %[[P]], %[[LESS]]
// CHECK: %[[SOME:.*]] = arith.addi %[[LAST]], %c1
// CHECK: %[[SOME0:.*]] = arith.maxsi %[[SOME]], %c0
// CHECK: %[[SOME1:.*]] = arith.minsi %[[SOME0]], %[[SKV]]
// CHECK: %[[EACH:.*]] = arith.addi %[[P]], %c1
// CHECK: %[[EACH0:.*]] = arith.maxsi %[[EACH]], %c0
// CHECK: %[[EACH1:.*]] = arith.minsi %[[EACH0]], %[[SKV]]
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[SOME1]], %c32
// CHECK: %[[FULL:.*]] = arith.divui %[[EACH1]], %c32
// CHECK: %[[END:.*]] = arith.maxsi %[[TILES]], %[[FULL]]
// CHECK: attn.walk %[[SKV]] by 32 segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %[[FULL]], %[[FULL]], %[[END]])
func.func @causal(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<2x8x?x16xf32>
!kv = tensor<2x2x?x16xf32>

// No mask: only the ragged tile looks at what exists.
// CHECK-LABEL: @no_mask
// CHECK: %[[SKV:.*]] = tensor.dim %arg1, %c2
// CHECK-DAG: %[[TILES:.*]] = arith.ceildivui %[[SKV]], %c32
// CHECK-DAG: %[[FULL:.*]] = arith.divui %[[SKV]], %c32
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %[[FULL]], %[[FULL]], %[[TILES]])
func.func @no_mask(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<2x8x?x16xf32>
!kv = tensor<2x2x?x16xf32>

// The number per batch is read before the walk.
// CHECK-LABEL: @prefix_operand
// CHECK-SAME: %[[LENGTHS:[^:]*]]: tensor<2xi32>)
// CHECK: scf.forall (%[[B:.*]], %{{.*}}, %{{.*}}, %{{.*}}) =
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[LENGTHS]][%[[B]]] [1] [1]
// CHECK: %[[ENTRY:.*]] = tensor.extract %{{.*}}[%c0] : tensor<1xi32>
// CHECK: %[[LENGTH:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// CHECK: arith.maxsi %[[LENGTH]], %c0
// CHECK: attn.walk {{.*}} segments [#attn.segment<range, full>, #attn.segment<range, partial>]
func.func @prefix_operand(%q: !q, %k: !kv, %v: !kv, %n: tensor<2xi32>) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.or<#attn.prefix, #attn.causal>)
      prefix (%n : tensor<2xi32>) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<?x4x16xf32>
!kv = tensor<?x4x16xf32>
!n = tensor<?xi32>

// Packed: positions and lengths of each segment.
// CHECK-LABEL: @packed
// CHECK: scf.for
// CHECK: scf.forall
// CHECK: attn.walk %{{.*}} by 32 segments [#attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>]
func.func @packed(%q: !q, %k: !kv, %v: !kv, %cq: !n, %ck: !n) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.window<left = 5, right = 7>)
      cu_seqlens (%cq, %ck : !n, !n) : !q, !kv, !kv -> !q
  return %out : !q
}
