// The examples of the pass's description and of docs/HostABI.md, word for word.

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

// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: {dims = ["B", "Hkv", "Skv", 128], element = bf16, name = "k"},
// CHECK-SAME: kind = "multiple"
func.func @prefill(%q: tensor<?x32x?x128xbf16>, %k: tensor<?x?x?x128xbf16>,
                   %v: tensor<?x?x?x128xbf16>) -> tensor<?x32x?x128xbf16> {
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<?x32x?x128xbf16>, tensor<?x?x?x128xbf16>,
        tensor<?x?x?x128xbf16> -> tensor<?x32x?x128xbf16>
  return %out : tensor<?x32x?x128xbf16>
}
