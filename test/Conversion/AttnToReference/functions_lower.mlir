// RUN: attn-opt %s --attn-lower-to-reference | FileCheck %s

// What stands around attention stays; of results, those that are floats become
// f64: what attention computed as it is, through casts, anything else widened.

// CHECK-LABEL: func.func @around(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x2x8x16xf32> {attn.name = "queries"}
// CHECK-SAME:    -> (index {attn.name = "sum"}, tensor<1x2x?x16xf64> {attn.name = "out"}, f32)
// CHECK:         %[[CAST:[a-z0-9_]+]] = tensor.cast %[[Q]]
// CHECK:         bufferization.to_buffer %[[CAST]] read_only
// CHECK:         %[[OUT:[a-z0-9_]+]] = memref.alloc({{.*}}) : memref<?x2x?x16xf64>
// CHECK:         scf.parallel
// CHECK-NOT:     math.log
// CHECK:         %[[EXACT:[a-z0-9_]+]] = bufferization.to_tensor %[[OUT]]
// CHECK:         %[[RESULT:[a-z0-9_]+]] = tensor.cast %[[EXACT]] : tensor<?x2x?x16xf64> to tensor<1x2x?x16xf64>
// CHECK:         return %{{.*}}, %[[RESULT]], %{{.*}} : index, tensor<1x2x?x16xf64>, f32
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

// What another operation reads is rounded to the user's type, as there.

// CHECK-LABEL: func.func @chained(
// CHECK-SAME:    -> (tensor<1x1x1x4xf64>, tensor<1x1x1x4xf64>)
// CHECK:         %[[FIRST:[a-z0-9_]+]] = memref.alloc() : memref<1x1x1x4xf64>
// CHECK:         %[[EXACT:[a-z0-9_]+]] = bufferization.to_tensor %[[FIRST]]
// CHECK:         %[[ROUNDED:[a-z0-9_]+]] = memref.alloc() : memref<1x1x1x4xbf16>
// CHECK:           arith.truncf %{{.*}} : f64 to f32
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         %[[NEXT:[a-z0-9_]+]] = bufferization.to_tensor %[[ROUNDED]]
// CHECK:         bufferization.to_buffer %[[NEXT]] read_only
// CHECK:         return %{{.*}}, %[[EXACT]]
func.func @chained(%q: tensor<1x1x1x4xbf16>, %k: tensor<1x1x1x4xbf16>)
    -> (tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>) {
  %x = attn.attention %q, %k, %k
      : tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>
      -> tensor<1x1x1x4xbf16>
  %y = attn.attention %x, %k, %k
      : tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>
      -> tensor<1x1x1x4xbf16>
  return %y, %x : tensor<1x1x1x4xbf16>, tensor<1x1x1x4xbf16>
}

// CHECK-LABEL: func.func @nested(
// CHECK:         scf.if
// CHECK:           scf.parallel
// CHECK:           scf.yield %{{.*}} : tensor<1x1x1x4xf32>
func.func @nested(%q: tensor<1x1x1x4xf32>, %c: i1) -> tensor<1x1x1x4xf32> {
  %x = scf.if %c -> (tensor<1x1x1x4xf32>) {
    %y = attn.attention %q, %q, %q
        : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>
        -> tensor<1x1x1x4xf32>
    scf.yield %y : tensor<1x1x1x4xf32>
  } else {
    scf.yield %q : tensor<1x1x1x4xf32>
  }
  return %x : tensor<1x1x1x4xf32>
}

// CHECK-LABEL: func.func @without(
// CHECK-SAME:    -> (tensor<4xf64>, tensor<4xi32>, tensor<f64>)
// CHECK:         arith.extf
func.func @without(%x: tensor<4xf32>, %n: tensor<4xi32>, %s: tensor<f16>)
    -> (tensor<4xf32>, tensor<4xi32>, tensor<f16>) {
  return %x, %n, %s : tensor<4xf32>, tensor<4xi32>, tensor<f16>
}
