// RUN: attn-opt %s --attn-own-escaping-buffers --attn-promote-tile-buffers | FileCheck %s

func.func private @touch(memref<?xf32>)

// A buffer that one way yields, and one that the other way takes from outside:
// whoever gets it frees it if it is its own.

// CHECK-LABEL: func.func @yielded(
// CHECK:         scf.if
// CHECK:           memref.alloc({{.*}}) {attn.owned} : memref<?xf32>
// CHECK:           scf.yield
// CHECK:         call @touch
// CHECK:         memref.dealloc
// CHECK:         return
func.func @yielded(%a: memref<?xf32>, %c: i1, %n: index) {
  %r = scf.if %c -> memref<?xf32> {
    %b = memref.alloc(%n) : memref<?xf32>
    func.call @touch(%b) : (memref<?xf32>) -> ()
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  call @touch(%r) : (memref<?xf32>) -> ()
  return
}

// Nothing leaves its block here: freed at its end, once.

// CHECK-LABEL: func.func @kept(
// CHECK:         %[[B:.*]] = memref.alloc({{.*}}) : memref<?xf32>
// CHECK-NOT:     attn.owned
// CHECK:         memref.dealloc %[[B]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @kept(%n: index) {
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @touch(%b) : (memref<?xf32>) -> ()
  return
}
