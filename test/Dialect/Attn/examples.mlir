// The examples of the operations' descriptions, word for word.

// RUN: attn-opt %s | attn-opt | FileCheck %s

// CHECK-LABEL: func @attention(
func.func @attention(%q: tensor<1x32x2048x128xbf16>,
                     %k: tensor<1x8x2048x128xbf16>,
                     %v: tensor<1x8x2048x128xbf16>) {
  // CHECK: attn.attention
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<1x32x2048x128xbf16>, tensor<1x8x2048x128xbf16>,
        tensor<1x8x2048x128xbf16> -> tensor<1x32x2048x128xbf16>
  return
}

// CHECK-LABEL: func @neutral(
func.func @neutral() {
  // CHECK: attn.neutral
  %m, %l, %acc = attn.neutral
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
  return
}

// CHECK-LABEL: func @partial(
func.func @partial(%q: tensor<1x8x4x64x64xf32>, %k: tensor<1x8x32x64xf32>,
                   %v: tensor<1x8x32x64xf32>, %m: tensor<1x8x4x64xf32>,
                   %l: tensor<1x8x4x64xf32>, %acc: tensor<1x8x4x64x64xf32>,
                   %b: index, %kv: index, %g: index, %p: index, %r: index) {
  %c4 = arith.constant 4 : index
  // CHECK: attn.partial
  %state:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
      origin [%b, %kv, %g, %p, %r] group_size %c4 mask (#attn.causal) scale 0.125
      maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
      : tensor<1x8x4x64x64xf32>, tensor<1x8x32x64xf32>, tensor<1x8x32x64xf32>
      -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x64xf32>
  return
}

// CHECK-LABEL: func @merge(
func.func @merge(%m0: tensor<1x8x4x64xf32>, %l0: tensor<1x8x4x64xf32>,
                 %acc0: tensor<1x8x4x64x128xf32>, %m1: tensor<1x8x4x64xf32>,
                 %l1: tensor<1x8x4x64xf32>, %acc1: tensor<1x8x4x64x128xf32>) {
  // CHECK: attn.merge
  %state:3 = attn.merge (%m0, %l0, %acc0), (%m1, %l1, %acc1)
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
  return
}

// CHECK-LABEL: func @finalize(
func.func @finalize(%m: tensor<1x8x4x64xf32>, %l: tensor<1x8x4x64xf32>,
                    %acc: tensor<1x8x4x64x128xf32>,
                    %o: tensor<1x8x4x64x128xbf16>, %s: tensor<1x8x4x64xf32>) {
  // CHECK: attn.finalize
  %out, %lse = attn.finalize (%m, %l, %acc) into (%o, %s : tensor<1x8x4x64xf32>)
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
      -> tensor<1x8x4x64x128xbf16>, tensor<1x8x4x64xf32>
  return
}

// CHECK-LABEL: func @walk(
func.func @walk(%extent: index, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : index
  // CHECK: attn.walk
  %sum = attn.walk %extent by 64
      segments [#attn.segment<range, full>, #attn.segment<range, partial>]
      bounds (%c0, %a, %a, %b) init (%zero : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %sum: index):
    %next = arith.addi %sum, %valid : index
    attn.yield %next : index
  }
  return
}

// CHECK-LABEL: func private @window()
func.func private @window() attributes {mask =
    // CHECK-SAME: #attn.or<#attn.window<left = 1023, right = 0>, #attn.window<left = 4096>>
    #attn.or<#attn.window<left = 1023, right = 0>, #attn.window<left = 4096>>
}
