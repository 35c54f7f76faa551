// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,canonicalize,attn-gpu-warp-specialize,canonicalize))' | FileCheck %s --check-prefix=GEMM
// RUN: attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-warp-specialize{turns=false producer-registers=24 consumer-registers=240}))' | FileCheck %s --check-prefix=OPTIONS
// RUN: attn-opt %S/Inputs/chain.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,attn-gpu-warp-specialize,canonicalize))' | FileCheck %s --check-prefix=CHAIN
// RUN: attn-opt %S/Inputs/nested.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,canonicalize,attn-gpu-warp-specialize,canonicalize))' | FileCheck %s --check-prefix=NESTED
// RUN: attn-opt %S/Inputs/attention.mlir --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,attn_gpu.kernel(canonicalize,cse,attn-gpu-async-copy,attn-gpu-pipeline,canonicalize,cse,attn-gpu-warp-specialize,canonicalize,cse))' | FileCheck %s --check-prefix=ATTENTION

// Each role's loop carries what that role needs: the producer the count, the
// consumers the accumulator too.
// GEMM-LABEL: attn_gpu.kernel @gemm(
// GEMM:       attn_gpu.warp_specialize producer 40 {
// GEMM:         attn_gpu.work_loop
// GEMM:           scf.for %{{.*}} iter_args(%[[COUNT:[a-z0-9]+]] = %c0_i32) -> (i32)
// GEMM-NEXT:        %[[N:.*]] = arith.index_castui %[[COUNT]] : i32 to index
// GEMM-NEXT:        arith.muli
// GEMM-NEXT:        attn_gpu.ring_fill %{{.*}}[%[[N]]] from %arg0
// GEMM-NEXT:        attn_gpu.ring_fill %{{.*}}[%[[N]]] from %arg1
// GEMM-NEXT:        arith.addi %[[COUNT]], %c1_i32
// GEMM-NEXT:        scf.yield
// GEMM-NEXT:      }
// GEMM-NEXT:    }
// GEMM-NEXT:  } consumers 232 {
// GEMM-NOT:     ring_fill
// GEMM:           scf.for %{{.*}} iter_args(%{{.*}} = %cst, %{{[a-z0-9]+}} = %c0_i32)
// GEMM:             attn_gpu.ring_wait
// GEMM:             attn_gpu.ring_wait
// GEMM:             attn_gpu.turn_wait
// GEMM-NEXT:        attn_gpu.mma
// GEMM-NEXT:        attn_gpu.turn_pass
// GEMM-NEXT:        attn_gpu.mma_wait
// GEMM:             attn_gpu.ring_release
// GEMM:           attn_gpu.write
// GEMM-NOT:     ring_fill

// OPTIONS:     attn_gpu.warp_specialize producer 24 {
// OPTIONS:     } consumers 240 {
// OPTIONS-NOT: turn_

// A turn lasts over both products that are started in a row. The condition stands
// in both roles, with results in the one that has any.
// CHAIN-LABEL: attn_gpu.kernel @chain(
// CHAIN:       attn_gpu.warp_specialize producer 40 {
// CHAIN:         scf.if %{{.*}} {
// CHAIN:           scf.for
// CHAIN:         }
// CHAIN-NOT:     else
// CHAIN:       } consumers 232 {
// CHAIN:         scf.if %{{.*}} -> (vector<64x64xf32>) {
// The first product, before the loop, has no turn.
// CHAIN-NOT:       turn_
// CHAIN:           scf.for
// CHAIN:             attn_gpu.turn_wait
// CHAIN-NEXT:        attn_gpu.mma
// CHAIN-NEXT:        attn_gpu.ring_wait
// CHAIN-NEXT:        attn_gpu.mma
// CHAIN-NEXT:        attn_gpu.turn_pass
// CHAIN-NEXT:        attn_gpu.mma_wait {{.*}} pending 1
// CHAIN:           }
// CHAIN-NOT:       turn_

// One consumer has no one to take turns with.
// NESTED-LABEL: attn_gpu.kernel @nest(
// NESTED:       attn_gpu.warp_specialize producer 56 {
// NESTED:         scf.for {{.*}} iter_args({{.*}}) -> (i32, i32)
// NESTED:           scf.for {{.*}} iter_args({{.*}}) -> (i32)
// NESTED:       } consumers 256 {
// NESTED-NOT:     turn_
// NESTED-NOT:     ring_fill

// The producer knows lengths and positions, but no element.
// ATTENTION-LABEL: attn_gpu.kernel @attend_kernel(
// ATTENTION:       attn_gpu.warp_specialize producer 40 {
// ATTENTION-NOT:     vector
// ATTENTION-NOT:     attn_gpu.ring_{{wait|release}}
// ATTENTION:       } consumers 232 {
// ATTENTION-NOT:     ring_fill
// ATTENTION:       attn_gpu.return
