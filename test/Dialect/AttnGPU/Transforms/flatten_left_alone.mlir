// Work loops that are not flattened, each for one reason: with flattening they become
// what they become without.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after

// The kernel that they vary is.
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: not diff %t.rotated %t.after

// Points that are not all of one thread block have no next one.
// RUN: sed 's/schedule strided/schedule once/' %S/Inputs/points.mlir > %t.once
// RUN: attn-opt %t.once --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %t.once --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after

// With a single stage the tile of the next point could not come before the end of this.
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{outer-stages=1},attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{outer-stages=1},attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after
// The ring of the loop, too: the first of its tiles comes before the end.
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{stages=1 outer-stages=2},attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{stages=1 outer-stages=2},attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after

// A loop that might make no step has no first product that is certain.
// RUN: sed 's/maxsi %n, %c1/maxsi %n, %c0/' %S/Inputs/points.mlir > %t.steps
// RUN: attn-opt %t.steps --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %t.steps --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after

// The kernel's schedule says so.
// RUN: sed 's/warpgroups 2 {/warpgroups 2 attributes {attn_gpu.schedule = {flatten = false}} {/' %S/Inputs/points.mlir > %t.wish
// RUN: attn-opt %t.wish --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' -o %t.rotated
// RUN: attn-opt %t.wish --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' -o %t.after
// RUN: diff %t.rotated %t.after

!t = memref<?x64xbf16>
!o = memref<?x64xf32>
!both = !attn_gpu.tile<128x64xbf16>
!mine = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
!tile = !attn_gpu.tile<64x64xbf16>
!acc = vector<64x64xf32>
!p = vector<64x64xbf16>

// Two loops with products.
attn_gpu.kernel @two_loops(%a: !t, %b: !t, %c: !t, %d: !o, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !acc
  %m = memref.dim %a, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.maxsi %n, %c1 : index
  attn_gpu.work_loop (%i) in (%m_tiles) schedule strided {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !both
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !both -> !mine
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (!acc) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !tile
      %z = attn_gpu.read %c[%at, %c0] : !t -> !tile
      %p_started = attn_gpu.mma %mine, %y transpose_b : !mine, !tile -> !acc
      %p = attn_gpu.mma_wait %p_started : !acc
      %p16 = arith.truncf %p : !acc to !p
      %d_started = attn_gpu.mma %p16, %z acc %acc : !p, !tile -> !acc
      %next = attn_gpu.mma_wait %d_started : !acc
      scf.yield %next : !acc
    }
    %sum_2 = scf.for %s_2 = %c0 to %n_tiles step %c1 iter_args(%acc_2 = %sum) -> (!acc) {
      %at_2 = arith.muli %s_2, %c64 : index
      %y_2 = attn_gpu.read %b[%at_2, %c0] : !t -> !tile
      %z_2 = attn_gpu.read %c[%at_2, %c0] : !t -> !tile
      %p_started_2 = attn_gpu.mma %mine, %y_2 transpose_b : !mine, !tile -> !acc
      %p_2 = attn_gpu.mma_wait %p_started_2 : !acc
      %p16_2 = arith.truncf %p_2 : !acc to !p
      %d_started_2 = attn_gpu.mma %p16_2, %z_2 acc %acc_2 : !p, !tile -> !acc
      %next_2 = attn_gpu.mma_wait %d_started_2 : !acc
      scf.yield %next_2 : !acc
    }
    %my_row = arith.addi %row, %w_row : index
    attn_gpu.write %sum_2 to %d[%my_row, %c0] : !acc, !o
  }
  attn_gpu.return
}

// Another tile is waited for at the end.
attn_gpu.kernel @copy_in_the_end(%a: !t, %b: !t, %c: !t, %d: !o, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !acc
  %m = memref.dim %a, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.maxsi %n, %c1 : index
  attn_gpu.work_loop (%i) in (%m_tiles) schedule strided {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !both
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !both -> !mine
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (!acc) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !tile
      %z = attn_gpu.read %c[%at, %c0] : !t -> !tile
      %p_started = attn_gpu.mma %mine, %y transpose_b : !mine, !tile -> !acc
      %p = attn_gpu.mma_wait %p_started : !acc
      %p16 = arith.truncf %p : !acc to !p
      %d_started = attn_gpu.mma %p16, %z acc %acc : !p, !tile -> !acc
      %next = attn_gpu.mma_wait %d_started : !acc
      scf.yield %next : !acc
    }
    %my_row = arith.addi %row, %w_row : index
    %e = attn_gpu.read %c[%row, %c0] : !t -> !both
    %e_mine = attn_gpu.subtile %e[%w_row] : !both -> !mine
    %bias = attn_gpu.load_fragment %e_mine : !mine -> !p
    %wide = arith.extf %bias : !p to !acc
    %moved = arith.addf %sum, %wide : !acc
    attn_gpu.write %moved to %d[%my_row, %c0] : !acc, !o
  }
  attn_gpu.return
}

// The end reads a tile that the beginning waited for: it would be gone by then.
attn_gpu.kernel @tile_in_the_end(%a: !t, %b: !t, %c: !t, %d: !o, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !acc
  %m = memref.dim %a, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.maxsi %n, %c1 : index
  attn_gpu.work_loop (%i) in (%m_tiles) schedule strided {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !both
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !both -> !mine
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (!acc) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !tile
      %z = attn_gpu.read %c[%at, %c0] : !t -> !tile
      %p_started = attn_gpu.mma %mine, %y transpose_b : !mine, !tile -> !acc
      %p = attn_gpu.mma_wait %p_started : !acc
      %p16 = arith.truncf %p : !acc to !p
      %d_started = attn_gpu.mma %p16, %z acc %acc : !p, !tile -> !acc
      %next = attn_gpu.mma_wait %d_started : !acc
      scf.yield %next : !acc
    }
    %my_row = arith.addi %row, %w_row : index
    %bias = attn_gpu.load_fragment %mine : !mine -> !p
    %wide = arith.extf %bias : !p to !acc
    %moved = arith.addf %sum, %wide : !acc
    attn_gpu.write %moved to %d[%my_row, %c0] : !acc, !o
  }
  attn_gpu.return
}

// The next point needs the result.
attn_gpu.kernel @result_in_the_next(%a: !t, %b: !t, %c: !t, %d: !o, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : !acc
  %m = memref.dim %a, %c0 : !t
  %m_tiles = arith.ceildivsi %m, %c128 : index
  %n_tiles = arith.maxsi %n, %c1 : index
  %all = attn_gpu.work_loop (%i) in (%m_tiles) schedule strided iter_args(%before = %zero) -> (!acc) {
    %row = arith.muli %i, %c128 : index
    %x = attn_gpu.read %a[%row, %c0] : !t -> !both
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    %mine = attn_gpu.subtile %x[%w_row] : !both -> !mine
    %sum = scf.for %s = %c0 to %n_tiles step %c1 iter_args(%acc = %zero) -> (!acc) {
      %at = arith.muli %s, %c64 : index
      %y = attn_gpu.read %b[%at, %c0] : !t -> !tile
      %z = attn_gpu.read %c[%at, %c0] : !t -> !tile
      %p_started = attn_gpu.mma %mine, %y transpose_b : !mine, !tile -> !acc
      %p = attn_gpu.mma_wait %p_started : !acc
      %p16 = arith.truncf %p : !acc to !p
      %d_started = attn_gpu.mma %p16, %z acc %acc : !p, !tile -> !acc
      %next = attn_gpu.mma_wait %d_started : !acc
      scf.yield %next : !acc
    }
    %my_row = arith.addi %row, %w_row : index
    attn_gpu.write %sum to %d[%my_row, %c0] : !acc, !o
    %total = arith.addf %before, %sum : !acc
    attn_gpu.yield %total : !acc
  }
  attn_gpu.write %all to %d[%c0, %c0] : !acc, !o
  attn_gpu.return
}
