// Stock mlir-opt, which knows nothing of attn, with the plugin: parses and prints
// the dialect, canonicalizes by its patterns, runs its passes. Either option
// brings both dialect and passes; both together register them once.

// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s --verify-roundtrip --canonicalize | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(attn-decompose-attention))' | FileCheck %s --check-prefix=PASS
// RUN: mlir-opt --load-dialect-plugin=%attn_plugin --load-pass-plugin=%attn_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(attn-decompose-attention))' | FileCheck %s --check-prefix=PASS
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: Dialect `attn' not found

// CHECK-LABEL: func @attention(
// PASS-LABEL: func @attention(
func.func @attention(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x8x16xf32>)
    -> tensor<1x2x8x16xf32> {
  // CHECK: attn.attention %{{.*}} mask(#attn.causal)
  // PASS-NOT: attn.attention
  // PASS: attn.neutral
  // PASS: attn.partial
  // PASS: attn.finalize
  %out = attn.attention %q, %k, %k mask (#attn.causal)
      : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>
      -> tensor<1x2x8x16xf32>
  return %out : tensor<1x2x8x16xf32>
}

// CHECK-LABEL: func @folds(
func.func @folds(%m: tensor<4xf32>, %acc: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK-NOT: attn.merge
  %m0, %l0, %acc0 = attn.neutral : tensor<4xf32>, tensor<4x8xf32>
  %s:3 = attn.merge (%m, %m, %acc), (%m0, %l0, %acc0)
      : tensor<4xf32>, tensor<4x8xf32>
  return %s#0 : tensor<4xf32>
}
