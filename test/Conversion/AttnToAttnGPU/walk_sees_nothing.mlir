// A walk whose segments evaluate the mask makes at least one step: one that would see
// no key visits a tile whose keys the mask hides, all of them. What follows counts on
// that step.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s

!t = tensor<?x2x?x64xbf16>

// The tile lies behind all keys. It belongs to the first segment that evaluates the
// mask, so that the mask is looked at.
// CHECK-LABEL: attn_gpu.kernel @causal_kernel(
// CHECK-SAME:    %[[KEYS:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: memref<?x2x?x64xbf16, strided<[?, ?, ?, 1]>>, %{{[a-z0-9]+}}: index
// CHECK:         attn_gpu.subtile
// CHECK-NEXT:    arith.subi
// CHECK-NEXT:    %[[MASKED:.*]] = arith.maxsi %{{.*}}, %c0 : index
// CHECK-NEXT:    %[[FULL:.*]] = arith.maxsi %{{.*}}, %c0 : index
// CHECK-NEXT:    %[[ALL:.*]] = arith.addi %[[MASKED]], %[[FULL]] : index
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpi eq, %[[ALL]], %c0 : index
// CHECK-NEXT:    %[[TILES:.*]] = arith.ceildivsi %[[KEYS]], %c128 : index
// CHECK-NEXT:    %[[HIDDEN:.*]] = arith.addi %[[TILES]], %c2 : index
// CHECK-NEXT:    %[[END:.*]] = arith.select %[[NONE]], %[[HIDDEN]], %{{.*}} : index
// CHECK-NEXT:    %[[STEPS:.*]] = arith.select %[[NONE]], %c1, %[[MASKED]] : index
// CHECK-NEXT:    %[[TOP:.*]] = arith.subi %[[END]], %c1 : index
// CHECK:         %[[TOTAL:[0-9]+]] = arith.addi %[[STEPS]], %[[FULL]] : index
// CHECK-NEXT:    %[[SOME:.*]] = arith.maxsi %[[TOTAL]], %c1 : index
// CHECK-NEXT:    scf.for %[[S:.*]] = %c0 to %[[SOME]] step %c1
// CHECK-NEXT:      %[[EVALUATES:.*]] = arith.cmpi slt, %[[S]], %[[STEPS]] : index
// CHECK-NEXT:      %[[FROM:.*]] = arith.select %[[EVALUATES]], %[[TOP]], %{{.*}} : index
// CHECK-NEXT:      %[[TILE:.*]] = arith.subi %[[FROM]], %[[S]] : index
// CHECK:           scf.if %[[EVALUATES]]
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}

// Of a window's three segments it is the last one, which comes first.
// CHECK-LABEL: attn_gpu.kernel @window_kernel(
// CHECK:         %[[NONE:.*]] = arith.cmpi eq, %{{.*}}, %c0 : index
// CHECK:         %[[STEPS:.*]] = arith.select %[[NONE]], %c1, %{{.*}} : index
// CHECK-NOT:     arith.select %[[NONE]]
// CHECK:         arith.maxsi %{{.*}}, %c1 : index
// CHECK-NEXT:    scf.for %[[S:.*]] = %c0 to
// CHECK:           arith.cmpi slt, %[[S]], %[[STEPS]] : index
func.func @window(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.window<left = 1000, right = 20>) : !t, !t, !t -> !t
  return %out : !t
}

// Without a mask, the keys that are missing in a ragged tile are one: no keys at all.
// CHECK-LABEL: attn_gpu.kernel @full_kernel(
// CHECK:         arith.maxsi %{{.*}}, %c1 : index
// CHECK-NEXT:    scf.for
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}

// Nothing is hidden: the steps are known, and no tile is needed.
!k = tensor<1x2x256x64xbf16>
// CHECK-LABEL: attn_gpu.kernel @known_kernel(
// CHECK-NOT:     arith.maxsi
// CHECK:         scf.for %{{.*}} = %c0 to %c2 step %c1
func.func @known(%q: !k, %k: !k, %v: !k) -> !k {
  %out = attn.attention %q, %k, %v : !k, !k, !k -> !k
  return %out : !k
}
