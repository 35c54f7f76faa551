// Casts of operands to less static types are looked through; MLIR's own pattern
// ended the compiler at an operation whose regions have no block.
// RUN: attn-opt %s --attn-decompose-attention --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @query
// CHECK-NOT:     tensor.cast
// CHECK:         attn.partial {{.*}}tensor<1x1x1x8x8xf32>, tensor<1x1x?x8xf32>
// CHECK:         tensor.cast %{{.*}} : tensor<1x1x8x8xf32> to tensor<1x1x?x8xf32>
func.func @query(%q: tensor<1x1x8x8xf32>, %k: tensor<1x1x?x8xf32>, %v: tensor<1x1x?x8xf32>) -> tensor<1x1x?x8xf32> {
  %a = tensor.cast %q : tensor<1x1x8x8xf32> to tensor<1x1x?x8xf32>
  %o = attn.attention %a, %k, %v : tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32> -> tensor<1x1x?x8xf32>
  return %o : tensor<1x1x?x8xf32>
}

// CHECK-LABEL: func.func @keys
// CHECK-NOT:     tensor.cast
// CHECK:         attn.partial {{.*}} score_region
// CHECK:         } : tensor<1x1x1x?x8xf32>, tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
func.func @keys(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x16x8xf32>, %v: tensor<1x1x16x8xf32>) -> tensor<1x1x?x8xf32> {
  %a = tensor.cast %k : tensor<1x1x16x8xf32> to tensor<1x1x?x8xf32>
  %b = tensor.cast %v : tensor<1x1x16x8xf32> to tensor<1x1x?x8xf32>
  %o = attn.attention %q, %a, %b score_region {
  ^bb0(%s: f32, %i0: index, %h: index, %i: index, %j: index):
    %t = math.tanh %s : f32
    attn.yield %t : f32
  } : tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32> -> tensor<1x1x?x8xf32>
  return %o : tensor<1x1x?x8xf32>
}
