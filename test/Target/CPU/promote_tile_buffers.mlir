// RUN: attn-opt %s -attn-promote-tile-buffers | FileCheck %s
// RUN: attn-opt %s -attn-promote-tile-buffers=max-stack-bytes=17000 | FileCheck %s --check-prefix=SMALL

// Buffers of serial loops move to the start of the parallel body.

// CHECK-LABEL: func @tiles(
// SMALL-LABEL: func @tiles(
func.func @tiles(%n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.forall
  // CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<32x64xf32>
  // CHECK-NEXT: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
  // CHECK-NEXT: memref.alloca() {alignment = 128 : i64} : memref<64x64xf32>
  // CHECK-NOT: memref.alloc
  // SMALL: scf.forall
  // SMALL-NEXT: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32x64xf32>
  // SMALL-NEXT: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
  // SMALL-NEXT: memref.alloca() {alignment = 128 : i64} : memref<64x64xf32>
  // SMALL: memref.dealloc %[[B]]
  // SMALL-NEXT: }
  scf.forall (%i) in (%n) {
    %a = memref.alloc() {alignment = 128 : i64} : memref<64x64xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<64x64xf32>)
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<64xf32>
      linalg.fill ins(%z : f32) outs(%b : memref<64xf32>)
      memref.dealloc %b : memref<64xf32>
      %c = memref.alloc() : memref<32x64xf32>
      linalg.fill ins(%z : f32) outs(%c : memref<32x64xf32>)
    }
  }
  return
}

// A dynamic buffer stays, and is freed at the end of its block.
// CHECK-LABEL: func @workspace(
func.func @workspace(%n: index, %z: f32) {
  // CHECK: %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK: linalg.fill
  // CHECK: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
  return
}
