// RUN: attn-run %s --check --threads=1 | FileCheck %s

// A right bound near the end of an index once wrapped around in `p + right`.

// CHECK: passed
func.func @far(%q: tensor<1x2x70x8xf32>, %k: tensor<1x2x90x8xf32>) -> tensor<1x2x70x8xf32> {
  %o = attn.attention %q, %k, %k mask(#attn.window<left = 5, right = 9223372036854775807>)
      : tensor<1x2x70x8xf32>, tensor<1x2x90x8xf32>, tensor<1x2x90x8xf32> -> tensor<1x2x70x8xf32>
  return %o : tensor<1x2x70x8xf32>
}
