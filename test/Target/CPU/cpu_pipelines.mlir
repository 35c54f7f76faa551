// RUN: attn-opt %S/Inputs/attention_f32.mlir -attn-cpu-bufferize | FileCheck %s --check-prefix=BUFFER
// RUN: attn-opt %S/Inputs/attention_f32.mlir -attn-cpu-to-llvm=vector-bits=512 | FileCheck %s --check-prefix=LLVM
// RUN: attn-opt %S/Inputs/attention_bf16.mlir -attn-cpu-to-llvm=vector-bits=256 | FileCheck %s --check-prefix=LLVM
// RUN: attn-opt %S/Inputs/attention_f32.mlir -attn-cpu-to-llvm=parallel=false | FileCheck %s --check-prefix=SERIAL
// RUN: attn-opt %S/Inputs/attention_f32.mlir -attn-cpu-bufferize -attn-cpu-lower -o %t.parts
// RUN: attn-opt %S/Inputs/attention_f32.mlir -attn-cpu-to-llvm -o %t.whole
// RUN: diff %t.parts %t.whole

// In the loop over full key tiles nothing but the row maximum is copied.
// BUFFER-LABEL: func @attention(
// BUFFER-NOT: memref.alloc(%
// BUFFER: scf.for
// BUFFER-NOT: memref.copy {{.*}} memref<64x64xf32> to memref<64x64xf32>
// BUFFER: memref.copy %{{.*}} : memref<64xf32> to memref<64xf32>
// BUFFER-NOT: memref.copy {{.*}} memref<64x64xf32> to memref<64x64xf32>
// BUFFER: memref.copy %{{.*}} : memref<64xf32> to memref<64xf32>
// BUFFER-NOT: memref.copy {{.*}} memref<64x64xf32> to memref<64x64xf32>
// BUFFER: return

// LLVM-NOT: func.func
// LLVM-NOT: memref.
// LLVM-NOT: vector.
// LLVM-NOT: unrealized_conversion_cast
// LLVM: llvm.func internal @attention_parallel_0
// LLVM-NOT: llvm.call @exp2
// LLVM: llvm.func @_mlir_ciface_attention

// SERIAL-NOT: attn_rt_parallel_for
// SERIAL: llvm.func @attention
