// --check passed where there was nothing to check.

// REQUIRES: attn-run
// RUN: not attn-run %s --check 2>&1 | FileCheck %s
// RUN: attn-run %s
// RUN: echo '[]' > %t.json
// RUN: not attn-run %s --check --cases=%t.json 2>&1 | FileCheck %s --check-prefix=CASES
// CHECK: attn-run: error: function 'f' has no results, expected at least one to check
// CASES: attn-run: error: {{.*}}.json: expected at least one case, got none

func.func @f(%x: tensor<4xf32>) {
  return
}
