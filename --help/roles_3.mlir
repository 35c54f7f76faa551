attn_gpu.kernel @roles_3_1(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
        
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_3_1_turns(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
        attn_gpu.turn_wait
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        attn_gpu.turn_pass
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<1 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_3_2(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_3_2_turns(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        attn_gpu.turn_wait
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        attn_gpu.turn_pass
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_3_3(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
        
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_3_3_turns(%a: memref<?x64xbf16, strided<[?, 1]>>, %b: memref<?x64xbf16, strided<[?, 1]>>, %to: memref<?x64xf32, strided<[?, 1]>>, %to_t: memref<?x64xf32, strided<[?, 1]>>, %n: index, %blocks: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %ring_a = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
  %ring_b = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = arith.constant 192 : index
  attn_gpu.warp_specialize producer 32 {
    attn_gpu.work_loop (%block) in (%blocks) {
      scf.for %i = %c0 to %n step %c1 {
        %a_row = arith.muli %i, %rows : index
        %b_row = arith.muli %i, %c64 : index
        attn_gpu.ring_fill %ring_a[%i] from %a[%a_row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
        attn_gpu.ring_fill %ring_b[%i] from %b[%b_row, %c0] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16, strided<[?, 1]>>
      }
    }
  } consumers 160 {
    attn_gpu.work_loop (%block) in (%blocks) {
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %w = attn_gpu.warpgroup_index
      %first = arith.muli %w, %c64 : index
      %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %v = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
        %a_tile = attn_gpu.ring_wait %ring_a[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
        %mine = attn_gpu.subtile %a_tile[%first] : !attn_gpu.tile<192x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 192>
        %b_tile = attn_gpu.ring_wait %ring_b[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
        attn_gpu.turn_wait
        %p = attn_gpu.mma %mine, %b_tile acc %u : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        %q = attn_gpu.mma %mine, %b_tile acc %v transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 192>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
        attn_gpu.turn_pass
        %x = attn_gpu.mma_wait %p pending 1 : vector<64x64xf32>
        %x2 = arith.addf %x, %x : vector<64x64xf32>
        %y = attn_gpu.mma_wait %q : vector<64x64xf32>
        attn_gpu.ring_release %ring_a[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<192x64xbf16>>
        attn_gpu.ring_release %ring_b[%i] : !attn_gpu.ring<3 x !attn_gpu.tile<64x64xbf16>>
        %half = arith.constant dense<0.5> : vector<64x64xf32>
        %x1 = arith.mulf %x2, %half : vector<64x64xf32>
        scf.yield %x1, %y : vector<64x64xf32>, vector<64x64xf32>
      }
      %all = arith.muli %block, %rows : index
      %row = arith.addi %all, %first : index
      attn_gpu.write %sums#0 to %to[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
      attn_gpu.write %sums#1 to %to_t[%row, %c0] : vector<64x64xf32>, memref<?x64xf32, strided<[?, 1]>>
    }
  }
  attn_gpu.return
}
