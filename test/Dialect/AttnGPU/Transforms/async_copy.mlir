// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy{stages=3}))' | FileCheck %s --check-prefix=GEMM
// RUN: attn-opt %S/Inputs/chain.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy))' | FileCheck %s --check-prefix=CHAIN
// RUN: attn-opt %S/Inputs/nested.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,canonicalize))' | FileCheck %s --check-prefix=NESTED
// RUN: attn-opt %S/Inputs/attention.mlir --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,attn_gpu.kernel(attn-gpu-async-copy,canonicalize))' | FileCheck %s --check-prefix=ATTENTION

// Two rings in one block, with one counter that its loop carries. What a product
// reads is released when the product has been waited for, a subtile or not.
// GEMM-LABEL: attn_gpu.kernel @gemm(
// GEMM-SAME:    %[[A:[^:]*]]: memref{{.*}}, %[[B:[^:]*]]: memref{{.*}}, %[[C:[^:]*]]: memref
// GEMM-DAG:   %[[RB:.*]] = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<64x128xbf16>>
// GEMM-DAG:   %[[RA:.*]] = attn_gpu.ring_create : !attn_gpu.ring<3 x !attn_gpu.tile<128x64xbf16>>
// GEMM:       attn_gpu.work_loop
// GEMM:         %[[ZERO:.*]] = arith.constant 0 : i32
// GEMM:         scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[COUNT:.*]] = %[[ZERO]]) -> (vector<64x128xf32>, i32)
// GEMM:           %[[N:.*]] = arith.index_castui %[[COUNT]] : i32 to index
// GEMM:           attn_gpu.ring_fill %[[RA]][%[[N]]] from %[[A]][%[[ROW:.*]], %[[DEPTH:[0-9]+]]]
// GEMM:           %[[X:.*]] = attn_gpu.ring_wait %[[RA]][%[[N]]]
// GEMM:           attn_gpu.ring_fill %[[RB]][%[[N]]] from %[[B]][%[[DEPTH]], %{{.*}}]
// GEMM:           %[[Y:.*]] = attn_gpu.ring_wait %[[RB]][%[[N]]]
// GEMM:           %[[MINE:.*]] = attn_gpu.subtile %[[X]]
// GEMM:           %[[P:.*]] = attn_gpu.mma %[[MINE]], %[[Y]] acc %[[ACC]]
// GEMM:           %[[D:.*]] = attn_gpu.mma_wait %[[P]]
// GEMM-DAG:       attn_gpu.ring_release %[[RA]][%[[N]]]
// GEMM-DAG:       attn_gpu.ring_release %[[RB]][%[[N]]]
// GEMM:           %[[NEXT:.*]] = arith.addi %[[COUNT]],
// GEMM:           scf.yield %[[D]], %[[NEXT]]
// GEMM-NOT:   attn_gpu.read

// Read before the loop, used in it: one stage, released after the loop. The first
// tile of the step is released before the second product starts.
// CHAIN-LABEL: attn_gpu.kernel @chain(
// CHAIN-COUNT-2: attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
// CHAIN:       attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x64xbf16>>
// CHAIN:       attn_gpu.work_loop
// CHAIN:         attn_gpu.ring_fill %[[RX2:.*]][%[[ONCE:.*]]] from %arg0
// CHAIN:         attn_gpu.ring_wait %[[RX2]][%[[ONCE]]]
// CHAIN:         scf.for
// CHAIN:           attn_gpu.ring_fill %[[RY:.*]][%[[N:.*]]] from %arg1
// CHAIN:           %[[Y:.*]] = attn_gpu.ring_wait %[[RY]][%[[N]]]
// CHAIN:           attn_gpu.ring_fill %[[RZ:.*]][%[[N]]] from %arg2
// CHAIN:           %[[Z:.*]] = attn_gpu.ring_wait %[[RZ]][%[[N]]]
// CHAIN:           %[[S:.*]] = attn_gpu.mma %{{.*}}, %[[Y]] transpose_b
// CHAIN:           attn_gpu.mma_wait %[[S]]
// CHAIN-NEXT:      attn_gpu.ring_release %[[RY]][%[[N]]]
// CHAIN:           %[[D:.*]] = attn_gpu.mma %{{.*}}, %[[Z]] acc
// CHAIN:           attn_gpu.mma_wait %[[D]]
// CHAIN-NEXT:      attn_gpu.ring_release %[[RZ]][%[[N]]]
// CHAIN:         }
// CHAIN-NEXT:    attn_gpu.ring_release %[[RX2]][%[[ONCE]]]

// The inner ring's count goes on where the inner loop was left, through the outer
// loop: with a count that began anew, fills would wait for ever.
// NESTED-LABEL: attn_gpu.kernel @nest(
// NESTED:       %[[ZERO:.*]] = arith.constant 0 : i32
// NESTED:       %[[RY:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2
// NESTED:       %[[RX:.*]] = attn_gpu.ring_create : !attn_gpu.ring<2
// NESTED:         scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[ZERO]], %[[BEGIN:.*]] = %[[ZERO]]) -> (i32, i32)
// NESTED:           %[[OUTERN:.*]] = arith.index_castui %[[OUTER]] : i32 to index
// NESTED:           attn_gpu.ring_fill %[[RX]][%[[OUTERN]]] from %arg0
// NESTED:           %[[IN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[INNER:.*]] = %[[BEGIN]]) -> (vector<64x64xf32>, i32)
// NESTED:             %[[N:.*]] = arith.index_castui %[[INNER]] : i32 to index
// NESTED:             attn_gpu.ring_fill %[[RY]][%[[N]]] from %arg1
// NESTED:             %[[NEXT:.*]] = arith.addi %[[INNER]],
// NESTED:             scf.yield %{{.*}}, %[[NEXT]]
// NESTED:           attn_gpu.ring_release %[[RX]][%[[OUTERN]]]
// NESTED:           %[[OUTERNEXT:.*]] = arith.addi %[[OUTER]],
// NESTED:           scf.yield %[[OUTERNEXT]], %[[IN]]#1

// Keys, values and queries, each with a ring of its own.
// ATTENTION-LABEL: attn_gpu.kernel @attend_kernel(
// ATTENTION-COUNT-2: attn_gpu.ring_create : !attn_gpu.ring<2 x !attn_gpu.tile<128x128xbf16>>
// ATTENTION:       attn_gpu.ring_create : !attn_gpu.ring<1 x !attn_gpu.tile<128x128xbf16>>
// ATTENTION-COUNT-3: attn_gpu.ring_fill
// ATTENTION-NOT:   attn_gpu.read
