// RUN: attn-opt %s --attn-decompose-attention --canonicalize \
// RUN:   --attn-tile="query-tile=64 key-tile=64" --attn-fuse-online-softmax \
// RUN:   --attn-classify-blocks --attn-count-tiles --canonicalize --cse \
// RUN:   --split-input-file | FileCheck %s

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// One query tile, everything constant: of 16 tiles the window's 5, 2 of them
// full (see classify_blocks_static.mlir).
// CHECK-LABEL: func.func @window(
// CHECK-SAME: -> tensor<3xi64> {
// CHECK-NEXT: %[[COUNTS:.*]] = arith.constant dense<[2, 3, 16]> : tensor<3xi64>
// CHECK-NEXT: return %[[COUNTS]]
func.func @window(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.window<left = 200, right = 0>)
      : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Two walks are added.
// CHECK-LABEL: func.func @twice(
// CHECK: arith.constant dense<[15, 2, 32]> : tensor<3xi64>
func.func @twice(%q: !q, %k: !kv, %v: !kv) -> (!q, !q) {
  %0 = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  %1 = attn.attention %q, %k, %v mask (#attn.causal) alignment top_left
      : !q, !kv, !kv -> !q
  return %0, %1 : !q, !q
}

// -----

!q = tensor<2x8x?x16xf32>
!kv = tensor<2x2x?x16xf32>

// A loop for each dimension of the forall, and nothing of attention in it.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x8x?x16xf32> {attn.name = "queries"}
// CHECK-SAME: -> tensor<3xi64> {
// CHECK-NOT: attn.walk
// CHECK-NOT: attn.partial
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}} = %c0, %{{.*}} = %c0, %{{.*}} = %c0)
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c64
// CHECK: %[[FULL:.*]] = arith.divui
// CHECK: %[[END:.*]] = arith.maxsi
// CHECK: affine.apply #{{.*}}()[%[[END]], %[[FULL]]]
// CHECK: %[[PARTIAL:.*]] = arith.maxsi
// CHECK: arith.addi %{{.*}}, %[[PARTIAL]]
// CHECK: tensor.from_elements %{{.*}}, %{{.*}}, %{{.*}} : tensor<3xi64>
// CHECK-NOT: attn.finalize
func.func @dynamic(%q: !q {attn.name = "queries"}, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

// Of a list, the entries that name a tile. The walk's state is dropped.
// CHECK-LABEL: func.func @list(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[LIST:[^:]*]]: tensor<4xi32>)
// CHECK: %[[LISTED:.*]] = scf.for %[[I:.*]] = %c0 to %c4 step %c1 iter_args(%[[COUNT:.*]] = %c0)
// CHECK:   %[[ENTRY:.*]] = tensor.extract %[[LIST]][%[[I]]]
// CHECK:   %[[T:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// CHECK:   %[[FIRST:.*]] = arith.muli %[[T]], %c64
// CHECK:   %[[A:.*]] = arith.cmpi sge, %[[T]], %c0
// CHECK:   %[[B:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]]
// CHECK:   %[[EXISTS:.*]] = arith.andi %[[A]], %[[B]]
// CHECK:   arith.select %[[EXISTS]]
// CHECK: %[[FULL:.*]] = arith.index_cast %[[LISTED]] : index to i64
// CHECK: tensor.from_elements %[[FULL]], %c0_i64, %{{.*}} : tensor<3xi64>
func.func @list(%n: index, %l: tensor<4xi32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s = arith.constant dense<0.0> : tensor<1xf32>
  %r = attn.walk %n by 64 segments [#attn.segment<list, full>]
      bounds (%c0, %c4) lists (%l : tensor<4xi32>) init (%s : tensor<1xf32>) {
  ^bb0(%start: index, %valid: index, %masked: i1, %t: tensor<1xf32>):
    attn.yield %t : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}

// -----

// Nothing to visit: no key, or no attention. What others call stays.
// CHECK-LABEL: func.func @no_key(
// CHECK: arith.constant dense<0> : tensor<3xi64>
func.func @no_key(%q: tensor<1x1x8x16xf32>, %k: tensor<1x1x0x16xf32>)
    -> tensor<1x1x8x16xf32> {
  %out = attn.attention %q, %k, %k : tensor<1x1x8x16xf32>,
      tensor<1x1x0x16xf32>, tensor<1x1x0x16xf32> -> tensor<1x1x8x16xf32>
  return %out : tensor<1x1x8x16xf32>
}
// CHECK-LABEL: func.func @called(%{{.*}}: tensor<3xf32>) -> tensor<3xf32>
func.func @called(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
// CHECK-LABEL: func.func @other(%{{.*}}: tensor<3xf32>) -> tensor<3xi64>
// CHECK-NOT: call
func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = call @called(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
