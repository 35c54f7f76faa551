// RUN: attn-opt %S/../../Dialect/AttnGPU/ops.mlir --attn-gpu-to-llvm | FileCheck %s
// RUN: attn-opt %S/../../Dialect/AttnGPU/ops.mlir --attn-gpu-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// The whole of a synchronous attention kernel: nothing but LLVM and NVVM is left.

// CHECK-LABEL: llvm.func @attention(
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 49152 : i64
// CHECK-SAME:    nvvm.reqntid = array<i32: 256>
// CHECK-NOT:     {{ (arith|math|vector|scf|cf|memref|builtin)\.| attn_gpu\.[a-z_]+ }}%
// A maximum is one operation.
// CHECK:         llvm.intr.maxnum
// CHECK-LABEL: llvm.func @roles(
// CHECK-NOT:     {{ (arith|math|vector|scf|cf|memref|builtin)\.| attn_gpu\.[a-z_]+ }}%

// IR-LABEL: define ptx_kernel void @attention(
// IR:         call <64 x float> @llvm.exp2.v64f32(<64 x float>
