// RUN: attn-run %s --check --threads=1 | FileCheck %s

// Booleans captured along queries and keys were once read as bits of a vector
// where they are bytes in memory.

// CHECK: passed
func.func @flags(%q: tensor<1x2x70x8xf32>, %k: tensor<1x2x70x8xf32>, %flags: tensor<70x70xi1>) -> tensor<1x2x70x8xf32> {
  %o = attn.attention %q, %k, %k
      score(%flags : tensor<70x70xi1>) score_maps [affine_map<(b, h, i, j) -> (i, j)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %flag: i1):
        %twice = arith.addf %s, %s : f32
        %chosen = arith.select %flag, %twice, %s : f32
        attn.yield %chosen : f32
      }
      : tensor<1x2x70x8xf32>, tensor<1x2x70x8xf32>, tensor<1x2x70x8xf32> -> tensor<1x2x70x8xf32>
  return %o : tensor<1x2x70x8xf32>
}
