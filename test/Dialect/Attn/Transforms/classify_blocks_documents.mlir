// RUN: attn-opt %s --attn-decompose-attention --canonicalize --cse \
// RUN:   --attn-tile="query-tile=64 key-tile=32" --attn-fuse-online-softmax \
// RUN:   --canonicalize --cse --attn-classify-blocks --cse --split-input-file \
// RUN: | FileCheck %s

!q = tensor<2x8x?x16xf32>
!kv = tensor<2x2x?x16xf32>
!ids = tensor<2x?xi32>

// Before the loop over query tiles: least and greatest id of each key tile, the
// last of which may be ragged.
// CHECK-DAG: #[[UP:.*]] = affine_map<()[s0] -> (s0 ceildiv 32)>
// CHECK-DAG: #[[BEGIN:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-DAG: #[[END:.*]] = affine_map<(d0)[s0] -> (d0 + 32, s0)>
// CHECK-LABEL: @documents
// CHECK-SAME: %[[QI:[^ :]*]]: tensor<2x?xi32>, %[[KI:[^ :]*]]: tensor<2x?xi32>)
// CHECK: %[[KEYS:.*]] = tensor.dim %[[KI]], %c1
// CHECK: %[[TILES:.*]] = affine.apply #[[UP]]()[%[[KEYS]]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[TILES]]) : tensor<2x?x2xi32>
// CHECK: %[[TABLE:.*]] = scf.for %[[B:.*]] = %c0 to %c2 step %c1 iter_args(%{{.*}} = %[[EMPTY]])
// CHECK:   scf.for %[[T:.*]] = %c0 to %[[TILES]]
// CHECK:     %[[FIRST:.*]] = affine.apply #[[BEGIN]](%[[T]])
// CHECK:     %[[LAST:.*]] = affine.min #[[END]](%[[FIRST]])[%[[KEYS]]]
// CHECK:     %[[ID:.*]] = tensor.extract %[[KI]][%[[B]], %[[FIRST]]]
// CHECK:     %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1
// CHECK:     scf.for %[[J:.*]] = %[[SECOND]] to %[[LAST]] step %c1 iter_args(%{{.*}} = %[[ID]], %{{.*}} = %[[ID]])
// CHECK:       tensor.extract %[[KI]][%[[B]], %[[J]]]
// CHECK:       arith.minsi
// CHECK:       arith.maxsi
// CHECK:     tensor.insert %{{.*}} into %{{.*}}[%[[B]], %[[T]], %c0]
// CHECK:     tensor.insert %{{.*}} into %{{.*}}[%[[B]], %[[T]], %c1]

// In it: those of the rows that exist, and the tiles that overlap them.
// CHECK: scf.forall (%[[BATCH:[^,]*]], %{{.*}}) =
// CHECK:   %[[ROWS:.*]] = affine.min
// CHECK:   tensor.pad
// CHECK:   tensor<1x?xi32> to tensor<1x64xi32>
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
// CHECK:   scf.for %[[T:.*]] = %c0 to %{{.*}} step %c1 iter_args(
// CHECK:     tensor.extract %[[TABLE]][%[[BATCH]], %[[T]], %c0]
// CHECK:     tensor.extract %[[TABLE]][%[[BATCH]], %[[T]], %c1]
// CHECK:   attn.walk {{.*}} segments [#attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>]
func.func @documents(%q: !q, %k: !kv, %v: !kv, %qi: !ids, %ki: !ids) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.documents)
      documents (%qi, %ki : !ids, !ids) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<?x8x16xf32>
!kv = tensor<?x2x16xf32>
!ids = tensor<1x?xi32>
!n = tensor<?xi32>

// Packed: per segment, outside its query tiles.
// CHECK-LABEL: @packed_documents
// CHECK-SAME: %[[QI:[^ :]*]]: tensor<1x?xi32>, %[[KI:[^ :]*]]: tensor<1x?xi32>,
// CHECK: scf.for
// CHECK: %[[SEGMENT:.*]] = tensor.extract_slice %[[KI]]
// CHECK: %[[TABLE:.*]] = scf.for
// CHECK:   tensor.extract %[[SEGMENT]]
// CHECK: scf.forall
// CHECK-NOT: tensor.insert
// CHECK: tensor.extract %[[TABLE]]
// CHECK: attn.walk
func.func @packed_documents(%q: !q, %k: !kv, %v: !kv, %qi: !ids, %ki: !ids,
                            %cq: !n, %ck: !n) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.and<#attn.documents, #attn.causal>)
      documents (%qi, %ki : !ids, !ids) cu_seqlens (%cq, %ck : !n, !n)
      : !q, !kv, !kv -> !q
  return %out : !q
}
