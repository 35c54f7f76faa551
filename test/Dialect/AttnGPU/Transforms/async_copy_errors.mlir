// RUN: attn-opt %s --attn-gpu-async-copy --split-input-file --verify-diagnostics

!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>

attn_gpu.kernel @condition(%x: !t, %y: memref<?x64xbf16>, %n: index, %c: i1) warpgroups 1 {
  %c0 = arith.constant 0 : index
  attn_gpu.work_loop (%i) in (%n) {
    scf.if %c {
      // expected-error @+1 {{'attn_gpu.read' op is under 'scf.if': expected loops only}}
      %t = attn_gpu.read %x[%c0, %c0] : !t -> !tile
      %a = attn_gpu.load_fragment %t : !tile -> vector<64x64xbf16>
      attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, !t
    }
  }
  attn_gpu.return
}

// -----

// The loop around it is counted only if all around that is a loop too.

!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>

attn_gpu.kernel @condition_around(%x: !t, %y: !t, %n: index, %c: i1) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  attn_gpu.work_loop (%i) in (%n) {
    scf.if %c {
      scf.for %j = %c0 to %n step %c1 {
        // expected-error @+1 {{'attn_gpu.read' op is under 'scf.if': expected loops only}}
        %t = attn_gpu.read %x[%c0, %c0] : !t -> !tile
        %a = attn_gpu.load_fragment %t : !tile -> vector<64x64xbf16>
        attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, !t
      }
    }
  }
  attn_gpu.return
}

// -----

!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>

attn_gpu.kernel @outside(%x: !t, %y: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'attn_gpu.read' op is under 'attn_gpu.kernel': expected loops only}}
  %t = attn_gpu.read %x[%c0, %c0] : !t -> !tile
  %a = attn_gpu.load_fragment %t : !tile -> vector<64x64xbf16>
  attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, !t
  attn_gpu.return
}

// -----

// There would be no place to release it.

!t = memref<?x64xbf16>
!tile = !attn_gpu.tile<64x64xbf16>

attn_gpu.kernel @carried(%x: !t, %y: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  attn_gpu.work_loop (%i) in (%n) {
    %first = attn_gpu.read %x[%c0, %c0] : !t -> !tile
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%t = %first) -> (!tile) {
      // expected-error @+1 {{expected its tile to be used in the block that reads it}}
      %next = attn_gpu.read %x[%j, %c0] : !t -> !tile
      // expected-note @+1 {{used here}}
      scf.yield %next : !tile
    }
    %a = attn_gpu.load_fragment %last : !tile -> vector<64x64xbf16>
    attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, !t
  }
  attn_gpu.return
}

// -----

// The copy engine would fault at columns that do not begin at 16 bytes.

!t = memref<?x?xbf16>
!tile = !attn_gpu.tile<64x64xbf16>

attn_gpu.kernel @any_column(%x: !t, %y: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  attn_gpu.work_loop (%i) in (%n) {
    %column = arith.muli %i, %c12 : index
    // expected-error @+1 {{the last offset expected a known multiple of 16 bytes}}
    %t = attn_gpu.read %x[%c0, %column] : !t -> !tile
    // expected-error @+1 {{the last offset expected a known multiple of 16 bytes}}
    %u = attn_gpu.read %x[%c0, %i] : !t -> !tile
    %a = attn_gpu.load_fragment %t : !tile -> vector<64x64xbf16>
    attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, !t
  }
  attn_gpu.return
}
