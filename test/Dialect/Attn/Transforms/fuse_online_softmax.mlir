// RUN: attn-opt %s -attn-decompose-attention -canonicalize -attn-tile="query-tile=32 key-tile=16" -attn-fuse-online-softmax -canonicalize -cse -split-input-file | FileCheck %s

// The state lives in the tile; the loop's results are the outputs.

// CHECK-LABEL: func @fused(
func.func @fused(%q: tensor<2x6x100x16xbf16>, %k: tensor<2x2x120x16xbf16>, %v: tensor<2x2x120x8xbf16>,
                 %sinks: tensor<6xf32>) -> (tensor<2x6x100x8xbf16>, tensor<2x6x100xf32>) {
  // CHECK-NOT: attn.neutral
  // CHECK: scf.forall {{.*}} shared_outs(%[[O:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (tensor<2x2x3x100x8xbf16>, tensor<2x2x3x100xf32>)
  // CHECK: %[[M:.*]], %[[L:.*]], %[[ACC:.*]] = attn.neutral : tensor<1x1x1x32xf32>, tensor<1x1x1x32x8xf32>
  // CHECK: %[[STATE:.*]]:3 = attn.walk {{.*}} init(%[[M]], %[[L]], %[[ACC]]
  // CHECK: %[[SINK:.*]] = tensor.extract_slice %{{.*}} [1, 1] [1, 1] : tensor<2x3xf32> to tensor<1x1xf32>
  // CHECK: attn.finalize(%[[STATE]]#0, %[[STATE]]#1, %[[STATE]]#2) into
  // CHECK-SAME: sinks(%[[SINK]] : tensor<1x1xf32>)
  // CHECK: scf.forall.in_parallel
  // CHECK: tensor.parallel_insert_slice {{.*}} into %[[O]]
  // CHECK: tensor.parallel_insert_slice {{.*}} into %[[S]]
  // CHECK-NOT: attn.finalize
  %o, %l = attn.attention %q, %k, %v mask(#attn.causal) sinks(%sinks : tensor<6xf32>)
      : tensor<2x6x100x16xbf16>, tensor<2x2x120x16xbf16>, tensor<2x2x120x8xbf16>
      -> tensor<2x6x100x8xbf16>, tensor<2x6x100xf32>
  return %o, %l : tensor<2x6x100x8xbf16>, tensor<2x6x100xf32>
}

// -----

// A state that does not start neutral stays in memory.

// CHECK-LABEL: func @continued(
func.func @continued(%q: tensor<1x1x1x64x16xf32>, %k: tensor<1x1x64x16xf32>, %m: tensor<1x1x1x64xf32>,
                     %l: tensor<1x1x1x64xf32>, %acc: tensor<1x1x1x64x16xf32>, %o: tensor<1x1x1x64x16xf32>) -> tensor<1x1x1x64x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.forall {{.*}} -> (tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64x16xf32>)
  // CHECK: attn.finalize
  %s:3 = attn.partial %q, %k, %k into (%m, %l, %acc)
      origin [%c0, %c0, %c0, %c0, %c0] group_size %c1 scale 0.25
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>
      -> tensor<1x1x1x64xf32>, tensor<1x1x1x64x16xf32>
  %out = attn.finalize (%s#0, %s#1, %s#2) into (%o)
      : tensor<1x1x1x64xf32>, tensor<1x1x1x64x16xf32> -> tensor<1x1x1x64x16xf32>
  return %out : tensor<1x1x1x64x16xf32>
}
