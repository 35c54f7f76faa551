// RUN: attn-opt %s -attn-outline-parallel | FileCheck %s

// CHECK: llvm.func @attn_rt_parallel_for(!llvm.ptr, !llvm.ptr, i64)

// CHECK: func.func private @grid_parallel_0(%[[CTX:.*]]: !llvm.ptr, %[[I:.*]]: i64) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK: llvm.getelementptr %[[CTX]][0, 0]
// The last iterations first, the last dimension fastest.
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT:.*]], %{{.*}} : index
// CHECK: %[[REV:.*]] = arith.subi %[[LAST]], %[[INDEX]]
// CHECK: arith.remui %[[REV]], %[[TRIP:.*]] :
// CHECK: arith.divui %[[REV]], %[[TRIP]] :
// A parallel loop inside is serial.
// CHECK-NOT: scf.forall
// CHECK: scf.for
// CHECK: memref.store
// CHECK: return

// CHECK-LABEL: func.func @grid(
// CHECK: %[[C:.*]] = llvm.alloca {{.*}} x !llvm.struct<(f32, struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NOT: scf.forall
// CHECK: llvm.store {{.*}}, %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, !llvm.ptr
// CHECK: %[[F:.*]] = constant @grid_parallel_0
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK: llvm.call @attn_rt_parallel_for(%[[P]], %[[C]], %{{.*}})
func.func @grid(%m: memref<?x?xf32>, %a: index, %b: index, %z: f32) {
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) = (0, 0) to (%a, %b) step (1, 64) {
    scf.forall (%k) in (%c4) {
      memref.store %z, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Each loop has a body of its own; the runtime is declared once.
// CHECK: func.func private @two_parallel_0
// CHECK: func.func private @two_parallel_1
// CHECK-LABEL: func.func @two(
func.func @two(%m: memref<?xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    memref.store %z, %m[%i] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %z, %m[%i] : memref<?xf32>
  }
  return
}
// CHECK-NOT: llvm.func @attn_rt_parallel_for
