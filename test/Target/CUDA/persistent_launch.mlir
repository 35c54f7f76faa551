// RUN: attn-opt %s --attn-gpu-launch-to-runtime | FileCheck %s

// Persistent thread blocks: at most one for each multiprocessor (sm_count, at byte
// 16 of the call). The counter is the call's.

// CHECK-DAG:   llvm.func @attn_rt_cuda_counter(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[CALL:[^:]*]]: !llvm.ptr)
// CHECK:         llvm.call @attn_rt_cuda_counter(%[[CALL]], %[[COUNTER:.*]]) :
// CHECK:         llvm.store %[[COUNTER]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK:         %[[POINTS:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:         %[[FIELD:.*]] = llvm.getelementptr %[[CALL]][16]
// CHECK:         %[[COUNT:.*]] = llvm.load %[[FIELD]] : !llvm.ptr -> i32
// CHECK:         %[[WIDE:.*]] = arith.extui %[[COUNT]] : i32 to i64
// CHECK:         %[[BLOCKS:.*]] = arith.minsi %[[POINTS]], %[[WIDE]]
// CHECK:         llvm.call @attn_rt_cuda_launch(%[[CALL]], %{{.*}}, %[[BLOCKS]],
attn_gpu.image @k chip "sm_90a" threads 384 shared 16 persistent parameters
    [{argument = 0 : i64, kind = "scalar"}, {kind = "counter"}] ptx ".version 8.7"
func.func @f(%to: memref<64x1xf32>, %n: index) {
  attn_gpu.launch @k blocks %n ins(%n : index) outs(%to : memref<64x1xf32>)
  return
}
