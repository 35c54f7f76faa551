// What a role may not have is refused where the roles are made.

// RUN: not attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-warp-specialize{producer-registers=20}))' 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-warp-specialize{consumer-registers=-8}))' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not attn-opt %S/Inputs/gemm.mlir --pass-pipeline='builtin.module(attn_gpu.kernel(attn-gpu-async-copy,attn-gpu-warp-specialize{consumer-registers=256}))' 2>&1 | FileCheck %s --check-prefix=ALL

// UNIT:     error: 'attn_gpu.warp_specialize' op 'producer' expected registers in multiples of 8 from 24 to 256, got 20
// NEGATIVE: error: 'attn_gpu.warp_specialize' op 'consumers' expected registers in multiples of 8 from 24 to 256, got -8
// ALL:      error: 'attn_gpu.warp_specialize' op expected at most 65536 registers in all, got 70656
