// Launches are of whole clusters: the blocks asked for rounded up, those that run at
// once rounded down. The image says how many blocks a cluster has.

// RUN: attn-opt %s --attn-gpu-launch-to-runtime | FileCheck %s

// CHECK:       attn.kernels = [{cluster = 4 : i64, function = "f", name = "k", shared_bytes = 16 : i64, threads = 384 : i64}]
// CHECK:       llvm.mlir.global internal @__attn_k()
// CHECK:         %[[NONE:.*]] = llvm.mlir.poison : !llvm.array<3 x i32>
// CHECK-NEXT:    %[[SIZE:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-NEXT:    %[[X:.*]] = llvm.insertvalue %[[SIZE]], %[[NONE]][0]
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    %[[XY:.*]] = llvm.insertvalue %[[ONE]], %[[X]][1]
// CHECK-NEXT:    %[[LAST:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    %[[XYZ:.*]] = llvm.insertvalue %[[LAST]], %[[XY]][2]
// CHECK:         llvm.insertvalue %[[XYZ]], %{{.*}}[9]
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[TO:[^:]*]]: memref<64x1xf32>, %[[N:[^:]*]]: index, %[[CALL:[^:]*]]: !llvm.ptr)
// CHECK:         %[[ASKED:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-NEXT:    %[[THREE:.*]] = llvm.mlir.constant(3 : i64)
// CHECK-NEXT:    %[[MORE:.*]] = arith.addi %[[ASKED]], %[[THREE]]
// CHECK-NEXT:    %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-NEXT:    %[[CLUSTERS:.*]] = arith.divui %[[MORE]], %[[FOUR]]
// CHECK:         %[[WHOLE:.*]] = arith.muli %[[CLUSTERS]], %{{.*}}
// CHECK:         llvm.getelementptr %[[CALL]][16]
// CHECK:         %[[SMS:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[NO_MORE:.*]] = arith.addi %[[SMS]], %{{.*}}
// CHECK:         %[[AT_ONCE:.*]] = arith.divui %[[NO_MORE]], %{{.*}}
// CHECK:         %[[RESIDENT:.*]] = arith.muli %[[AT_ONCE]], %{{.*}}
// CHECK:         %[[BLOCKS:.*]] = arith.minsi %[[WHOLE]], %[[RESIDENT]]
// CHECK:         llvm.call @attn_rt_cuda_launch(%[[CALL]], %{{.*}}, %[[BLOCKS]],
attn_gpu.image @k chip "sm_90a" threads 384 shared 16 cluster 4 persistent parameters
    [] ptx ".version 8.7"
func.func @f(%to: memref<64x1xf32>, %n: index) {
  attn_gpu.launch @k blocks %n ins() outs(%to : memref<64x1xf32>)
  return
}
