// Options that say nothing to a translation were taken in silence. Each is named.

// REQUIRES: attn-translate
// RUN: not attn-translate --attn-to-object --stages=2 --schedule=once --kernel-passes=cse --chip=sm_90a --ptx-version=ptx87 --ptxas=/nowhere %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not attn-translate --attn-to-manifest --device=cpu --stages=2 %s 2>&1 | FileCheck %s --check-prefix=MANIFEST
// RUN: not attn-translate --attn-to-ptx --device=cpu --ptxas=/nowhere %s 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not attn-translate --attn-llvm-to-ptx --cpu=host --device=cuda --query-tile=64 %s 2>&1 | FileCheck %s --check-prefix=KERNELS

// CPU:      attn-translate: error: option 'stages' is for kernels of a GPU, which device cpu has none of; expected it with device cuda
// CPU-NEXT: option 'schedule' is for
// CPU-NEXT: option 'kernel-passes' is for
// CPU-NEXT: option 'chip' is for
// CPU-NEXT: option 'ptx-version' is for
// CPU-NEXT: option 'ptxas' is for
// MANIFEST: attn-translate: error: option 'stages' is for kernels of a GPU
// PTX:      attn-translate: error: option 'device' expected cuda, got cpu: 'attn-to-ptx' gives kernels of a GPU
// PTX-NEXT: option 'ptxas' is for machine code; 'attn-to-ptx' gives PTX
// KERNELS:      attn-translate: error: option 'cpu' is for attention programs; 'attn-llvm-to-ptx' takes kernels in the LLVM dialect
// KERNELS-NEXT: option 'query-tile' is for
// KERNELS-NEXT: option 'device' is for

// Outputs of one program take the same options.
// RUN: attn-translate --attn-to-ptx --device=cuda --cpu=x86-64-v3 --key-tile=64 %s -o %t.ptx
// RUN: attn-translate --attn-to-header --device=cuda --stages=2 --key-tile=64 %s -o %t.h

!t = tensor<1x2x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
