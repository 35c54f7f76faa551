// One case from the command line: table, report, files in and out.

// REQUIRES: attn-run
// RUN: attn-run %s --function=causal --shape=B=2,Sq=33,Skv=50 --check --report=%t.json --output=out=%t.npy | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: attn-run %s --function=identity --shape=x:2x4x33x32 --input=%t.npy --output=%t.copy.npy
// RUN: cmp %t.npy %t.copy.npy

// CHECK:      causal on cpu, seed 0
// CHECK-NEXT:   q    2x4x33x16  f32  dense
// CHECK-NEXT:   k    2x2x50x16  f32  dense
// CHECK-NEXT:   v    2x2x50x32  f32  dense
// CHECK-NEXT:   out  2x4x33x32  f32  dense
// CHECK-NEXT:   lse  2x4x33     f32  dense
// CHECK-NEXT:   tile-sizes query tile {{[0-9]+}}, key tile {{[0-9]+}}
// CHECK:        check  error     bound     plain
// CHECK-NEXT:   out    {{.*}}  passed
// CHECK-NEXT:   lse    {{.*}}  passed

// JSON:     "cases": [
// JSON:       "arguments": [
// JSON:           "name": "q",
// JSON-NEXT:      "role": "query",
// JSON:       "checked": true,
// JSON:       "choices": [
// JSON:           "name": "tile-sizes",
// JSON:       "extents": {
// JSON-NEXT:    "B": 2,
// JSON-NEXT:    "Skv": 50,
// JSON-NEXT:    "Sq": 33
// JSON:     "failed": 0,
// JSON:     "passed": 1,
func.func @causal(%q: tensor<?x4x?x16xf32>, %k: tensor<?x2x?x16xf32>,
                  %v: tensor<?x2x?x32xf32>)
    -> (tensor<?x4x?x32xf32>, tensor<?x4x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<?x4x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x32xf32>
      -> tensor<?x4x?x32xf32>, tensor<?x4x?xf32>
  return %out, %lse : tensor<?x4x?x32xf32>, tensor<?x4x?xf32>
}

func.func @identity(%x: tensor<2x4x33x32xf32>) -> tensor<2x4x33x32xf32> {
  return %x : tensor<2x4x33x32xf32>
}
