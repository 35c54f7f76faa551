// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

// Two tiles: one instruction for each 16 of the contracted dimension. The first
// begins the group and takes nothing from its result's registers.

// CHECK-LABEL: llvm.func @tiles(
// CHECK:         %[[A:.*]] = arith.ori %{{.*}}, %[[BITS:.*]] : i64
// CHECK:         "{\0A.reg .pred p;\0Awgmma.fence.sync.aligned;\0Asetp.ne.b32 p, 0, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0;\0A}", "=f,=f,=f,=f,l,l,~{memory}"
// CHECK:         "{\0A.reg .pred p;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 0;\0A}", "=f,=f,=f,=f,0,1,2,3,l,l,~{memory}"
// CHECK:         wgmma.mma_async
// CHECK-NOT:     commit_group
// CHECK:         wgmma.mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
// CHECK:         "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
// CHECK-NOT:     wgmma
attn_gpu.kernel @tiles(%from: memref<64x64xbf16>, %to: memref<64x8xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<8x64xbf16>
  %s = attn_gpu.mma %a, %b transpose_b : !attn_gpu.tile<64x64xbf16>,
      !attn_gpu.tile<8x64xbf16> -> vector<64x8xf32>
  %x = attn_gpu.mma_wait %s : vector<64x8xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x8xf32>, memref<64x8xf32>
  attn_gpu.return
}

// -----

// With an accumulator the first instruction takes it; transposes are bits of the
// instruction.

// CHECK-LABEL: llvm.func @accumulates(
// CHECK:         "{\0A.reg .pred p;\0Awgmma.fence.sync.aligned;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, p, 1, 1, 1, 1;
// CHECK:         "wgmma.wait_group.sync.aligned 3;"
attn_gpu.kernel @accumulates(%from: memref<64x64xf16>, %to: memref<64x64xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c = arith.constant dense<1.0> : vector<64x64xf32>
  %a = attn_gpu.read %from[%c0, %c0] : memref<64x64xf16> -> !attn_gpu.tile<64x64xf16>
  %s = attn_gpu.mma %a, %a acc %c transpose_a : !attn_gpu.tile<64x64xf16>,
      !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
  %x = attn_gpu.mma_wait %s pending 3 : vector<64x64xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// A in registers: all of it in one piece, so that none of these registers is
// written once the group has begun. B's steps of 16 rows are 2048 bytes apart.

// CHECK-LABEL: llvm.func @registers(
// CHECK:           wgmma.fence.sync.aligned;\0Aadd.s64 d, $32, 0;\0Asetp.ne.b32 p, 0, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// CHECK-SAME:      {$33, $34, $35, $36}, d, p, 1, 1, 1;\0Aadd.s64 d, $32, 128;\0Asetp.ne.b32 p, 1, 0;
// CHECK-SAME:      {$37, $38, $39, $40}, d, p, 1, 1, 1;\0Aadd.s64 d, $32, 256;
// CHECK-SAME:      {$45, $46, $47, $48}, d, p, 1, 1, 1;\0Awgmma.commit_group.sync.aligned;\0A}"
// CHECK:         wgmma.wait_group
// CHECK-NOT:     wgmma
attn_gpu.kernel @registers(%from: memref<64x64xbf16>, %to: memref<64x64xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %s = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
      -> vector<64x64xf32>
  %x = attn_gpu.mma_wait %s : vector<64x64xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// A subtile is an address 128 bytes a row further.

// CHECK-LABEL: llvm.func @subtile(
// CHECK-SAME:    %[[ROW:[^:]*]]: i64)
// CHECK-DAG:     %[[ROW32:.*]] = arith.trunci %[[ROW]] : i64 to i32
// CHECK:         %[[BYTES:.*]] = arith.muli %[[ROW32]], %c128_i32 : i32
// CHECK:         %[[MINE:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:         llvm.ptrtoint %[[MINE]] : !llvm.ptr<3> to i32
attn_gpu.kernel @subtile(%from: memref<128x64xbf16>, %to: memref<64x64xf32>,
                         %row: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %q = attn_gpu.read %from[%c0, %c0] : memref<128x64xbf16> -> !attn_gpu.tile<128x64xbf16>
  %mine = attn_gpu.subtile %q[%row] : !attn_gpu.tile<128x64xbf16>
      -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
  %s = attn_gpu.mma %mine, %mine : !attn_gpu.tile<64x64xbf16, panel_rows = 128>,
      !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> vector<64x64xf32>
  %x = attn_gpu.mma_wait %s : vector<64x64xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// A is the same in all steps of a loop that has a branch: one register of each
// instruction's part is read behind the wait. ptxas else loses them.

// CHECK-LABEL: llvm.func @shared_by_steps_with_a_branch
// CHECK:         wgmma.mma_async
// CHECK:         wgmma.wait_group
// CHECK:         xor.b32 x, x, $1;\0Axor.b32 x, x, $2;\0Axor.b32 x, x, $3;\0Asetp.eq.b32 {{.*}}nanosleep
// CHECK:         scf.if
attn_gpu.kernel @shared_by_steps_with_a_branch(%from: memref<64x64xbf16>, %to: memref<64x64xf32>,
    %steps: index, %last: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %s = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
        -> vector<64x64xf32>
    %x = attn_gpu.mma_wait %s : vector<64x64xf32>
    %is_last = arith.cmpi eq, %i, %last : index
    %y = scf.if %is_last -> (vector<64x64xf32>) {
      %twice = arith.addf %x, %x : vector<64x64xf32>
      scf.yield %twice : vector<64x64xf32>
    } else {
      scf.yield %x : vector<64x64xf32>
    }
    %next = arith.addf %acc, %y : vector<64x64xf32>
    scf.yield %next : vector<64x64xf32>
  }
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// CHECK-LABEL: llvm.func @shared_by_steps_without_a_branch
// CHECK-NOT:     nanosleep
attn_gpu.kernel @shared_by_steps_without_a_branch(%from: memref<64x64xbf16>, %to: memref<64x64xf32>,
    %steps: index, %last: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %s = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
        -> vector<64x64xf32>
    %x = attn_gpu.mma_wait %s : vector<64x64xf32>
    %y = arith.addf %x, %x : vector<64x64xf32>
    %next = arith.addf %acc, %y : vector<64x64xf32>
    scf.yield %next : vector<64x64xf32>
  }
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// The branch is in a loop around, whose steps share A as well.

// CHECK-LABEL: llvm.func @shared_by_steps_of_two_loops
// CHECK:         wgmma.wait_group
// CHECK:         nanosleep
attn_gpu.kernel @shared_by_steps_of_two_loops(%from: memref<64x64xbf16>, %to: memref<64x64xf32>,
    %steps: index, %last: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %all = scf.for %j = %c0 to %steps step %c1 iter_args(%outer = %zero) -> (vector<64x64xf32>) {
    %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %outer) -> (vector<64x64xf32>) {
      %s = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
      %x = attn_gpu.mma_wait %s : vector<64x64xf32>
      %next = arith.addf %acc, %x : vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    %is_last = arith.cmpi eq, %j, %last : index
    %y = scf.if %is_last -> (vector<64x64xf32>) {
      %twice = arith.addf %sum, %sum : vector<64x64xf32>
      scf.yield %twice : vector<64x64xf32>
    } else {
      scf.yield %sum : vector<64x64xf32>
    }
    scf.yield %y : vector<64x64xf32>
  }
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}

// -----

// In flight across steps: its wait is elsewhere. The yield was taken for it.

// CHECK-LABEL: llvm.func @shared_and_carried_in_flight
// CHECK:         scf.yield
attn_gpu.kernel @shared_and_carried_in_flight(%from: memref<64x64xbf16>, %to: memref<64x64xf32>,
    %steps: index, %last: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %b = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  %a = attn_gpu.load_fragment %b : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %s0 = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  %sum, %end = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero, %p = %s0) -> (vector<64x64xf32>, !attn_gpu.in_flight<vector<64x64xf32>>) {
    %x = attn_gpu.mma_wait %p : vector<64x64xf32>
    %s = attn_gpu.mma %a, %b : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
    %is_last = arith.cmpi eq, %i, %last : index
    %y = scf.if %is_last -> (vector<64x64xf32>) {
      %twice = arith.addf %x, %x : vector<64x64xf32>
      scf.yield %twice : vector<64x64xf32>
    } else {
      scf.yield %x : vector<64x64xf32>
    }
    %next = arith.addf %acc, %y : vector<64x64xf32>
    scf.yield %next, %s : vector<64x64xf32>, !attn_gpu.in_flight<vector<64x64xf32>>
  }
  %e = attn_gpu.mma_wait %end : vector<64x64xf32>
  %f = arith.addf %e, %sum : vector<64x64xf32>
  attn_gpu.write %f to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32>
  attn_gpu.return
}
