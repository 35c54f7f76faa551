// A file after every pass, numbered, for each program that is compiled.

// REQUIRES: attn-run
// RUN: rm -rf %t
// RUN: attn-run %s --shape=Sq=8,Skv=8 --check --time --seconds=0 --dump-dir=%t | FileCheck %s --check-prefix=TIME
// RUN: ls %t/f/compiled %t/f/reference %t/f/plain %t/f/visible-keys %t/f/tile-count | FileCheck %s
// RUN: FileCheck %s --check-prefix=INPUT --input-file=%t/f/compiled/000-input.mlir

// CHECK: compiled:
// CHECK: 000-input.mlir
// CHECK: {{[0-9]+}}-attn-infer-host-signature.mlir
// CHECK: {{[0-9]+}}-attn-tile.mlir
// CHECK: {{[0-9]+}}-one-shot-bufferize.mlir
// CHECK: {{[0-9]+}}-object.o
// CHECK: plain:
// CHECK: reference:
// CHECK: tile-count:
// CHECK: visible-keys:

// INPUT: func.func @f(
// INPUT: attn.attention

// 36 pairs: 8 rows of a causal mask.
// TIME: tiles visited 1 of 1
// TIME: time: {{.*}} ms (median of 3), {{.*}} GFLOP/s over 36 visible pairs
func.func @f(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>,
             %v: tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32> {
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>
      -> tensor<1x1x?x16xf32>
  return %out : tensor<1x1x?x16xf32>
}
