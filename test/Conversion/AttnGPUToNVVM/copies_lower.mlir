// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

// A read: a branch that all threads take alike, 16 bytes or element by element,
// predicated; zeros where nothing is loaded.

// CHECK:       llvm.mlir.global external @attn_gpu_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @read(
// CHECK-SAME:    %[[FROM:[^:]*]]: !llvm.ptr<1>, %[[ROWS:[^:]*]]: i64, %[[COLUMNS:[^:]*]]: i64, %[[STRIDE:[^:]*]]: i64,
// CHECK-SAME:    %[[ROW:[^:]*]]: i64
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 8192 : i64
// CHECK:         %[[BUFFER:.*]] = llvm.mlir.addressof @attn_gpu_shared : !llvm.ptr<3>
// CHECK:         %[[ELEMENT:.*]] = arith.muli %[[ROW]], %[[STRIDE]] : i64
// CHECK:         %[[BYTES:.*]] = arith.muli %[[ELEMENT]], %c2
// CHECK:         %[[START:.*]] = llvm.getelementptr %[[FROM]][%[[BYTES]]]
// CHECK:         nvvm.barrier0
// CHECK:         llvm.ptrtoint %[[START]] : !llvm.ptr<1> to i64
// CHECK:         scf.if
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[ROWS]] : i64
// CHECK:           "mov.b32 $0, 0;\0Amov.b32 $1, 0;\0Amov.b32 $2, 0;\0Amov.b32 $3, 0;\0A@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];"
// CHECK:           llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-COUNT-8:     "mov.b16 $0, 0;\0A@$2 ld.global.b16 $0, [$1];"
// CHECK:             llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK:         }
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    nvvm.barrier0
// CHECK-COUNT-4: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
// CHECK-NOT:     nvvm.ldmatrix
attn_gpu.kernel @read(%from: memref<?x?xbf16, strided<[?, 1]>>,
                      %to: memref<64x64xbf16>, %row: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%row, %c0] : memref<?x?xbf16, strided<[?, 1]>>
      -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16>
      -> vector<64x64xbf16>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xbf16>, memref<64x64xbf16>
  attn_gpu.return
}

// -----

// Threads beyond the last chunk neither load nor store.

// CHECK-LABEL: llvm.func @chunks_left_over(
// CHECK:         nvvm.ldmatrix
// CHECK:         scf.if
// CHECK:           ld.global.v4.b32
// CHECK-NOT:       llvm.store
// CHECK-COUNT-2:   "@$1 st.shared.v4.b32 [$0], {$2, $3, $4, $5};"
// CHECK:         } else {
// CHECK-NOT:       llvm.store
// CHECK:           "@$1 st.shared.v4.b32 [$0], {$2, $3, $4, $5};"
attn_gpu.kernel @chunks_left_over(%from: memref<8x64xbf16>, %to: memref<64x64xf32>,
                                  %a: memref<64x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %f = attn_gpu.load_fragment %x : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %b = attn_gpu.read %from[%c0, %c0] : memref<8x64xbf16> -> !attn_gpu.tile<24x64xbf16>
  %s = attn_gpu.mma %f, %b transpose_b : vector<64x64xbf16>, !attn_gpu.tile<24x64xbf16>
      -> vector<64x24xf32>
  %y = attn_gpu.mma_wait %s : vector<64x24xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x24xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// Reads that follow each other share barriers; a use of a tile ends that. Each
// has a buffer of its own.

// CHECK-LABEL: llvm.func @barriers(
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 24576 : i64
// CHECK:         nvvm.barrier0
// CHECK-NOT:     nvvm.barrier0
// CHECK:         ld.global.v4.b32
// CHECK-NOT:     nvvm.barrier0
// CHECK:         ld.global.b16
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.getelementptr %{{.*}}[8192]
// CHECK-NOT:     nvvm.barrier0
// CHECK:         ld.global.v4.b32
// CHECK-NOT:     nvvm.barrier0
// CHECK:         nvvm.fence.proxy
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NOT:     nvvm.barrier0
// CHECK:         nvvm.ldmatrix
// CHECK:         llvm.getelementptr %{{.*}}[16384]
// CHECK:         nvvm.barrier0
// CHECK:         ld.global.v4.b32
// CHECK:         nvvm.fence.proxy
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NOT:     nvvm.barrier0
attn_gpu.kernel @barriers(%from: memref<64x64xbf16>, %to: memref<64x64xbf16>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %row = arith.addi %c8, %c8 : index
  %b = attn_gpu.read %from[%row, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %x = attn_gpu.load_fragment %a : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %y = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %c = attn_gpu.read %from[%c8, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %z = attn_gpu.load_fragment %c : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xbf16>, memref<64x64xbf16>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xbf16>, memref<64x64xbf16>
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x64xbf16>, memref<64x64xbf16>
  attn_gpu.return
}

// -----

// Writes go in pairs where the tensor allows it; the column is in the address.

// CHECK-LABEL: llvm.func @write_bf16(
// CHECK:         scf.if
// CHECK:           "@$1 st.global.b32 [$0+0], $2;", "l,b,r,~{memory}"
// CHECK:           "@$1 st.global.b32 [$0+0], $2;", "l,b,r,~{memory}"
// CHECK:           "@$1 st.global.b32 [$0+16], $2;", "l,b,r,~{memory}"
// CHECK:           "@$1 st.global.b32 [$0+16], $2;", "l,b,r,~{memory}"
// CHECK-NOT:       st.global
// CHECK:         } else {
// CHECK:           "@$1 st.global.b16 [$0+0], $2;", "l,b,h,~{memory}"
// CHECK:           "@$1 st.global.b16 [$0+2], $2;", "l,b,h,~{memory}"
// CHECK-COUNT-6:   st.global.b16
// CHECK-NOT:       st.global
attn_gpu.kernel @write_bf16(%to: memref<?x?xbf16, strided<[?, 1]>>, %row: index)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x16xbf16>
  attn_gpu.write %x to %to[%row, %c0] : vector<64x16xbf16>, memref<?x?xbf16, strided<[?, 1]>>
  attn_gpu.return
}

// -----

// CHECK-LABEL: llvm.func @write_f32(
// CHECK:         scf.if
// CHECK:           "@$1 st.global.v2.b32 [$0+0], {$2, $3};", "l,b,r,r,~{memory}"
// CHECK:           "@$1 st.global.v2.b32 [$0+0], {$2, $3};", "l,b,r,r,~{memory}"
// CHECK-NOT:       st.global
// CHECK:         } else {
// CHECK:           "@$1 st.global.b32 [$0+0], $2;"
// CHECK:           "@$1 st.global.b32 [$0+4], $2;"
attn_gpu.kernel @write_f32(%to: memref<?x?xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x8xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x8xf32>, memref<?x?xf32, strided<[?, 1]>>
  attn_gpu.return
}

// -----

// One lane of four writes a row's value.

// CHECK-LABEL: llvm.func @write_rows(
// CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c4_i32 : i32
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0_i32 : i32
// CHECK-COUNT-2: "@$1 st.global.b32 [$0+0], $2;"
// CHECK-NOT:     st.global
attn_gpu.kernel @write_rows(%to: memref<?x1xf32>, %value: f32) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = vector.broadcast %value : f32 to vector<64x1xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
  attn_gpu.return
}
