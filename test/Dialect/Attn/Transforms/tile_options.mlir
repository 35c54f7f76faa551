// RUN: attn-opt %s -attn-decompose-attention -attn-tile --remarks-filter=attn-tile --remark-policy=all --mlir-print-ir-after-failure 2>&1 >/dev/null | FileCheck %s
// RUN: not attn-opt %s -attn-decompose-attention -attn-tile=query-tile=-1 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: attn-tile: option 'query-tile' expected 0 to 1024, got -1; the nearest is 0

// Few queries get a small tile, and the choice is reported at the operation.
func.func @decode(%q: tensor<1x2x1x16xf32>, %k: tensor<1x2x64x16xf32>) -> tensor<1x2x1x16xf32> {
  // CHECK: tile_options.mlir:[[#@LINE+1]]{{.*}}query tile 1, key tile 64{{.*}}few queries
  %o = attn.attention %q, %k, %k
      : tensor<1x2x1x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32> -> tensor<1x2x1x16xf32>
  return %o : tensor<1x2x1x16xf32>
}
