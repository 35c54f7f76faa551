// RUN: attn-opt %s --attn-lower-to-reference | FileCheck %s

// What stands around attention: scalars, extents and elements of arguments,
// casts, attributes, results that nobody reads, functions without attention.

// CHECK-LABEL: func.func @around(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: memref<1x2x8x16xf32, strided<[?, ?, ?, 1], offset: ?>> {attn.name = "queries"}
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK-SAME:    %[[C:[a-z0-9]+]]: memref<f32, strided<[], offset: ?>>
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: memref<1x2x?x16xf64, strided<[?, ?, ?, 1], offset: ?>> {attn.name = "out"})
// CHECK-SAME:    -> (index {attn.name = "sum"}, f32)
// CHECK:         memref.cast %[[Q]] : {{.*}} to memref<?x2x?x16xf32, strided<[?, ?, ?, 1], offset: ?>>
// CHECK:         %[[DIM:[a-z0-9_]+]] = memref.dim
// CHECK:         %[[SUM:[a-z0-9_]+]] = arith.addi %[[DIM]], %[[N]]
// CHECK:         %[[ELEMENT:[a-z0-9_]+]] = memref.load %[[C]][]
// CHECK:         scf.parallel
// CHECK-NOT:     math.log
// CHECK:         return %[[SUM]], %[[ELEMENT]] : index, f32
func.func @around(%q: tensor<1x2x8x16xf32> {attn.name = "queries"},
                  %k: tensor<?x2x?x16xf32>, %v: tensor<?x2x?x16xf32>,
                  %n: index, %c: tensor<f32>)
    -> (index {attn.name = "sum"}, tensor<1x2x?x16xf32> {attn.name = "out"},
        f32) {
  %c2 = arith.constant 2 : index
  %cast = tensor.cast %q : tensor<1x2x8x16xf32> to tensor<?x2x?x16xf32>
  %dim = tensor.dim %k, %c2 : tensor<?x2x?x16xf32>
  %sum = arith.addi %dim, %n : index
  %element = tensor.extract %c[] : tensor<f32>
  %out, %lse = attn.attention %cast, %k, %v
      : tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>
      -> tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
  %result = tensor.cast %out : tensor<?x2x?x16xf32> to tensor<1x2x?x16xf32>
  return %sum, %result, %element : index, tensor<1x2x?x16xf32>, f32
}

// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: math.log
func.func @two(%q: tensor<1x1x1x4xf32>, %k: tensor<1x1x1x4xf32>)
    -> (tensor<1x1x1xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1xf32>) {
  %o, %l = attn.attention %q, %k, %k
      : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1xf32>
  %o2, %l2 = attn.attention %k, %q, %q
      : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>
      -> tensor<1x1x1x4xf32>, tensor<1x1x1xf32>
  return %l2, %o, %l : tensor<1x1x1xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1xf32>
}

// CHECK-LABEL: func.func @without(
// CHECK-SAME:    tensor<4xf32>) -> tensor<4xf32>
func.func @without(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
