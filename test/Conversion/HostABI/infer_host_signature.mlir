// RUN: attn-opt %s --attn-infer-host-signature | FileCheck %s

// Extents that attention asks to be equal share a symbol, between arguments and
// from arguments to results; names come from its operands.

// CHECK-LABEL: func.func @attention
// CHECK-SAME: attn.signature = {args = [
// CHECK-SAME:   {dims = ["B", 8, "Sq", 64], element = bf16, name = "q"},
// CHECK-SAME:   {dims = ["B", "Hkv", "Skv", 64], element = bf16, name = "k"},
// CHECK-SAME:   {dims = ["B", "Hkv", "Skv", 32], element = bf16, name = "v"},
// CHECK-SAME:   {dims = ["B", 8, "Sq", 32], element = bf16, name = "out", output},
// CHECK-SAME:   {dims = ["B", 8, "Sq"], element = f32, name = "lse", output}],
// CHECK-SAME: relations = [{kind = "multiple", lhs = array<i64: 0, 1>, rhs = array<i64: 1, 1>}],
// CHECK-SAME: symbol = "attention"}
func.func @attention(%q: tensor<?x8x?x64xbf16>, %k: tensor<?x?x?x64xbf16>,
                     %v: tensor<?x?x?x32xbf16>)
    -> (tensor<?x8x?x32xbf16>, tensor<?x8x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v
      : tensor<?x8x?x64xbf16>, tensor<?x?x?x64xbf16>, tensor<?x?x?x32xbf16>
      -> tensor<?x8x?x32xbf16>, tensor<?x8x?xf32>
  return %out, %lse : tensor<?x8x?x32xbf16>, tensor<?x8x?xf32>
}

// A constant on one side holds for all; a relation between constants is settled.

// CHECK-LABEL: func.func @constants
// CHECK-SAME: {dims = [2, 8, "Sq", 64], element = f32, name = "q"}
// CHECK-SAME: {dims = [2, 4, 100, 64], element = f32, name = "k"}
// CHECK-SAME: {dims = [2, 4, 100, 64], element = f32, name = "v"}
// CHECK-NOT: relations
func.func @constants(%q: tensor<?x8x?x64xf32>, %k: tensor<2x?x100x64xf32>,
                     %v: tensor<?x4x?x64xf32>) -> tensor<?x8x?x64xf32> {
  %out = attn.attention %q, %k, %v
      : tensor<?x8x?x64xf32>, tensor<2x?x100x64xf32>, tensor<?x4x?x64xf32>
      -> tensor<?x8x?x64xf32>
  return %out : tensor<?x8x?x64xf32>
}

// Packed operands: one entry of cu_seqlens more than of seqused.

// CHECK-LABEL: func.func @packed
// CHECK-SAME: {dims = ["total_q", 4, 64], element = f32, name = "q"}
// CHECK-SAME: {dims = ["total_kv", 4, 64], element = f32, name = "k"}
// CHECK-SAME: {dims = ["B_plus_1"], element = i32, name = "cu_seqlens_q"}
// CHECK-SAME: {dims = ["B_plus_1"], element = i32, name = "cu_seqlens_kv"}
// CHECK-SAME: {dims = ["B"], element = i32, name = "seqused_kv"}
// CHECK-SAME: {dims = ["total_q", 4, 64], element = f32, name = "out", output}
// CHECK-SAME: relations = [{kind = "offset", lhs = array<i64: 3, 0>, offset = 1 : i64, rhs = array<i64: 5, 0>}]
func.func @packed(%q: tensor<?x4x64xf32>, %k: tensor<?x4x64xf32>,
                  %v: tensor<?x4x64xf32>, %cu_q: tensor<?xi32>,
                  %cu_k: tensor<?xi32>, %used: tensor<?xi32>)
    -> tensor<?x4x64xf32> {
  %out = attn.attention %q, %k, %v
      cu_seqlens(%cu_q, %cu_k : tensor<?xi32>, tensor<?xi32>)
      seqused_kv(%used : tensor<?xi32>)
      : tensor<?x4x64xf32>, tensor<?x4x64xf32>, tensor<?x4x64xf32>
      -> tensor<?x4x64xf32>
  return %out : tensor<?x4x64xf32>
}

// What the user says: names and equal extents; scalars stay in their place.

// CHECK-LABEL: func.func @annotated
// CHECK-SAME: {dims = ["N", 8], element = f32, name = "left"}
// CHECK-SAME: {name = "arg1", scalar = index}
// CHECK-SAME: {dims = ["N"], element = i1, name = "left_1"}
// CHECK-SAME: {dims = ["arg3_dim0"], element = f64, name = "arg3"}
// CHECK-SAME: {dims = ["N"], element = f32, name = "out", output}
func.func @annotated(
    %a: tensor<?x?xf32> {attn.name = "left", attn.dims = ["N", 8]}, %n: index,
    %b: tensor<?xi1> {attn.name = "left", attn.dims = ["N"]}, %c: tensor<?xf64>)
    -> (tensor<?xf32> {attn.dims = ["N"]}) {
  %empty = tensor.empty(%n) : tensor<?xf32>
  return %empty : tensor<?xf32>
}

// Extents pass through casts, reshapes, tensor.dim and destinations.

// CHECK-LABEL: func.func @traced
// CHECK-SAME: {dims = ["arg0_dim0", 3, 4], element = f32, name = "arg0"}
// CHECK-SAME: {dims = ["arg0_dim0", 12], element = f32, name = "out", output}
func.func @traced(%a: tensor<?x?x4xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %cast = tensor.cast %a : tensor<?x?x4xf32> to tensor<?x3x4xf32>
  %flat = tensor.collapse_shape %cast [[0], [1, 2]]
      : tensor<?x3x4xf32> into tensor<?x12xf32>
  %n = tensor.dim %flat, %c0 : tensor<?x12xf32>
  %empty = tensor.empty(%n) : tensor<?x12xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x12xf32>)
      -> tensor<?x12xf32>
  return %fill : tensor<?x12xf32>
}

// Not called from C: private, or without tensors.

// CHECK-LABEL: func.func private @private
// CHECK-NOT: attn.signature
func.func private @private(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// CHECK-LABEL: func.func @scalars
// CHECK-NOT: attn.signature
func.func @scalars(%n: index) -> index {
  return %n : index
}

// Extents pass through what stands around attention: sizes that are another
// tensor's, loops of linalg, elementwise operations, what scf carries and chooses.

// CHECK-LABEL: func.func @around(
// CHECK-SAME:    {dims = ["B", 4, "Sq", 8], element = f32, name = "out", output}
func.func @around(%a: tensor<?x4x?x8xf32>, %k: tensor<?x4x?x8xf32>,
                  %flag: tensor<i1>) -> tensor<?x4x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b = tensor.dim %a, %c0 : tensor<?x4x?x8xf32>
  %s = tensor.dim %a, %c2 : tensor<?x4x?x8xf32>
  %slice = tensor.extract_slice %a[0, 0, 0, 0] [%b, 4, %s, 8] [1, 1, 1, 1]
      : tensor<?x4x?x8xf32> to tensor<?x4x?x8xf32>
  %twice = arith.addf %slice, %slice : tensor<?x4x?x8xf32>
  %e = tensor.empty(%s, %b) : tensor<?x?x4x8xf32>
  %turned = linalg.transpose ins(%twice : tensor<?x4x?x8xf32>)
      outs(%e : tensor<?x?x4x8xf32>) permutation = [2, 0, 1, 3]
  %f = tensor.empty(%b, %s) : tensor<?x4x?x8xf32>
  %q = linalg.transpose ins(%turned : tensor<?x?x4x8xf32>)
      outs(%f : tensor<?x4x?x8xf32>) permutation = [1, 2, 0, 3]
  %c = tensor.extract %flag[] : tensor<i1>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %q) -> tensor<?x4x?x8xf32> {
    %y = scf.if %c -> tensor<?x4x?x8xf32> {
      %z = attn.attention %x, %k, %k
          : tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32>
          -> tensor<?x4x?x8xf32>
      scf.yield %z : tensor<?x4x?x8xf32>
    } else {
      scf.yield %x : tensor<?x4x?x8xf32>
    }
    scf.yield %y : tensor<?x4x?x8xf32>
  }
  return %r : tensor<?x4x?x8xf32>
}

// Names that C does not take are made ones that it does.

// CHECK-LABEL: func.func @names(
// CHECK-SAME:    {dims = ["n_1"], element = f32, name = "int_"}
// CHECK-SAME:    {dims = ["n_1"], element = f32, name = "a_b"}
func.func @names(%a: tensor<?xf32> {attn.name = "int", attn.dims = ["n-1"]},
                 %b: tensor<?xf32> {attn.name = "a\00b", attn.dims = ["n-1"]}) {
  return
}
