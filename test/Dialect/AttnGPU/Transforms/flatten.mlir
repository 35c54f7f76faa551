// The end of a point runs beside the beginning of the next.

// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' | FileCheck %s
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,attn-gpu-warp-specialize,canonicalize,cse,attn-gpu-verify))' | FileCheck %s --check-prefix=ROLES
// RUN: attn-opt %S/Inputs/attention.mlir --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,attn_gpu.kernel(canonicalize,cse,attn-gpu-schedule-work,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' | FileCheck %s --check-prefix=ATTENTION

// What crosses from a point to the next: whether there was one, the late ring's
// count and its row, the operands of the last product, and where the results go.
// Before the first point that is a product of zeros with a tile that lies outside of
// any tensor, which is the late ring's fill 0: all its others count one higher.
// CHECK-LABEL: attn_gpu.kernel @chain(
// CHECK-DAG:     %[[NOTHING:.*]] = arith.constant dense<0.000000e+00> : vector<64x64xbf16>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<64x64xf32>
// CHECK-DAG:     %[[LATE:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK-DAG:     %[[EARLY:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHECK-DAG:     %[[OUTER:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
// CHECK:         %[[END:.*]]:8 = attn_gpu.work_loop (%[[I:.*]]) in (%{{.*}}) schedule strided iter_args(
// CHECK-SAME:        %[[TILES:[a-z0-9]+]] = %c0_i32, %[[STEPS:[a-z0-9]+]] = %c0_i32, %[[EXISTS:[a-z0-9]+]] = %false,
// CHECK-SAME:        %[[COUNT:[a-z0-9]+]] = %c-1_i32, %[[AT:[a-z0-9]+]] = %c1073741824_i32,
// CHECK-SAME:        %[[P:[a-z0-9]+]] = %[[NOTHING]], %[[ACC:[a-z0-9]+]] = %[[ZERO]], %[[BEFORE:[a-z0-9]+]] = %c0_i32)
// CHECK:           %[[N:.*]] = arith.index_cast %[[COUNT]] : i32 to index
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[AT]] : i32 to index
// All copies first: this point's, then the one of the end before.
// CHECK:           attn_gpu.ring_fill %[[OUTER]][%[[TILE:.*]]] from %arg0
// CHECK:           attn_gpu.ring_fill %[[EARLY]][%[[STEP:.*]]] from %arg1
// CHECK:           %[[NEXT:.*]] = arith.addi %[[N]], %c1 : index
// CHECK:           attn_gpu.ring_fill %[[LATE]][%[[NEXT]]] from %arg2[%[[ROW]], %c0]
// Two products side by side; what the first needs no longer is released under the
// second.
// CHECK:           attn_gpu.ring_wait %[[OUTER]][%[[TILE]]]
// CHECK:           attn_gpu.ring_wait %[[EARLY]][%[[STEP]]]
// CHECK:           %[[FIRST:.*]] = attn_gpu.mma {{.*}} transpose_b
// CHECK-NEXT:      %[[V:.*]] = attn_gpu.ring_wait %[[LATE]][%[[NEXT]]]
// CHECK-NEXT:      %[[LAST:.*]] = attn_gpu.mma %[[P]], %[[V]] acc %[[ACC]]
// CHECK-NEXT:      %[[S:.*]] = attn_gpu.mma_wait %[[FIRST]] pending 1
// CHECK-NEXT:      attn_gpu.ring_release %[[EARLY]][%[[STEP]]]
// CHECK:           %[[OUT:.*]] = attn_gpu.mma_wait %[[LAST]] :
// CHECK-NEXT:      attn_gpu.ring_release %[[LATE]][%[[NEXT]]]
// Nothing is written before the first point.
// CHECK-NEXT:      scf.if %[[EXISTS]] {
// CHECK:             attn_gpu.write %[[OUT]] to %arg3
// CHECK-NEXT:      }
// The weights that feed the next product are rounded when none is in flight.
// CHECK-NEXT:      arith.truncf %[[S]]
// CHECK-NEXT:      %[[LOOP:.*]]:5 = scf.for %{{.*}} = %c1 to
// CHECK:             %[[LATER:.*]] = arith.addi %{{.*}}, %c1 : index
// CHECK-NEXT:        attn_gpu.ring_fill %[[LATE]][%[[LATER]]]
// CHECK:             attn_gpu.ring_wait %[[LATE]][%[[LATER]]]
// CHECK:             attn_gpu.ring_release %[[LATE]][%[[LATER]]]
// No late product behind the loop; the point's own tile is given back there.
// CHECK-NOT:       attn_gpu.mma
// CHECK:           attn_gpu.ring_release %[[OUTER]][%[[TILE]]]
// CHECK-NOT:       attn_gpu.mma
// CHECK:           attn_gpu.yield %{{.*}}, %[[LOOP]]#1, %true, %{{.*}}, %{{.*}}, %[[LOOP]]#4, %[[LOOP]]#0, %{{.*}} :
// CHECK-NEXT:    }
// The end of the last point, behind the loop; a thread block without a point writes
// nothing there.
// CHECK:         %[[M:.*]] = arith.index_cast %[[END]]#3 : i32 to index
// CHECK:         %[[LASTROW:.*]] = arith.index_cast %[[END]]#4 : i32 to index
// CHECK:         %[[LASTCOUNT:.*]] = arith.addi %[[M]], %c1 : index
// CHECK-NEXT:    attn_gpu.ring_fill %[[LATE]][%[[LASTCOUNT]]] from %arg2[%[[LASTROW]], %c0]
// CHECK-NEXT:    %[[V2:.*]] = attn_gpu.ring_wait %[[LATE]][%[[LASTCOUNT]]]
// CHECK-NEXT:    %[[STARTED:.*]] = attn_gpu.mma %[[END]]#5, %[[V2]] acc %[[END]]#6
// CHECK-NEXT:    %[[OUT2:.*]] = attn_gpu.mma_wait %[[STARTED]] :
// CHECK-NEXT:    attn_gpu.ring_release %[[LATE]][%[[LASTCOUNT]]]
// CHECK-NEXT:    scf.if %[[END]]#2 {
// CHECK:           attn_gpu.write %[[OUT2]] to %arg3
// CHECK-NEXT:    }
// CHECK-NEXT:    attn_gpu.return

// The end behind the loop goes to both roles. The producer carries no vectors; the
// consumers take a turn for the two products of a point's beginning, too.
// ROLES-LABEL: attn_gpu.kernel @chain(
// ROLES:         attn_gpu.warp_specialize producer 40 {
// ROLES:           attn_gpu.work_loop {{.*}} -> (i32, i32, i32, i32) {
// ROLES-COUNT-3:     attn_gpu.ring_fill
// ROLES:             scf.for
// ROLES-COUNT-2:       attn_gpu.ring_fill
// ROLES:             attn_gpu.yield
// ROLES:           attn_gpu.ring_fill
// ROLES-NOT:       attn_gpu.mma
// ROLES:         } consumers 232 {
// ROLES-NOT:       attn_gpu.ring_fill
// ROLES:           attn_gpu.work_loop
// ROLES:             attn_gpu.turn_wait
// ROLES-NEXT:        attn_gpu.mma {{.*}} transpose_b
// ROLES:             attn_gpu.mma {{.*}} acc
// ROLES-NEXT:        attn_gpu.turn_pass
// ROLES:             attn_gpu.mma_wait %{{.*}} pending 1
// ROLES:             scf.for
// ROLES:               attn_gpu.turn_wait
// ROLES:               attn_gpu.turn_pass
// ROLES:             attn_gpu.yield
// ROLES-NOT:       attn_gpu.turn_wait
// ROLES:           attn_gpu.mma {{.*}} acc
// ROLES-NOT:       attn_gpu.turn_pass
// ROLES:           scf.if
// ROLES:             attn_gpu.write

// Of attention the first softmax of a point runs under the last product of the point
// before; so do `l` and `m`, from which the end makes `out` and `lse`, cross.
// ATTENTION-LABEL: attn_gpu.kernel @attend_kernel(
// ATTENTION:         attn_gpu.work_loop {{.*}} iter_args({{.*}}) -> (i32, i32, i1, i32, i32, i32, i32, vector<64x128xbf16>, vector<64x128xf32>, vector<64x4xf32>, vector<64x1xf32>, i32, i32) {
// ATTENTION:           %[[S:.*]] = attn_gpu.mma {{.*}} transpose_b
// ATTENTION:           %[[D:.*]] = attn_gpu.mma {{.*}} acc
// ATTENTION:           attn_gpu.mma_wait %[[S]] pending 1
// ATTENTION:           attn_gpu.row_reduce <maxnumf>
// ATTENTION:           %[[WEIGHTS:.*]] = math.exp2 %{{.*}} : vector<64x128xf32>
// ATTENTION-NOT:       truncf
// ATTENTION:           attn_gpu.mma_wait %[[D]] :
// ATTENTION:           scf.if
// ATTENTION-COUNT-2:     attn_gpu.write
// ATTENTION:           arith.truncf %[[WEIGHTS]]
// ATTENTION:           scf.for
// ATTENTION-NOT:       attn_gpu.write
// ATTENTION:           attn_gpu.yield
// ATTENTION:         attn_gpu.mma {{.*}} acc
// ATTENTION:         scf.if
// ATTENTION-COUNT-2:   attn_gpu.write
// ATTENTION-NOT:     attn_gpu.write
// ATTENTION:         attn_gpu.return
