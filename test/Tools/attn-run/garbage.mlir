// What a result may and may not depend on: a NaN at a visible key reaches the
// rows that see it and no other.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Sq=70,Skv=70 --check --plant=k:0x0x30x3=nan | FileCheck %s
// CHECK: out {{.*}} passed

// A V that is not finite may reach the rows of its sequence that do not see it,
// in its column, and reaches those that do.
// RUN: attn-run %s --shape=Sq=70,Skv=70 --check --plant=v:0x0x30x3=nan --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPREAD --input-file=%t.json
// SPREAD: "misplaced": 0
// SPREAD: "spread": {{[1-9]}}
// RUN: attn-run %s --shape=Sq=70,Skv=70 --check --plant=v:0x0x69x3=-inf | FileCheck %s
// RUN: attn-run %s --shape=Sq=70,Skv=140 --check --plant=v:0x0x5x3=inf | FileCheck %s

func.func @causal(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>,
                  %v: tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32> {
  %out = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>
      -> tensor<1x1x?x16xf32>
  return %out : tensor<1x1x?x16xf32>
}
