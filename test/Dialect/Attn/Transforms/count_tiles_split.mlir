// RUN: attn-opt %s --attn-decompose-attention --canonicalize \
// RUN:   --attn-split-keys=parts=3 --attn-tile="query-tile=64 key-tile=64" \
// RUN:   --attn-classify-blocks --attn-count-tiles --canonicalize --cse \
// RUN: | FileCheck %s

!q = tensor<1x4x?x16xf32>
!kv = tensor<1x2x?x16xf32>

// Split keys: the walks of every part; the merge of their states is dropped.
// CHECK-LABEL: func.func @split(
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c64
// CHECK-NOT: scf.for
// CHECK-NOT: attn.merge
// CHECK: tensor.from_elements
func.func @split(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !q, !kv, !kv -> !q
  return %out : !q
}
