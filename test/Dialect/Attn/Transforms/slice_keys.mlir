// Keys that no query sees are left out, where there may be some.

// RUN: attn-opt %s --split-input-file --pass-pipeline='builtin.module(attn-decompose-attention,canonicalize,cse,attn-slice-keys,canonicalize,cse)' | FileCheck %s

!q = tensor<1x2x64x32xf32>
!k = tensor<1x1x100x32xf32>
// CHECK-LABEL: func @causal_top_left(
// CHECK-SAME:    %[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: 
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[K64:.*]] = tensor.extract_slice %[[K]][0, 0, 0, 0] [1, 1, 64, 32] [1, 1, 1, 1]
// CHECK-DAG:     %[[V64:.*]] = tensor.extract_slice %[[V]][0, 0, 0, 0] [1, 1, 64, 32] [1, 1, 1, 1]
// CHECK:         attn.partial %{{.*}}, %[[K64]], %[[V64]]
// CHECK-SAME:    origin[%[[C0]], %[[C0]], %[[C0]], %[[C0]], %[[C0]]]
func.func @causal_top_left(%q: !q, %k: !k, %v: !k) -> !q {
  %o = attn.attention %q, %k, %v mask(#attn.causal) alignment top_left : !q, !k, !k -> !q
  return %o : !q
}

// One slice for both. The first query is 10 behind the first key that is left.
// CHECK-LABEL: func @window(
// CHECK-SAME:    %[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: 
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C10:.*]] = arith.constant 10 : index
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %[[K]][0, 0, 26, 0] [1, 1, 74, 32] [1, 1, 1, 1]
// CHECK-NOT:     tensor.extract_slice
// CHECK:         attn.partial %{{.*}}, %[[SLICE]], %[[SLICE]]
// CHECK-SAME:    origin[%{{.*}}, %{{.*}}, %{{.*}}, %[[C10]], %[[C0]]]
func.func @window(%q: !q, %k: !k) -> !q {
  %o = attn.attention %q, %k, %k mask(#attn.window<left = 10, right = 5>) : !q, !k, !k -> !q
  return %o : !q
}

// Positions count where they are not looked at as distances.
// CHECK-LABEL: func @chunked(
// CHECK-DAG:     %[[C36:.*]] = arith.constant 36 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 32, 0] [1, 1, 68, 32] [1, 1, 1, 1]
// CHECK:         attn.partial
// CHECK-SAME:    origin[%{{.*}}, %{{.*}}, %{{.*}}, %[[C36]], %[[C32]]]
func.func @chunked(%q: !q, %k: !k) -> !q {
  %o = attn.attention %q, %k, %k mask(#attn.chunked<32>) : !q, !k, !k -> !q
  return %o : !q
}
// CHECK-LABEL: func @score(
// CHECK-SAME:    %[[BIAS:[^:,]*]]: tensor<100xf32>
// CHECK-DAG:     %[[C36:.*]] = arith.constant 36 : index
// CHECK-DAG:     %[[C26:.*]] = arith.constant 26 : index
// CHECK:         %[[LEFT:.*]] = tensor.extract_slice %[[BIAS]][26] [74] [1]
// CHECK:         attn.partial
// CHECK-SAME:    origin[%{{.*}}, %{{.*}}, %{{.*}}, %[[C36]], %[[C26]]]
// CHECK-SAME:    score(%[[LEFT]] : tensor<74xf32>)
func.func @score(%q: !q, %k: !k, %bias: tensor<100xf32>) -> !q {
  %o = attn.attention %q, %k, %k mask(#attn.window<left = 10, right = 5>)
      score(%bias : tensor<100xf32>) score_maps [affine_map<(b, h, i, j) -> (j)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        %i = arith.index_cast %r : index to i32
        %f = arith.sitofp %i : i32 to f32
        %t = arith.mulf %x, %f : f32
        %u = arith.addf %s, %t : f32
        attn.yield %u : f32
      } : !q, !k, !k -> !q
  return %o : !q
}

// CHECK-LABEL: func @whole(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         return
func.func @whole(%q: !q, %k: !k, %v: !k) -> (!q, !q, !q) {
  %0 = attn.attention %q, %k, %v : !q, !k, !k -> !q
  %1 = attn.attention %q, %k, %v mask(#attn.causal) : !q, !k, !k -> !q
  %2 = attn.attention %q, %k, %v mask(#attn.window<left = 36>) : !q, !k, !k -> !q
  return %0, %1, %2 : !q, !q, !q
}

// CHECK-LABEL: func @sees_nothing(
// CHECK-NOT:     tensor.extract_slice
// CHECK:         return
func.func @sees_nothing(%q: !q, %k: !k, %v: !k) -> !q {
  %o = attn.attention %q, %k, %v mask(#attn.and<#attn.prefix<8>, #attn.window<left = 10>>) : !q, !k, !k -> !q
  return %o : !q
}

// Ids are those of the keys that are left; what they hide is not looked at.
// CHECK-LABEL: func @documents(
// CHECK-SAME:    %[[IDS:[^:,]*]]: tensor<1x100xi32>
// CHECK:         %[[LEFT:.*]] = tensor.extract_slice %[[IDS]][0, 26] [1, 74] [1, 1]
// CHECK:         attn.partial
// CHECK-SAME:    documents(%{{.*}}, %[[LEFT]] : tensor<1x64xi32>, tensor<1x74xi32>)
func.func @documents(%q: !q, %k: !k, %v: !k, %p: tensor<1x64xi32>, %r: tensor<1x100xi32>) -> !q {
  %o = attn.attention %q, %k, %v mask(#attn.and<#attn.documents, #attn.window<left = 10>>)
      documents(%p, %r : tensor<1x64xi32>, tensor<1x100xi32>) : !q, !k, !k -> !q
  return %o : !q
}

// -----

// Lengths that only a call knows: nothing where all keys are in the run whatever
// they are, in bounds where not.
!t = tensor<1x1x?x32xf32>
// CHECK-LABEL: func @whole(
// CHECK-NOT:     tensor.extract_slice
// CHECK-NOT:     arith.minsi
// CHECK:         return
func.func @whole(%q: !t, %k: !t, %v: !t) -> (!t, !t, !t, !t) {
  %0 = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %1 = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  %2 = attn.attention %q, %k, %v mask(#attn.or<#attn.prefix<9>, #attn.causal>) : !t, !t, !t -> !t
  %3 = attn.attention %q, %k, %v mask(#attn.window<right = 3>) : !t, !t, !t -> !t
  return %0, %1, %2, %3 : !t, !t, !t, !t
}

// CHECK-LABEL: func @causal_top_left(
// CHECK-SAME:    %[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: 
// CHECK-DAG:     %[[SQ:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG:     %[[SKV:.*]] = tensor.dim %[[K]], %c2
// CHECK:         %[[END:.*]] = arith.minsi %[[SQ]], %[[SKV]]
// CHECK:         tensor.extract_slice %[[K]][0, 0, 0, 0] [1, 1, %[[END]], 32] [1, 1, 1, 1]
// CHECK:         tensor.extract_slice %[[V]][0, 0, 0, 0] [1, 1, %[[END]], 32] [1, 1, 1, 1]
func.func @causal_top_left(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.causal) alignment top_left : !t, !t, !t -> !t
  return %o : !t
}

// CHECK-LABEL: func @sliding(
// CHECK-SAME:    %[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: 
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[FIRST:.*]] = affine.apply
// CHECK:         %[[BEGIN:.*]] = arith.minsi
// CHECK:         %[[LEFT:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:         tensor.extract_slice %[[K]][0, 0, %[[BEGIN]], 0] [1, 1, %[[LEFT]], 32] [1, 1, 1, 1]
// CHECK:         %[[NEAR:.*]] = arith.subi %[[FIRST]], %[[BEGIN]]
// CHECK:         attn.partial
// CHECK-SAME:    origin[%{{.*}}, %{{.*}}, %{{.*}}, %[[NEAR]], %[[C0]]]
func.func @sliding(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.window<left = 99, right = 0>) : !t, !t, !t -> !t
  return %o : !t
}
