// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<2 x !tile>

// Warpgroup 0 of the block is the producer, of which one thread works; the
// consumers are counted from 0 behind it. The last of them lets the first one
// begin.

// CHECK-LABEL: llvm.func @roles(
// CHECK-SAME:    nvvm.reqntid = array<i32: 384>
// CHECK:         %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK:         %[[GROUP:.*]] = arith.divui %[[THREAD]], %c128_i32
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[GROUP]], %c2_i32
// CHECK:         scf.if %[[LAST]] {
// CHECK-NEXT:      "bar.arrive $0, 256;", "r,~{memory}" %c1_i32
// CHECK-NEXT:    }
// CHECK:         nvvm.barrier0
// CHECK:         %[[UNIFORM:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[GROUP]],
// CHECK:         %[[CONSUMER:.*]] = arith.addi %[[UNIFORM]], %c-1_i32
// CHECK:         %[[PRODUCES:.*]] = arith.cmpi eq, %{{.*}}, %c-1_i32
// CHECK:         scf.if %[[PRODUCES]] {
// CHECK-NEXT:      nvvm.setmaxregister decrease 40
// CHECK-NEXT:      scf.if %{{.*}} {
// CHECK:             scf.for
// CHECK:               bulk.tensor
// CHECK-NOT:           bar.warp.sync
// CHECK:         } else {
// CHECK-NEXT:      nvvm.setmaxregister increase 232
// CHECK:           scf.for
attn_gpu.kernel @roles(%x: memref<?x64xbf16>, %y: memref<?x1xf32>,
                       %tiles: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 40 {
    scf.for %i = %c0 to %tiles step %c1 {
      %row = arith.muli %i, %c64 : index
      attn_gpu.ring_fill %ring[%i] from %x[%row, %c0] : !ring, memref<?x64xbf16>
    }
  } consumers 232 {
    scf.for %i = %c0 to %tiles step %c1 {
      %tile = attn_gpu.ring_wait %ring[%i] : !ring
      // CHECK:         %[[MINE:.*]] = arith.addi %[[C:.*]], %c1_i32
      // CHECK:         "bar.sync $0, 256;", "r,~{memory}" %[[MINE]]
      attn_gpu.turn_wait
      // CHECK:         %[[IS_LAST:.*]] = arith.cmpi eq, %[[C]], %c1_i32
      // CHECK:         %[[NEXT:.*]] = arith.select %[[IS_LAST]], %c0_i32, %[[MINE]]
      // CHECK:         %[[NEXT1:.*]] = arith.addi %[[NEXT]], %c1_i32
      // CHECK:         "bar.arrive $0, 256;", "r,~{memory}" %[[NEXT1]]
      attn_gpu.turn_pass
      attn_gpu.ring_release %ring[%i] : !ring
      %w = attn_gpu.warpgroup_index
      %row = arith.muli %w, %c64 : index
      attn_gpu.write %one to %y[%row, %c0] : vector<64x1xf32>, memref<?x1xf32>
    }
  }
  // CHECK:         llvm.return
  attn_gpu.return
}

// -----

// One consumer has nothing to wait for.

!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<1 x !tile>

// CHECK-LABEL: llvm.func @one_consumer(
// CHECK-SAME:    nvvm.reqntid = array<i32: 256>
// CHECK-NOT:     bar.arrive
// CHECK-NOT:     bar.sync
// CHECK:         llvm.return
attn_gpu.kernel @one_consumer(%x: memref<?x64xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 56 {
    attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0] : !ring, memref<?x64xbf16>
  } consumers 256 {
    %tile = attn_gpu.ring_wait %ring[%c0] : !ring
    attn_gpu.turn_wait
    attn_gpu.turn_pass
    attn_gpu.ring_release %ring[%c0] : !ring
  }
  attn_gpu.return
}

// -----

// Turns in a kernel without roles.

// CHECK-LABEL: llvm.func @turns(
// CHECK:         arith.cmpi eq, %{{.*}}, %c2_i32
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      bar.arrive
// CHECK:         nvvm.shfl.sync
// CHECK:         bar.sync
// CHECK:         bar.arrive
attn_gpu.kernel @turns() warpgroups 3 {
  attn_gpu.turn_wait
  attn_gpu.turn_pass
  attn_gpu.return
}
