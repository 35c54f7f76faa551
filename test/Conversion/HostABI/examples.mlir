// The example of the pass's description, word for word.

// RUN: attn-opt %s --attn-infer-host-signature | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: attn.signature = {args = [
// CHECK-SAME:   {dims = ["B", 8, "Sq", 64], element = f32, name = "q"},
// CHECK-SAME:   {dims = ["B", 2, "Skv", 64], element = f32, name = "k"},
// CHECK-SAME:   {dims = ["B", 2, "Skv", 64], element = f32, name = "v"},
// CHECK-SAME:   {dims = ["B", 8, "Sq", 64], element = f32, name = "out", output}]
// CHECK-SAME: symbol = "f"
func.func @f(%q: tensor<?x8x?x64xf32>, %k: tensor<?x2x?x64xf32>,
             %v: tensor<?x2x?x64xf32>) -> tensor<?x8x?x64xf32> {
  %out = attn.attention %q, %k, %v
      : tensor<?x8x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x2x?x64xf32>
      -> tensor<?x8x?x64xf32>
  return %out : tensor<?x8x?x64xf32>
}
