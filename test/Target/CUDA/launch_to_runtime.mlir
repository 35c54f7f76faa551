// An image becomes a constant, a launch the parameters in memory and calls.

// RUN: attn-opt %s --attn-gpu-launch-to-runtime 2>&1 | FileCheck %s

// CHECK-NOT: error:

// Mirrors of AttnRtTile, AttnRtKernelImage, AttnRtCubin: innermost extent first.
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_x_tile()
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_x("x\00")
// CHECK-DAG:  llvm.mlir.global internal @__attn_k() {{.*}} : !llvm.struct<(i32, i32, ptr, ptr, ptr, i32, i32, i32, i32, array<3 x i32>, i32, ptr)>
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_cubin() {{.*}} : !llvm.struct<(i32, i32, ptr, i64)>
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_code("\7FELF") {{.*}}alignment = 16
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_ptx("PTX\00")
// CHECK-DAG:  llvm.mlir.global internal constant @__attn_k_name("k\00")
// CHECK-NOT:  attn_gpu.image

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x?x64xbf16, strided<[?, ?, 1]>>, %[[Y:[^:]*]]: memref<?x?x64xbf16, strided<[?, ?, 1]>>, %[[N:[^:]*]]: index, %[[CALL:[^:]*]]: !llvm.ptr)
// Tensors are on the device from here on, for header, manifest and entry.
// CHECK-SAME:    device = "cuda"
// CHECK-DAG:   llvm.alloca %{{.*}} x !llvm.array<5 x ptr>
// CHECK-DAG:   llvm.alloca %{{.*}} x !llvm.array<128 x i8> {alignment = 64 : i64}
// CHECK:       %[[POINTER:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CHECK:       llvm.store %[[POINTER]], %[[P0:.*]] : !llvm.ptr, !llvm.ptr
// CHECK:       llvm.store %{{.*}}, %[[P1:.*]] : i64, !llvm.ptr
// CHECK:       llvm.store %{{.*}}, %[[P2:.*]] : i64, !llvm.ptr
// CHECK:       %[[SCALAR:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:       llvm.store %[[SCALAR]], %[[P3:.*]] : i64, !llvm.ptr
// CHECK:       %[[TILE:.*]] = llvm.mlir.addressof @__attn_k_x_tile
// CHECK:       llvm.call @attn_rt_cuda_encode_tile_map(%[[CALL]], %[[MAP:[0-9]+]], %[[TILE]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:       %[[LAST:.*]] = llvm.getelementptr %[[LIST:[0-9]+]][0, 4]
// CHECK:       llvm.store %[[MAP]], %[[LAST]]
// CHECK:       %[[SELF:.*]] = llvm.mlir.addressof @__attn_k :
// CHECK:       llvm.call @attn_rt_cuda_launch(%[[CALL]], %[[SELF]], %{{.*}}, %{{.*}}, %{{.*}}, %[[LIST]])
// The second launch has its own parameters, and the same image.
// CHECK:       %[[AGAIN:.*]] = llvm.mlir.addressof @__attn_k :
// CHECK:       llvm.call @attn_rt_cuda_launch(%[[CALL]], %[[AGAIN]],
// CHECK-NOT:   attn_gpu.launch

attn_gpu.image @k chip "sm_90a" threads 384 shared 1024 parameters
    [{argument = 1 : i64, kind = "pointer"},
     {argument = 1 : i64, dimension = 0 : i64, kind = "extent"},
     {argument = 1 : i64, dimension = 1 : i64, kind = "stride"},
     {argument = 0 : i64, kind = "scalar"},
     {argument = 1 : i64, kind = "tile_map", rows = 128 : i64, columns = 64 : i64, row_dimension = 1 : i64, swizzle = 128 : i64}]
    ptx "PTX" cubin "\7FELF"

!t = memref<?x?x64xbf16, strided<[?, ?, 1]>>
func.func @f(%x: !t, %y: !t, %n: index) attributes {attn.signature = {args = [
    {dims = ["A", "B", 64], element = bf16, name = "x"}, {dims = ["A", "B", 64], element = bf16, name = "y", output},
    {name = "n", scalar = index}], symbol = "f"}} {
  attn_gpu.launch @k blocks %n ins(%n, %x : index, !t) outs(%y : !t)
  attn_gpu.launch @k blocks %n ins(%n, %y : index, !t) outs(%x : !t)
  return
}

// A tensor that is a view keeps its name; a function without signature has none,
// and no error says so.
// CHECK-LABEL: func.func @plain(
// CHECK:       llvm.mlir.addressof @"__attn_k_argument 0_tile"
func.func @plain(%x: memref<4x8x64xbf16>, %n: index) {
  %view = memref.expand_shape %x [[0], [1, 2], [3]] output_shape [4, 2, 4, 64] : memref<4x8x64xbf16> into memref<4x2x4x64xbf16>
  %flat = memref.collapse_shape %view [[0], [1, 2], [3]] : memref<4x2x4x64xbf16> into memref<4x8x64xbf16>
  attn_gpu.launch @k blocks %n ins(%n, %flat : index, memref<4x8x64xbf16>) outs(%x : memref<4x8x64xbf16>)
  return
}
