// RUN: attn-opt %S/Inputs/chain.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' | FileCheck %s --check-prefix=CHAIN
// RUN: attn-opt %S/Inputs/chain.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-pipeline,canonicalize,cse))' | FileCheck %s --check-prefix=SYNC
// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(canonicalize))' -o %t.before
// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(canonicalize,attn-gpu-pipeline))' -o %t.after
// RUN: diff %t.before %t.after
// RUN: attn-opt %S/Inputs/attention.mlir --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,attn_gpu.kernel(canonicalize,cse,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse))' | FileCheck %s --check-prefix=ATTENTION
// RUN: attn-opt %S/Inputs/points.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' | FileCheck %s --check-prefix=CERTAIN
// RUN: sed 's/to %%n_tiles step/to %%c64 step/' %S/Inputs/points.mlir | attn-opt --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline{flatten=false},canonicalize,cse))' | FileCheck %s --check-prefix=CERTAIN

// Step j: start A B(j), then (A B)(j-1) C(j-1); wait for the first with the second
// in flight, release its tile, wait for the second; only then round what feeds the
// next. The first step's product stands before the loop, the last one's behind,
// all under a guard.
// CHAIN-LABEL: attn_gpu.kernel @chain(
// CHAIN:         %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// CHAIN:         scf.if %[[ANY]]
// CHAIN:           attn_gpu.ring_fill %[[RY:[0-9]+]][%c0] from %arg1
// CHAIN:           attn_gpu.mma
// CHAIN:           attn_gpu.mma_wait
// CHAIN-NEXT:      attn_gpu.ring_release %[[RY]][%c0]
// CHAIN-NEXT:      %[[P0:.*]] = arith.truncf
// CHAIN:           %[[LOOP:.*]]:5 = scf.for %[[J:[a-z0-9]+]] = %c1 to {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[COUNT:[a-z0-9]+]] = %c1_i32, %[[BEFORE:[a-z0-9]+]] = %c0, %[[AT:[a-z0-9]+]] = %c0, %[[P:[a-z0-9]+]] = %[[P0]])
// CHAIN:             %[[N:.*]] = arith.index_castui %[[COUNT]] : i32 to index
// CHAIN:             attn_gpu.ring_fill %[[RY]][%[[N]]] from %arg1
// CHAIN:             %[[Y:.*]] = attn_gpu.ring_wait %[[RY]][%[[N]]]
// CHAIN-NEXT:        %[[S:.*]] = attn_gpu.mma %{{.*}}, %[[Y]] transpose_b
// CHAIN-NEXT:        attn_gpu.ring_fill %[[RZ:[0-9]+]][%[[BEFORE]]] from %arg2[%[[AT]], %c0]
// CHAIN-NEXT:        %[[Z:.*]] = attn_gpu.ring_wait %[[RZ]][%[[BEFORE]]]
// CHAIN-NEXT:        %[[D:.*]] = attn_gpu.mma %[[P]], %[[Z]] acc %[[ACC]]
// CHAIN-NEXT:        %[[SCORES:.*]] = attn_gpu.mma_wait %[[S]] pending 1
// CHAIN-NEXT:        attn_gpu.ring_release %[[RY]][%[[N]]]
// CHAIN:             %[[NEWACC:.*]] = attn_gpu.mma_wait %[[D]] :
// CHAIN-NEXT:        attn_gpu.ring_release %[[RZ]][%[[BEFORE]]]
// CHAIN-NEXT:        %[[NEWP:.*]] = arith.truncf %[[SCORES]]
// CHAIN-NEXT:        scf.yield %[[NEWACC]], %{{.*}}, %[[N]], %{{.*}}, %[[NEWP]]
// CHAIN:           attn_gpu.ring_fill %[[RZ]][%[[LOOP]]#2] from %arg2[%[[LOOP]]#3, %c0]
// CHAIN:           %[[LAST:.*]] = attn_gpu.mma %[[LOOP]]#4, %{{.*}} acc %[[LOOP]]#0
// CHAIN-NEXT:      %[[OUT:.*]] = attn_gpu.mma_wait %[[LAST]] :
// CHAIN-NEXT:      attn_gpu.ring_release %[[RZ]][%[[LOOP]]#2]
// CHAIN-NEXT:      scf.yield %[[OUT]]
// CHAIN:         } else {
// CHAIN-NEXT:      scf.yield %cst

// A synchronous program can be rotated, too.
// SYNC-LABEL: attn_gpu.kernel @chain(
// SYNC:         scf.for
// SYNC:           %[[S:.*]] = attn_gpu.mma %{{.*}} transpose_b
// SYNC:           %[[D:.*]] = attn_gpu.mma %{{.*}} acc
// SYNC:           attn_gpu.mma_wait %[[S]] pending 1
// SYNC:           attn_gpu.mma_wait %[[D]] :

// Online softmax between the products: its maximum and its weights are worked on
// with the last product in flight; the weights are rounded, and the accumulator
// scaled, when that is done.
// ATTENTION-LABEL: attn_gpu.kernel @attend_kernel(
// ATTENTION:         scf.for
// ATTENTION:           %[[S:.*]] = attn_gpu.mma %{{.*}} transpose_b
// ATTENTION:           %[[D:.*]] = attn_gpu.mma %{{.*}} acc
// ATTENTION:           attn_gpu.mma_wait %[[S]] pending 1
// ATTENTION:           attn_gpu.row_reduce <maxnumf>
// ATTENTION:           %[[WEIGHTS:.*]] = math.exp2 %{{.*}} : vector<64x128xf32>
// ATTENTION:           attn_gpu.row_reduce <add>
// ATTENTION-NOT:       truncf
// ATTENTION:           %[[ACC:.*]] = attn_gpu.mma_wait %[[D]] :
// ATTENTION:           attn_gpu.scale_rows %[[ACC]] by
// ATTENTION:           arith.truncf %[[WEIGHTS]]
// ATTENTION:           scf.yield

// Where a step is certain, by a constant or a maximum with one, there is no guard: what
// was delayed stands in the block of the loop.
// CERTAIN-LABEL: attn_gpu.kernel @chain(
// CERTAIN-NOT:     scf.if
// CERTAIN:         attn_gpu.work_loop
// CERTAIN-NOT:       scf.if
// CERTAIN:           attn_gpu.mma {{.*}} transpose_b
// CERTAIN:           %[[LOOP:.*]]:5 = scf.for %{{.*}} = %c1 to
// CERTAIN:           attn_gpu.mma %[[LOOP]]#4, %{{.*}} acc %[[LOOP]]#0
// CERTAIN-NOT:       scf.if
// CERTAIN:           attn_gpu.write
