// RUN: attn-opt %s --attn-bind-host-memory | FileCheck %s
// RUN: attn-opt %s --attn-bind-host-memory --attn-cpu-bufferize \
// RUN:   | FileCheck %s --check-prefix=BUFFER

#id = affine_map<(i, j) -> (i, j)>

// Arguments are read, results written; scalars stay; the unit stride is kept.

// CHECK-LABEL: func.func private @add_impl(
// CHECK-SAME:    %[[A:.*]]: memref<?x4xf32, strided<[?, 1]>>, %[[S:.*]]: f32,
// CHECK-SAME:    %[[B:.*]]: memref<f32, strided<[]>>,
// CHECK-SAME:    %[[OUT:.*]]: memref<?x4xf32, strided<[?, 1]>>)
// CHECK-SAME:    attn.signature = {{.*}}symbol = "add"
// CHECK-DAG:   %[[TA:.*]] = bufferization.to_tensor %[[A]] restrict
// CHECK-DAG:   %[[TB:.*]] = bufferization.to_tensor %[[B]] restrict
// CHECK:       %[[R:.*]] = linalg.generic {{.*}} ins(%[[TA]]
// CHECK:       bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
// CHECK-NEXT:  return

// Computed in the caller's memory.
// BUFFER-LABEL: func.func private @add_impl(
// BUFFER-SAME:    %[[OUT:[a-z0-9]*]]: memref<?x4xf32, strided<[?, 1]>>) attributes
// BUFFER-NOT:   memref.alloc
// BUFFER-NOT:   memref.copy
// BUFFER:       linalg.generic {{.*}} outs(%[[OUT]]
// BUFFER-NOT:   memref.copy
// BUFFER:       return
func.func @add(%a: tensor<?x4xf32>, %s: f32, %b: tensor<f32>)
    -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.extract %b[] : tensor<f32>
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    %1 = arith.addf %x, %s : f32
    %2 = arith.addf %1, %e : f32
    linalg.yield %2 : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A collapsed and cast result is written in the shape that it was computed in.

// CHECK-LABEL: func.func private @collapsed_impl(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<?x2x8xf32
// CHECK-SAME:    %[[OUT:[a-z0-9]*]]: memref<?x?xf32, strided<[?, 1]>>)
// CHECK:       %[[CAST:.*]] = memref.cast %[[OUT]] : {{.*}} to memref<?x8xf32, strided<[?, 1]>>
// CHECK:       %[[N:.*]] = tensor.dim
// CHECK:       %[[VIEW:.*]] = memref.expand_shape %[[CAST]] {{\[\[}}0, 1], [2]] output_shape [%[[N]], 2, 8]
// CHECK:       tensor.empty(%[[N]])
// CHECK-NOT:   tensor.collapse_shape
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %[[VIEW]]

// BUFFER-LABEL: func.func private @collapsed_impl(
// BUFFER-NOT:   memref.alloc
// BUFFER-NOT:   memref.copy
// BUFFER:       %[[VIEW:.*]] = memref.expand_shape
// BUFFER:       linalg.fill {{.*}} outs(%[[VIEW]]
// BUFFER-NOT:   memref.copy
// BUFFER:       return
func.func @collapsed(%a: tensor<?x2x8xf32> , %s: f32,
                     %rows: tensor<?xi8> {attn.dims = ["R"]})
    -> (tensor<?x?xf32> {attn.dims = ["R", 8]}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x2x8xf32>
  %empty = tensor.empty(%n) : tensor<?x2x8xf32>
  %0 = linalg.fill ins(%s : f32) outs(%empty : tensor<?x2x8xf32>)
      -> tensor<?x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]]
      : tensor<?x2x8xf32> into tensor<?x8xf32>
  %2 = tensor.cast %1 : tensor<?x8xf32> to tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// Heads that are split in the computation, in number unknown, and joined in the
// result: the memory is seen split instead, and nothing is allocated or copied.

// CHECK-LABEL: func.func private @heads_impl(
// CHECK-SAME:    %[[OUT:[a-z0-9]*]]: memref<?x?x8xf32, strided<[?, ?, 1]>>)
// CHECK:       %[[VIEW:.*]] = memref.expand_shape %[[OUT]] {{\[\[}}0], [1, 2], [3]] output_shape [%{{.*}}, %{{.*}}, %{{.*}}, 8]
// CHECK-SAME:    into memref<?x?x?x8xf32, strided<[?, ?, ?, 1]>>
// CHECK:       %[[R:.*]] = scf.forall
// CHECK:       bufferization.materialize_in_destination %[[R]] in restrict writable %[[VIEW]]

// BUFFER-LABEL: func.func private @heads_impl(
// BUFFER-NOT:   memref.alloc
// BUFFER-NOT:   memref.copy
// BUFFER:       linalg.fill {{.*}} outs(%{{.*}} : memref<8xf32, strided<[1], offset: ?>>)
// BUFFER-NOT:   memref.copy
// BUFFER:       return
func.func @heads(%like: tensor<?x?x8xf32> {attn.dims = ["b", "h", 8]},
                 %b: index, %hk: index, %g: index)
    -> (tensor<?x?x8xf32> {attn.dims = ["b", "h", 8]}) {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%b, %hk, %g) : tensor<?x?x?x8xf32>
  %r = scf.forall (%i, %j, %k) in (%b, %hk, %g) shared_outs(%o = %e) -> (tensor<?x?x?x8xf32>) {
    %s = tensor.extract_slice %o[%i, %j, %k, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<?x?x?x8xf32> to tensor<8xf32>
    %f = linalg.fill ins(%z : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i, %j, %k, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<8xf32> into tensor<?x?x?x8xf32>
    }
  }
  %c = tensor.collapse_shape %r [[0], [1, 2], [3]] : tensor<?x?x?x8xf32> into tensor<?x?x8xf32>
  return %c : tensor<?x?x8xf32>
}

// A reshape with another use stays for it.

// CHECK-LABEL: func.func private @kept_impl(
// CHECK:       %[[X:.*]] = linalg.fill
// CHECK:       tensor.collapse_shape %[[X]]
// CHECK:       bufferization.materialize_in_destination %[[X]] in restrict writable
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable
func.func @kept(%s: f32, %other: tensor<1xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %empty = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.fill ins(%s : f32) outs(%empty : tensor<2x2xf32>)
      -> tensor<2x2xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %2 = tensor.insert_slice %other into %1[0] [1] [1]
      : tensor<1xf32> into tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Private functions are left alone.

// CHECK-LABEL: func.func private @helper(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func private @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// What a condition gives is written in its branches, at its place; a value that
// is used elsewhere, too, is not.

// CHECK-LABEL: func.func private @chosen_impl(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<?x4x8xf32, {{[^%]*}}%[[N:[a-z0-9]*]]: i32,
// CHECK-SAME:    %[[OUT0:[a-z0-9]*]]: memref<?x32xf32, {{[^%]*}}%[[OUT1:[a-z0-9]*]]: memref<?x4x8xf32
// CHECK:       memref.expand_shape %[[OUT0]]
// CHECK:       scf.if %{{.*}} -> (tensor<?x4x8xf32>) {
// CHECK:         %[[R:.*]] = linalg.exp
// CHECK-NEXT:    bufferization.materialize_in_destination %[[R]] in restrict writable %{{.*}} :
// CHECK:         scf.yield %{{.*}} : tensor<?x4x8xf32>
// CHECK:       } else {
// CHECK:         scf.if %{{.*}} {
// CHECK:           bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK:         } else {
// CHECK:           bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK:         }
// CHECK:         scf.yield %{{.*}} : tensor<?x4x8xf32>
// CHECK:       }
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %[[OUT1]]
// CHECK-NEXT:  return

// BUFFER-LABEL: func.func private @chosen_impl(
// BUFFER:       scf.if
// BUFFER-NOT:   memref.copy
// BUFFER:       linalg.exp ins({{.*}}) outs(%[[VIEW:[^ ]*]] :
// BUFFER-NOT:   memref.copy
// BUFFER:       else
func.func @chosen(%a: tensor<?x4x8xf32>, %n: i32)
    -> (tensor<?x32xf32>, tensor<?x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %a, %c0 : tensor<?x4x8xf32>
  %to = tensor.empty(%rows) : tensor<?x4x8xf32>
  %zero = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  %0:2 = scf.if %c -> (tensor<?x32xf32>, tensor<?x4x8xf32>) {
    %1 = linalg.exp ins(%a : tensor<?x4x8xf32>) outs(%to : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
    %2 = tensor.collapse_shape %1 [[0], [1, 2]]
        : tensor<?x4x8xf32> into tensor<?x32xf32>
    scf.yield %2, %a : tensor<?x32xf32>, tensor<?x4x8xf32>
  } else {
    %empty = arith.cmpi eq, %rows, %c0 : index
    %1 = scf.if %empty -> tensor<?x32xf32> {
      %2 = tensor.collapse_shape %a [[0], [1, 2]]
          : tensor<?x4x8xf32> into tensor<?x32xf32>
      scf.yield %2 : tensor<?x32xf32>
    } else {
      %2 = linalg.tanh ins(%a : tensor<?x4x8xf32>) outs(%to : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
      %3 = tensor.collapse_shape %2 [[0], [1, 2]]
          : tensor<?x4x8xf32> into tensor<?x32xf32>
      scf.yield %3 : tensor<?x32xf32>
    }
    %4 = linalg.negf ins(%a : tensor<?x4x8xf32>) outs(%to : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
    scf.yield %1, %4 : tensor<?x32xf32>, tensor<?x4x8xf32>
  }
  %5 = linalg.abs ins(%0#1 : tensor<?x4x8xf32>) outs(%to : tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  return %0#0, %0#1 : tensor<?x32xf32>, tensor<?x4x8xf32>
}
