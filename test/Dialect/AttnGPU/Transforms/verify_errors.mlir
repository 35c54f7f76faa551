// Each kernel has one thing wrong, and it is reported where it is; the last one
// has several, and all are.
//
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-verify))' --verify-diagnostics

!t = memref<?x64xbf16>
!o = memref<?x64xf32>
!tile = !attn_gpu.tile<64x64xbf16>
!ring = !attn_gpu.ring<2 x !tile>
!f = vector<64x64xf32>
!h = vector<64x64xbf16>

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

attn_gpu.kernel @product_nobody_waits_for(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  // expected-error @+1 {{expected one use of a product in flight, got 0: nobody waits for it}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  attn_gpu.return
}

attn_gpu.kernel @product_waited_for_twice(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  // expected-error @+1 {{expected one use of a product in flight, got 2}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  %s = attn_gpu.mma_wait %p : !f
  %t = attn_gpu.mma_wait %p : !f
  attn_gpu.return
}

attn_gpu.kernel @wait_that_leaves_its_own_in_flight(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  // expected-note @+1 {{started here}}
  %q = attn_gpu.mma %x, %x : !tile, !tile -> !f
  %s = attn_gpu.mma_wait %p pending 1 : !f
  // expected-error @+1 {{leaves its own product in flight: 0 were started after it, got pending 1}}
  %t = attn_gpu.mma_wait %q pending 1 : !f
  attn_gpu.return
}

attn_gpu.kernel @arms_that_leave_different_products(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %some = arith.cmpi sgt, %n, %c0 : index
  // expected-note @+1 {{may be in flight}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  // expected-error @+1 {{its arms leave different products in flight}}
  scf.if %some {
    %s = attn_gpu.mma_wait %p : !f
  }
  attn_gpu.return
}

attn_gpu.kernel @steps_that_leave_more_products(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  // expected-error @+1 {{a step leaves other products in flight than it begins with}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+2 {{expected one use of a product in flight, got 0}}
    // expected-note @+1 {{may be in flight}}
    %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  }
  attn_gpu.return
}

attn_gpu.kernel @tile_given_back_under_a_product(%a: !t, %o: !o) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
  %x = attn_gpu.ring_wait %ring[%c0] : !ring
  // expected-note @+1 {{started here}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  // expected-error @+1 {{gives a tile back that a product in flight reads}}
  attn_gpu.ring_release %ring[%c0] : !ring
  %s = attn_gpu.mma_wait %p : !f
  attn_gpu.write %s to %o[%c0, %c0] : !f, !o
  attn_gpu.return
}

attn_gpu.kernel @tile_overwritten_under_a_product() warpgroups 1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !h
  %x = attn_gpu.tile_create : !tile
  attn_gpu.store_fragment %zero to %x : !h, !tile
  // expected-note @+1 {{started here}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  %part = attn_gpu.subtile %x[%c0] : !tile -> !tile
  // expected-error @+1 {{overwrites a tile that a product in flight reads}}
  attn_gpu.store_fragment %zero to %part : !h, !tile
  %s = attn_gpu.mma_wait %p : !f
  attn_gpu.return
}

attn_gpu.kernel @operand_made_under_a_product(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !h
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (!h) {
    %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
    // expected-note @+2 {{in flight}}
    // expected-note @+1 {{the operand of this one}}
    %q = attn_gpu.mma %h, %x : !h, !tile -> !f
    %s = attn_gpu.mma_wait %p pending 1 : !f
    // expected-warning @+1 {{makes an operand of a product in registers while another is in flight: ptxas will wait for each product at once (C7513); make it after the wait}}
    %next = arith.truncf %s : !f to !h
    %t = attn_gpu.mma_wait %q : !f
    scf.yield %next : !h
  }
  attn_gpu.return
}

attn_gpu.kernel @threads_that_branch_under_a_product(%a: !t, %o: !o) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %m = attn_gpu.mma %x, %x : !tile, !tile -> !f
  %s = attn_gpu.mma_wait %m : !f
  %one = vector.extract %s[0, 0] : f32 from !f
  %positive = arith.cmpf ogt, %one, %zero : f32
  // expected-note @+1 {{started here}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  // expected-warning @+1 {{is decided by each thread for itself while a product is in flight: ptxas will wait for each product at once (C7518)}}
  %r = scf.if %positive -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %zero : f32
  }
  %t = attn_gpu.mma_wait %p : !f
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Synchronous reads
//===----------------------------------------------------------------------===//

// What attn-gpu-pipeline makes where no copy is asynchronous.
attn_gpu.kernel @tile_carried_around_its_read(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  // expected-error @+1 {{carries '!attn_gpu.tile<64x64xbf16>' and holds an attn_gpu.read, which overwrites what an iteration before has read; expected a ring, as attn-gpu-async-copy makes of reads}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (!tile) {
    // expected-note @+1 {{read here}}
    %y = attn_gpu.read %a[%i, %c0] : !t -> !tile
    %p = attn_gpu.mma %x, %y : !tile, !tile -> !f
    %s = attn_gpu.mma_wait %p : !f
    scf.yield %y : !tile
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

attn_gpu.kernel @ring_nobody_fills_or_releases(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{is waited for but not filled}}
  %r1 = attn_gpu.ring_create : !ring
  %x = attn_gpu.ring_wait %r1[%c0] : !ring
  attn_gpu.ring_release %r1[%c0] : !ring
  // expected-note @+2 {{of this ring}}
  // expected-error @+1 {{is filled but not released}}
  %r2 = attn_gpu.ring_create : !ring
  // expected-error @+1 {{is not waited for by anybody}}
  attn_gpu.ring_fill %r2[%c0] from %a[%c0, %c0] : !ring, !t
  attn_gpu.return
}

attn_gpu.kernel @count_that_is_one_too_many(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
  // expected-error @+2 {{expected the count of the ring's next fill that is to be waited for, got one that is 1 more}}
  // expected-error @+1 {{waits for a fill that the same program starts later}}
  %x = attn_gpu.ring_wait %ring[%c1] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.return
}

attn_gpu.kernel @release_before_the_wait(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
  // expected-error @+1 {{gives a fill back that was not waited for before}}
  attn_gpu.ring_release %ring[%c0] : !ring
  %x = attn_gpu.ring_wait %ring[%c0] : !ring
  // expected-error @+1 {{uses a tile that was given back before}}
  %y = attn_gpu.load_fragment %x : !tile -> !h
  attn_gpu.return
}

attn_gpu.kernel @stage_that_the_program_itself_gives_back_later(%a: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !tile>
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !attn_gpu.ring<1 x !tile>, !t
  // expected-error @+1 {{waits for a stage that the same program gives back later}}
  attn_gpu.ring_fill %ring[%c1] from %a[%c0, %c0] : !attn_gpu.ring<1 x !tile>, !t
  %x = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !tile>
  attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !tile>
  %y = attn_gpu.ring_wait %ring[%c1] : !attn_gpu.ring<1 x !tile>
  attn_gpu.ring_release %ring[%c1] : !attn_gpu.ring<1 x !tile>
  attn_gpu.return
}

attn_gpu.kernel @release_in_one_arm_only(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{a step runs attn_gpu.ring_release not known to be as often as the count that the loop carries goes on}}
  scf.for %i = %c0 to %n step %c1 {
    attn_gpu.ring_fill %ring[%i] from %a[%c0, %c0] : !ring, !t
    %x = attn_gpu.ring_wait %ring[%i] : !ring
    %inner = arith.cmpi slt, %i, %last : index
    // expected-note @+1 {{nothing says how often it was run in here}}
    scf.if %inner {
      attn_gpu.ring_release %ring[%i] : !ring
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @step_that_waits_too_rarely(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+1 {{a step runs attn_gpu.ring_wait 1 too few times for the count that the loop carries}}
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    %second = arith.addi %count, %c1 : index
    %next = arith.addi %second, %c1 : index
    attn_gpu.ring_fill %ring[%count] from %a[%c0, %c0] : !ring, !t
    attn_gpu.ring_fill %ring[%second] from %a[%c0, %c0] : !ring, !t
    %x = attn_gpu.ring_wait %ring[%count] : !ring
    attn_gpu.ring_release %ring[%count] : !ring
    // expected-error @+1 {{gives a fill back that was not waited for before}}
    attn_gpu.ring_release %ring[%second] : !ring
    scf.yield %next : index
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_with_different_loops(%a: !t, %n: index, %m: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 40 {
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @+1 {{of the producer}}
      attn_gpu.ring_fill %ring[%i] from %a[%c0, %c0] : !ring, !t
    }
  } consumers 232 {
    scf.for %i = %c0 to %m step %c1 {
      // expected-error @+1 {{is not known to be run as often as the producer runs attn_gpu.ring_fill: expected the same loops and conditions in both roles}}
      %x = attn_gpu.ring_wait %ring[%i] : !ring
      attn_gpu.ring_release %ring[%i] : !ring
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @roles_with_different_conditions(%a: !t, %n: index, %m: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.warp_specialize producer 40 {
    %some = arith.cmpi sgt, %n, %c0 : index
    scf.if %some {
      // expected-note @+1 {{of the producer}}
      attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
    }
  } consumers 232 {
    %some = arith.cmpi sge, %n, %c0 : index
    scf.if %some {
      // expected-error @+1 {{is not known to be run as often as the producer runs attn_gpu.ring_fill: expected the same loops and conditions in both roles}}
      %x = attn_gpu.ring_wait %ring[%c0] : !ring
      attn_gpu.ring_release %ring[%c0] : !ring
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @loop_without_a_count(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-note @+1 {{of this ring}}
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+3 {{runs attn_gpu.ring_fill, but carries no count of them}}
  // expected-error @+2 {{runs attn_gpu.ring_wait, but}}
  // expected-error @+1 {{runs attn_gpu.ring_release, but}}
  scf.for %i = %c0 to %n step %c2 {
    %j = arith.divui %i, %c2 : index
    attn_gpu.ring_fill %ring[%j] from %a[%c0, %c0] : !ring, !t
    %x = attn_gpu.ring_wait %ring[%j] : !ring
    attn_gpu.ring_release %ring[%j] : !ring
  }
  attn_gpu.return
}

attn_gpu.kernel @ring_in_a_while(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = attn_gpu.ring_create : !ring
  // expected-error @+3 {{holds attn_gpu.ring_fill, whose counts are followed in scf.for, scf.if and attn_gpu.work_loop only}}
  // expected-error @+2 {{holds attn_gpu.ring_wait, whose}}
  // expected-error @+1 {{holds attn_gpu.ring_release, whose}}
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    attn_gpu.ring_fill %ring[%i] from %a[%c0, %c0] : !ring, !t
    %x = attn_gpu.ring_wait %ring[%i] : !ring
    attn_gpu.ring_release %ring[%i] : !ring
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

attn_gpu.kernel @turn_taken_twice_and_kept() warpgroups 2 {
  // expected-note @+1 {{taken here}}
  attn_gpu.turn_wait
  // expected-error @+2 {{takes a turn that this warpgroup has already}}
  // expected-error @+1 {{takes a turn that is not passed on}}
  attn_gpu.turn_wait
  attn_gpu.return
}

attn_gpu.kernel @turn_passed_without_having_it() warpgroups 2 {
  // expected-error @+1 {{passes a turn that this warpgroup does not have}}
  attn_gpu.turn_pass
  attn_gpu.return
}

attn_gpu.kernel @turn_passed_in_one_arm_only(%n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  // expected-note @+1 {{taken here}}
  attn_gpu.turn_wait
  // expected-error @+1 {{its arms end one with the turn and one without it}}
  scf.if %some {
    attn_gpu.turn_pass
  }
  attn_gpu.return
}

attn_gpu.kernel @turn_taken_by_a_step_for_the_next(%n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{a step ends with the turn and begins without it, or the reverse}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @+1 {{taken here}}
    attn_gpu.turn_wait
  }
  attn_gpu.return
}

attn_gpu.kernel @warpgroups_with_unequal_turns(%n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = attn_gpu.warpgroup_index
  %steps = arith.addi %n, %w : index
  // expected-note @+1 {{decided here}}
  scf.for %i = %c0 to %steps step %c1 {
    // expected-error @+1 {{is run by all warpgroups alike, which may decide differently whether, or how often, they come here}}
    attn_gpu.turn_wait
    // expected-error @+1 {{is run by all warpgroups alike}}
    attn_gpu.turn_pass
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

attn_gpu.kernel @multicast_by_the_rank(%a: !t, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{made here}}
  %rank = attn_gpu.cluster_rank
  %ring = attn_gpu.ring_create multicast : !ring
  // Its own tile each.
  // expected-error @+1 {{is of a multicast ring: expected operands that are the same in all thread blocks of a cluster, got one that may differ}}
  attn_gpu.ring_fill %ring[%c0] from %a[%rank, %c0] : !ring, !t
  %x = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.return
}

attn_gpu.kernel @multicast_as_often_as_the_rank_says(%a: !t, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = attn_gpu.cluster_rank
  %steps = arith.addi %n, %rank : index
  %ring = attn_gpu.ring_create multicast : !ring
  // expected-note @+1 {{decided here}}
  scf.for %i = %c0 to %steps step %c1 {
    // expected-error @+2 {{is of a multicast ring: all thread blocks of a cluster run it alike, which may decide differently whether, or how often, they come here}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    attn_gpu.ring_fill %ring[%i] from %a[%c0, %c0] : !ring, !t
    // expected-error @+2 {{is of a multicast ring: all thread blocks}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    %x = attn_gpu.ring_wait %ring[%i] : !ring
    // expected-error @+2 {{is of a multicast ring: all thread blocks}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    attn_gpu.ring_release %ring[%i] : !ring
  }
  attn_gpu.return
}

// So do points of as many as the rank says.
attn_gpu.kernel @multicast_at_points_of_the_rank(%a: !t, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = attn_gpu.cluster_rank
  %points = arith.addi %n, %rank : index
  %ring = attn_gpu.ring_create multicast : !ring
  // expected-note @+1 {{decided here}}
  attn_gpu.work_loop (%p) in (%points) schedule strided iter_args(%count = %c0) -> (index) {
    // expected-error @+2 {{is of a multicast ring: all thread blocks}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    attn_gpu.ring_fill %ring[%count] from %a[%c0, %c0] : !ring, !t
    // expected-error @+2 {{is of a multicast ring: all thread blocks}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    %x = attn_gpu.ring_wait %ring[%count] : !ring
    // expected-error @+2 {{is of a multicast ring: all thread blocks}}
    // expected-error @+1 {{is of a multicast ring: expected operands}}
    attn_gpu.ring_release %ring[%count] : !ring
    %next = arith.addi %count, %c1 : index
    attn_gpu.yield %next : index
  }
  attn_gpu.return
}

// A ring of each block's own may do so.
attn_gpu.kernel @no_fault_in_an_own_ring(%a: !t, %n: index) warpgroups 1 cluster 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = attn_gpu.cluster_rank
  %steps = arith.addi %n, %rank : index
  %ring = attn_gpu.ring_create : !ring
  scf.for %i = %c0 to %steps step %c1 {
    attn_gpu.ring_fill %ring[%i] from %a[%rank, %c0] : !ring, !t
    %x = attn_gpu.ring_wait %ring[%i] : !ring
    attn_gpu.ring_release %ring[%i] : !ring
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Staged writes
//===----------------------------------------------------------------------===//

attn_gpu.kernel @tile_overwritten_under_a_copy(%o: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !h
  %tile = attn_gpu.tile_create : !tile
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %c64 : index
    // expected-error @+1 {{overwrites shared memory that a copy to global memory may still read: expected an attn_gpu.copy_wait before}}
    attn_gpu.store_fragment %zero to %tile : !h, !tile
    // expected-note @+2 {{started here}}
    // expected-error @+1 {{is not known to be complete when the kernel ends, and its shared memory with it}}
    attn_gpu.copy_out %tile to %o[%row, %c0] : !tile, !t
  }
  attn_gpu.copy_wait read
  attn_gpu.return
}

attn_gpu.kernel @tile_given_back_under_a_copy(%a: !t, %o: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !h
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
  %x = attn_gpu.ring_wait %ring[%c0] : !ring
  attn_gpu.store_fragment %zero to %x : !h, !tile
  // expected-note @+1 {{started here}}
  attn_gpu.copy_out %x to %o[%c0, %c0] : !tile, !t
  // expected-error @+1 {{gives a tile back that a copy to global memory may still read}}
  attn_gpu.ring_release %ring[%c0] : !ring
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @tiles_without_stores_or_uses(%o: !t) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !h
  // expected-error @+1 {{is used, but nothing is stored to it}}
  %x = attn_gpu.tile_create : !tile
  attn_gpu.copy_out %x to %o[%c0, %c0] : !tile, !t
  attn_gpu.copy_wait
  // expected-error @+1 {{is stored to, but nobody uses it}}
  %y = attn_gpu.tile_create : !tile
  attn_gpu.store_fragment %zero to %y : !h, !tile
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

attn_gpu.kernel @read_at_another_place_in_each_warpgroup(%a: !t) warpgroups 2 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{made here}}
  %w = attn_gpu.warpgroup_index
  // expected-error @+1 {{expected operands that are the same in all warpgroups, got one that may differ}}
  %x = attn_gpu.read %a[%w, %c0] : !t -> !tile
  attn_gpu.return
}

attn_gpu.kernel @product_that_some_threads_start(%a: !t, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = attn_gpu.read %a[%c0, %c0] : !t -> !tile
  %h = attn_gpu.load_fragment %x : !tile -> !h
  %one = vector.extract %h[0, 0] : bf16 from !h
  %wide = arith.extf %one : bf16 to f32
  %positive = arith.cmpf ogt, %wide, %zero : f32
  // expected-note @+1 {{decided here}}
  scf.if %positive {
    // expected-error @+1 {{needs all threads of a warpgroup, which may decide differently whether they come here}}
    %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
    // expected-error @+1 {{needs all threads of a warpgroup}}
    %s = attn_gpu.mma_wait %p : !f
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected tiles of at most 232448 bytes in all, got 393216}}
attn_gpu.kernel @too_much_shared_memory(%a: memref<?x256xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{has 196608}}
  %x = attn_gpu.read %a[%c0, %c0] : memref<?x256xbf16> -> !attn_gpu.tile<384x256xbf16>
  // expected-note @+1 {{has 196608}}
  %y = attn_gpu.read %a[%c0, %c0] : memref<?x256xbf16> -> !attn_gpu.tile<384x256xbf16>
  attn_gpu.return
}

attn_gpu.kernel @too_many_registers_for_roles() warpgroups 4 {
  // expected-error @+1 {{expected at most 480 registers over the warpgroups, what 640 threads start with, got 504}}
  attn_gpu.warp_specialize producer 24 {
  } consumers 120 {
  }
  attn_gpu.return
}

attn_gpu.kernel @vectors_that_do_not_fit_the_registers(%a: memref<?x256xbf16>, %o: memref<?x256xf32>) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %ring = attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>, memref<?x256xbf16>
  } consumers 232 {
    %x = attn_gpu.ring_wait %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
    // expected-note @+1 {{64 for vector<64x256xbf16>}}
    %h = attn_gpu.load_fragment %x : !attn_gpu.tile<64x256xbf16> -> vector<64x256xbf16>
    attn_gpu.ring_release %ring[%c0] : !attn_gpu.ring<1 x !attn_gpu.tile<64x256xbf16>>
    // expected-note @+1 {{128 for vector<64x256xf32>}}
    %f = arith.extf %h : vector<64x256xbf16> to vector<64x256xf32>
    // expected-note @+1 {{128 for vector<64x256xf32>}}
    %g = math.exp2 %f : vector<64x256xf32>
    // expected-warning @+1 {{needs at least 320 registers of each thread for the vectors that live here, more than the 232 it may use: some will be spilled}}
    %s = arith.addf %f, %g : vector<64x256xf32>
    %w = arith.extf %h : vector<64x256xbf16> to vector<64x256xf32>
    %t = arith.addf %s, %w : vector<64x256xf32>
    attn_gpu.write %t to %o[%c0, %c0] : vector<64x256xf32>, memref<?x256xf32>
  }
  attn_gpu.return
}

//===----------------------------------------------------------------------===//
// All at once
//===----------------------------------------------------------------------===//

attn_gpu.kernel @several(%a: !t) warpgroups 2 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{is filled but not released}}
  %ring = attn_gpu.ring_create : !ring
  attn_gpu.ring_fill %ring[%c0] from %a[%c0, %c0] : !ring, !t
  %x = attn_gpu.ring_wait %ring[%c0] : !ring
  // expected-error @+1 {{expected one use of a product in flight, got 0}}
  %p = attn_gpu.mma %x, %x : !tile, !tile -> !f
  // expected-error @+1 {{passes a turn that this warpgroup does not have}}
  attn_gpu.turn_pass
  attn_gpu.return
}
