// RUN: attn-opt %s | attn-opt | FileCheck %s

!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<2 x !tile>

// CHECK-LABEL: attn_gpu.kernel @roles
attn_gpu.kernel @roles(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>,
                       %tiles: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  %ring = attn_gpu.ring_create : !ring
  // CHECK: attn_gpu.warp_specialize producer 40 {
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%t) in (%c1) {
      scf.for %i = %c0 to %tiles step %c1 {
        %row = arith.muli %i, %c64 : index
        // CHECK: attn_gpu.ring_fill %{{.*}}[%{{.*}}] from %{{.*}}[%{{.*}}, %{{.*}}] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
        attn_gpu.ring_fill %ring[%i] from %x[%row, %c0] : !ring, memref<?x64xbf16>
      }
    }
  // CHECK: } consumers 232 {
  } consumers 232 {
    attn_gpu.work_loop (%t) in (%c1) {
      scf.for %i = %c0 to %tiles step %c1 {
        %row = arith.muli %i, %c64 : index
        // CHECK: %[[TILE:.*]] = attn_gpu.ring_wait %{{.*}}[%{{.*}}] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        %tile = attn_gpu.ring_wait %ring[%i] : !ring
        %a = attn_gpu.load_fragment %tile : !tile -> vector<64x64xbf16>
        // CHECK: attn_gpu.turn_wait
        attn_gpu.turn_wait
        %started = attn_gpu.mma %a, %tile : vector<64x64xbf16>, !tile -> vector<64x64xf32>
        // CHECK: attn_gpu.turn_pass
        attn_gpu.turn_pass
        %d = attn_gpu.mma_wait %started : vector<64x64xf32>
        // CHECK: attn_gpu.ring_release %{{.*}}[%{{.*}}] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        attn_gpu.ring_release %ring[%i] : !ring
        %d16 = arith.truncf %d : vector<64x64xf32> to vector<64x64xbf16>
        attn_gpu.write %d16 to %y[%row, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
      }
    }
  }
  attn_gpu.return
}
