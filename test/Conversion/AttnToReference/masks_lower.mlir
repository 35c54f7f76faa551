// RUN: attn-opt %s --attn-lower-to-reference --split-input-file \
// RUN:   | FileCheck %s

// Each mask for one query and one key.

!t = tensor<1x1x4x8xf32>

// CHECK-LABEL: func.func @window(
// CHECK:         scf.for %[[R:[a-z0-9_]+]] = {{.*}} -> (index, f64)
// CHECK:           %[[BEHIND:[a-z0-9_]+]] = arith.subi %[[P:[a-z0-9_]+]], %[[R]]
// CHECK:           %[[LEFT:[a-z0-9_]+]] = arith.constant 5 : index
// CHECK:           %[[A:[a-z0-9_]+]] = arith.cmpi sle, %[[BEHIND]], %[[LEFT]]
// CHECK:           %[[AHEAD:[a-z0-9_]+]] = arith.subi %[[R]], %[[P]]
// CHECK:           %[[RIGHT:[a-z0-9_]+]] = arith.constant 2 : index
// CHECK:           %[[B:[a-z0-9_]+]] = arith.cmpi sle, %[[AHEAD]], %[[RIGHT]]
// CHECK:           %[[BOTH:[a-z0-9_]+]] = arith.andi %[[A]], %[[B]]
// CHECK:           scf.if %[[BOTH]]
func.func @window(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.window<left = 5, right = 2>)
      : !t, !t, !t -> !t
  return %out : !t
}

// -----

!t = tensor<1x1x4x8xf32>

// floor division, on positions that may be negative.

// CHECK-LABEL: func.func @chunked(
// CHECK:         scf.for
// CHECK:           arith.constant -1 : index
// CHECK:           arith.cmpi slt
// CHECK:           arith.select
// CHECK:           arith.divsi
// CHECK:           arith.select
// CHECK:           arith.cmpi eq
func.func @chunked(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.chunked<4>) alignment top_left
      : !t, !t, !t -> !t
  return %out : !t
}

// -----

!t = tensor<1x1x4x8xf32>

// CHECK-LABEL: func.func @prefix_or_causal(
// CHECK-SAME:    %[[TENSOR:[a-z0-9]+]]: tensor<1xi32>
// CHECK:         %[[N:[a-z0-9_]+]] = bufferization.to_buffer %[[TENSOR]]
// CHECK:         scf.parallel (%[[B:[a-z0-9_]+]], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) =
// CHECK:         scf.for %[[R:[a-z0-9_]+]] = {{.*}} -> (index, f64)
// CHECK:           %[[LOADED:[a-z0-9_]+]] = memref.load %[[N]]
// CHECK:           %[[LENGTH:[a-z0-9_]+]] = arith.index_cast %[[LOADED]]
// CHECK:           %[[PREFIX:[a-z0-9_]+]] = arith.cmpi slt, %[[R]], %[[LENGTH]]
// CHECK:           %[[CAUSAL:[a-z0-9_]+]] = arith.cmpi sle, %[[R]], %{{[a-z0-9_]+}}
// CHECK:           arith.ori %[[PREFIX]], %[[CAUSAL]]
func.func @prefix_or_causal(%q: !t, %k: !t, %v: !t, %n: tensor<1xi32>) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.or<#attn.prefix, #attn.causal>)
      prefix (%n : tensor<1xi32>) : !t, !t, !t -> !t
  return %out : !t
}
