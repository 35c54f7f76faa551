// RUN: attn-opt %s --attn-decompose-attention --canonicalize \
// RUN:   --attn-tile="query-tile=64 key-tile=64" --attn-fuse-online-softmax \
// RUN:   --attn-classify-blocks --canonicalize --split-input-file \
// RUN: | FileCheck %s
// RUN: attn-opt %s --attn-decompose-attention --canonicalize \
// RUN:   --attn-tile="query-tile=64 key-tile=64" --attn-classify-blocks \
// RUN:   --split-input-file --remarks-filter=attn-classify-blocks -o %t 2>&1 \
// RUN: | FileCheck %s --check-prefix=REMARK

// Mask regions, on the query tile of rows 960 to 999 and 1000 keys.

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// Blocks of 100 keys, causal between blocks: keys up to 999 for all rows.
// REMARK: remark: [Passed] segments | Category:attn-classify-blocks | Remark="full, partial: between the mask's bounds, in order"
// CHECK-LABEL: @block_causal
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>] bounds(%c0, %c15, %c15, %c16)
func.func @block_causal(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.region)
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %c100 = arith.constant 100 : index
        %i = arith.floordivsi %p, %c100 : index
        %j = arith.floordivsi %r, %c100 : index
        %seen = arith.cmpi sle, %j, %i : index
        attn.yield %seen : i1
      } : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>

// What is not understood hides nothing, and only there: the window still does.
// REMARK: remark: [Passed] segments | Category:attn-classify-blocks | Remark="partial: between the mask's bounds, in order"
// REMARK: remark: [Missed] opaque | Category:attn-classify-blocks | Remark="not understood, taken to hide no tile: math.isnan"
// CHECK-LABEL: @window_and_opaque
// CHECK: segments [#attn.segment<range, partial>] bounds(%c11, %c16)
func.func @window_and_opaque(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v
      mask (#attn.and<#attn.window<left = 200>, #attn.region>)
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %i = arith.index_cast %r : index to i32
        %x = arith.sitofp %i : i32 to f32
        %seen = math.isnan %x : f32
        attn.yield %seen : i1
      } : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<2x4x40x16xf32>
!kv = tensor<2x2x1000x16xf32>
!n = tensor<2xi32>

// A length per batch and a bound per head: one number each for a tile, read
// before the walk. The head is kv_head * group_size + group.
// CHECK-LABEL: @captured_lengths
// CHECK: scf.forall (%[[B:[^,]*]], %[[H:[^,]*]], %[[G:[^,]*]], %{{.*}}) =
// CHECK-DAG: tensor.extract %{{.*}} : tensor<1xi32>
// CHECK-DAG: tensor.extract %{{.*}} : tensor<1x1xi32>
// CHECK-DAG: %[[SCALED:.*]] = arith.muli %[[H]], %c2
// CHECK-DAG: arith.addi %[[SCALED]], %[[G]]
// CHECK: attn.walk {{.*}} segments [#attn.segment<range, partial>, #attn.segment<range, full>, #attn.segment<range, partial>]
func.func @captured_lengths(%q: !q, %k: !kv, %v: !kv, %n: !n,
                            %lefts: tensor<4xi32>) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.region)
      visible (%n, %lefts : !n, tensor<4xi32>)
      visible_maps [affine_map<(b, h, i, j) -> (b)>,
                    affine_map<(b, h, i, j) -> (h)>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %len: i32, %left: i32):
        %c10 = arith.constant 10 : index
        %end = arith.index_cast %len : i32 to index
        %w = arith.index_cast %left : i32 to index
        %head = arith.muli %h, %c10 : index
        %w2 = arith.addi %w, %head : index
        %begin = arith.subi %p, %w2 : index
        %inside = arith.cmpi slt, %r, %end : index
        %near = arith.cmpi sge, %r, %begin : index
        %seen = arith.andi %inside, %near : i1
        attn.yield %seen : i1
      } : !q, !kv, !kv -> !q
  return %out : !q
}

// -----

!q = tensor<1x1x40x16xf32>
!kv = tensor<1x1x1000x16xf32>
!n = tensor<1xi64>

// A wide integer need not be a position: not looked at.
// REMARK: remark: [Missed] opaque | Category:attn-classify-blocks | Remark="not understood, taken to hide no tile: arith.cmpi"
// CHECK-LABEL: @wide_capture
// CHECK: segments [#attn.segment<range, partial>] bounds(%c0, %c16)
func.func @wide_capture(%q: !q, %k: !kv, %v: !kv, %n: !n) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.region)
      visible (%n : !n)
      visible_maps [affine_map<(b, h, i, j) -> (b)>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %len: i64):
        %end = arith.index_cast %len : i64 to index
        %seen = arith.cmpi slt, %r, %end : index
        attn.yield %seen : i1
      } : !q, !kv, !kv -> !q
  return %out : !q
}
