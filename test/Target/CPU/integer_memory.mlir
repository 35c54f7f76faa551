// RUN: attn-opt %s --attn-integer-memory | FileCheck %s

// CHECK-LABEL: @copy
// CHECK-NEXT:    %[[X:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT:    llvm.store %[[X]], %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr
// CHECK-NEXT:    %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT:    llvm.store %[[V]], %{{.*}} : vector<8xi16>, !llvm.ptr
// CHECK-NEXT:    %[[F:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f16
// CHECK-NEXT:    llvm.store %[[F]], %{{.*}} : f16, !llvm.ptr
llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr) {
  %x = llvm.load %from {alignment = 2 : i64} : !llvm.ptr -> bf16
  llvm.store %x, %to {alignment = 2 : i64} : bf16, !llvm.ptr
  %v = llvm.load %from : !llvm.ptr -> vector<8xbf16>
  llvm.store %v, %to : vector<8xbf16>, !llvm.ptr
  %f = llvm.load %from : !llvm.ptr -> f16
  llvm.store %f, %to : f16, !llvm.ptr
  llvm.return
}
