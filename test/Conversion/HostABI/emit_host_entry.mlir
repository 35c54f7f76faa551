// RUN: attn-opt %s --attn-emit-host-entry="cpu=x86-64-v2" | FileCheck %s
// RUN: attn-opt %s --attn-emit-host-entry="cpu=x86-64-v2" --attn-cpu-to-llvm \
// RUN:   | FileCheck %s --check-prefix=LLVM

// The description, as constants that mirror attn-rt/Arguments.h.

// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_name("f\00")
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_name_a("a\00")
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_dims_a(dense<[-1, 4]> : tensor<2xi64>) {{.*}} : !llvm.array<2 x i64>
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_dims_out(dense<-2> : tensor<1xi64>)
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_arguments() {{.*}} : !llvm.array<2 x struct<(ptr, ptr, i32, i8, i8, i16)>>
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_symbols() {{.*}} : !llvm.array<2 x ptr>
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_constraints(dense<[1, 1, 0, 0, 0, 3]> : tensor<6xi32>)
// CHECK-DAG: llvm.mlir.global internal constant @__attn_f_function() {{.*}} : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr, ptr, i64)>

// The entry: describe, check, then load memrefs and call.

// CHECK-LABEL: llvm.func @f(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[S:.*]]: f32, %[[OUT:.*]]: !llvm.ptr) -> i32
// CHECK-SAME:    attn.signature = {{.*}}cpu_features = ["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf"]
// CHECK:       %[[TENSORS:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x ptr>
// CHECK:       %[[DESCRIPTORS:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x ptr>
// CHECK:       %[[DA:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK:       %[[DOUT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       %[[FN:.*]] = llvm.mlir.addressof @__attn_f_function
// CHECK:       %[[STATUS:.*]] = llvm.call @attn_rt_bind_arguments(%[[FN]], %[[TENSORS]], %[[DESCRIPTORS]])
// CHECK:       %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]], %{{.*}}
// CHECK:       llvm.cond_br %[[OK]], ^[[CALL:.*]], ^[[REFUSE:.*]]
// CHECK:     ^[[CALL]]:
// CHECK:       %[[LA:.*]] = llvm.load %[[DA]]
// CHECK:       %[[MA:.*]] = builtin.unrealized_conversion_cast %[[LA]] : {{.*}} to memref<?x4xf32, strided<[?, 1]>>
// CHECK:       %[[IN:.*]] = builtin.unrealized_conversion_cast %[[N]] : i64 to index
// CHECK:       %[[LOUT:.*]] = llvm.load %[[DOUT]]
// CHECK:       %[[MOUT:.*]] = builtin.unrealized_conversion_cast %[[LOUT]]
// CHECK:       call @f_impl(%[[MA]], %[[IN]], %[[S]], %[[MOUT]])
// CHECK:       llvm.return
// CHECK:     ^[[REFUSE]]:
// CHECK:       llvm.return %[[STATUS]]

// CHECK:     llvm.func @attn_rt_bind_arguments(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

// CHECK-LABEL: func.func private @f_impl(
// CHECK-NOT:   attn.signature
// CHECK-SAME:  llvm.linkage = #llvm.linkage<internal>

// LLVM-LABEL: llvm.func @f(
// LLVM:         llvm.call @f_impl(
// LLVM-LABEL: llvm.func internal @f_impl(
// LLVM-NOT:   unrealized_conversion_cast
func.func private @f_impl(
    %a: memref<?x4xf32, strided<[?, 1]>>, %n: index, %s: f32,
    %out: memref<?xf32, strided<[1]>>) attributes {attn.signature = {
      symbol = "f",
      args = [{name = "a", element = f32, dims = ["N", 4]},
              {name = "n", scalar = index}, {name = "s", scalar = f32},
              {name = "out", element = f32, dims = ["M"], output}],
      relations = [{kind = "offset", lhs = array<i64: 3, 0>,
                    rhs = array<i64: 0, 0>, offset = 3}]}} {
  memref.store %s, %out[%n] : memref<?xf32, strided<[1]>>
  return
}

// A function without relations and symbols: null pointers; one declaration of
// the runtime's function serves all.

// CHECK-NOT:   llvm.func @attn_rt_bind_arguments
// CHECK-NOT:   @__attn_g_symbols
// CHECK-NOT:   @__attn_g_constraints
// CHECK-LABEL: llvm.func @g(
func.func private @g_impl(%a: memref<f32, strided<[]>>) attributes {
    attn.signature = {symbol = "g", args = [
      {name = "a", element = f32, dims = [], output}]}} {
  return
}
