// RUN: attn-opt %s -convert-attn-to-linalg -canonicalize -cse -split-input-file | FileCheck %s

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// Without a mask: scores transposed (keys x rows), no select, values as they
// are. In f32 blocks of 4 products are summed, each into the sum before it. The
// scale joins after the maximum, with log2(e): 0.25 * 1.442695 = 0.36067376.

// CHECK-LABEL: func @unmasked(
func.func @unmasked(%q: tensor<1x1x1x32x16xf32>, %k: tensor<1x1x64x16xf32>, %v: tensor<1x1x64x8xf32>,
                    %m: tensor<1x1x1x32xf32>, %l: tensor<1x1x1x32xf32>, %acc: tensor<1x1x1x32x8xf32>)
    -> (tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[SCALE:.*]] = arith.constant 0.36067{{[0-9]*}}
  // CHECK-DAG: %[[HALF:.*]] = arith.constant 0.18033{{[0-9]*}}
  // CHECK: %[[QT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16x32xf32>)
  // CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<64x32xf32>
  // CHECK: tensor.extract_slice %[[QT]][0, 0] [4, 32]
  // CHECK: %[[S0:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} : tensor<64x4xf32>, tensor<4x32xf32>) outs(%[[ZERO]]
  // CHECK: %[[S1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} : tensor<64x4xf32>, tensor<4x32xf32>) outs(%[[S0]]
  // CHECK: %[[S2:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} : tensor<64x4xf32>, tensor<4x32xf32>) outs(%[[S1]]
  // CHECK: %[[S3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} : tensor<64x4xf32>, tensor<4x32xf32>) outs(%[[S2]]
  // CHECK-NOT: linalg.index
  // CHECK: %[[M:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}} ins(%[[S3]]
  // CHECK: arith.maxnumf
  // CHECK: arith.mulf %{{.*}}, %[[HALF]]
  // CHECK: math.exp2
  // CHECK: arith.mulf %{{.*}}, %[[SCALE]]
  // CHECK: math.fma
  // CHECK-NEXT: math.exp2
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x32xf32>, tensor<64x8xf32>)
  %r:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %c0, %c0] group_size %c1 scale 0.25 maps [#q, #k, #v]
      : tensor<1x1x1x32x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x8xf32>
      -> tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
  return %r#0, %r#1, %r#2 : tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
}

// -----

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// With a mask and ragged keys: hidden scores become -inf, and value rows that no
// query sees become 0. Weights are rounded to bf16.

// CHECK-LABEL: func @masked(
// CHECK-SAME: %[[P:[a-z0-9]*]]: index, %[[R:[a-z0-9]*]]: index, %[[VALID:[a-z0-9]*]]: index)
func.func @masked(%q: tensor<1x1x1x32x16xbf16>, %k: tensor<1x1x64x16xbf16>, %v: tensor<1x1x64x8xbf16>,
                  %m: tensor<1x1x1x32xf32>, %l: tensor<1x1x1x32xf32>, %acc: tensor<1x1x1x32x8xf32>,
                  %p: index, %r: index, %valid: index)
    -> (tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: %[[J:.*]] = linalg.index 0
  // CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[J]], %[[VALID]]
  // CHECK: %[[KEY:.*]] = arith.addi {{.*}}%[[R]]
  // CHECK: %[[I:.*]] = linalg.index 1
  // CHECK: %[[QUERY:.*]] = arith.addi {{.*}}%[[P]]
  // CHECK: %[[CAUSAL:.*]] = arith.cmpi sle, %[[KEY]], %[[QUERY]]
  // CHECK: %[[SEEN:.*]] = arith.andi %[[EXISTS]], %[[CAUSAL]]
  // CHECK: arith.select %[[SEEN]], %{{.*}}, %[[INF]]
  // CHECK: arith.cmpf oeq, %{{.*}}, %[[INF]]
  // CHECK: arith.truncf {{.*}} : f32 to bf16
  // CHECK: arith.extf {{.*}} : bf16 to f32
  %s:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %p, %r] group_size %c1 valid %valid mask (#attn.causal) scale 0.25 maps [#q, #k, #v]
      : tensor<1x1x1x32x16xbf16>, tensor<1x1x64x16xbf16>, tensor<1x1x64x8xbf16>
      -> tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
  return %s#0, %s#1, %s#2 : tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
}

// -----

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// A score region works on scaled scores, and sees the flat head kv * G + g. A
// table that is captured whole is read inside its extents.

// CHECK-LABEL: func @score(
// CHECK-SAME: %[[KV:[a-z0-9]*]]: index, %[[G:[a-z0-9]*]]: index, %[[SIZE:[a-z0-9]*]]: index, %[[TABLE:.*]]: tensor<9xf32>)
func.func @score(%q: tensor<1x1x1x32x16xf32>, %k: tensor<1x1x64x16xf32>, %v: tensor<1x1x64x8xf32>,
                 %m: tensor<1x1x1x32xf32>, %l: tensor<1x1x1x32xf32>, %acc: tensor<1x1x1x32x8xf32>,
                 %kv: index, %g: index, %size: index, %table: tensor<9xf32>)
    -> tensor<1x1x1x32x8xf32> {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[LAST:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[BASE:.*]] = arith.muli %[[KV]], %[[SIZE]]
  // CHECK: %[[HEAD:.*]] = arith.addi %[[BASE]], %[[G]]
  // CHECK: %[[LOW:.*]] = arith.minsi %[[HEAD]], %[[LAST]]
  // CHECK: %[[AT:.*]] = arith.maxsi %[[LOW]], %[[C0]]
  // CHECK: tensor.extract %[[TABLE]][%[[AT]]]
  // CHECK: arith.mulf %{{.*}}, %[[LOG2E]]
  // CHECK: math.fma
  %s:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%c0, %kv, %g, %c0, %c0] group_size %size scale 0.25 maps [#q, #k, #v]
      score(%table : tensor<9xf32>) score_maps [affine_map<(b, h, g, i, j) -> ()>]
      score_region {
      ^bb0(%x: f32, %b: index, %h: index, %p: index, %r: index, %t: tensor<9xf32>):
        %y = tensor.extract %t[%h] : tensor<9xf32>
        %z = arith.addf %x, %y : f32
        attn.yield %z : f32
      }
      : tensor<1x1x1x32x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x8xf32>
      -> tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
  return %s#2 : tensor<1x1x1x32x8xf32>
}
