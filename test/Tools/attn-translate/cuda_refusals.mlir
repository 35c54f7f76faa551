// What has no kernel is refused by every tool alike, at the user's operation; what
// stands around attention in a function for a GPU is, too.

// REQUIRES: attn-translate
// RUN: split-file %s %t
// RUN: not attn-translate --attn-to-ptx %t/element.mlir 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not attn-translate --attn-to-object --device=cuda %t/element.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not attn-translate --attn-to-manifest --device=cuda %t/element.mlir 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not attn-translate --attn-to-header --device=cuda %t/element.mlir 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not attn-translate --attn-to-object --device=cuda %t/around.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=AROUND
// RUN: not attn-translate --attn-to-header --device=cuda %t/around.mlir 2>&1 | FileCheck %s --check-prefix=AROUND
// RUN: not attn-translate --attn-to-object --device=cuda %t/chain.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: not attn-translate --attn-to-header --device=cuda %t/chain.mlir 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: not attn-translate --attn-to-object --device=cuda %t/copy.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not attn-translate --attn-to-ptx %t/copy.mlir 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not attn-translate --attn-to-header --device=cuda %t/copy.mlir 2>&1 | FileCheck %s --check-prefix=COPY

// ELEMENT:      element.mlir:3:10: error: attention has no kernel for a GPU:
// ELEMENT-NEXT:   'q', 'k', 'v': expected bf16 or f16, got f32
// AROUND: around.mlir:4:8: error: works on the device's memory, but is not part of a kernel: expected a function of attention alone
// CHAIN: chain.mlir:4:10: error: attention for a device reads what is computed in its function; expected arguments: make two functions of it
// CHAIN: chain.mlir:3:12: note: by this operation
// COPY: copy.mlir:6:1: error: 'copy' has no attention, and nothing else is computed on a device; expected attn.attention in it

//--- element.mlir
!t = tensor<1x2x?x64xf32>
func.func @element(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}

//--- around.mlir
!t = tensor<1x2x?x64xbf16>
func.func @around(%q: !t, %k: !t, %v: !t) -> !t {
  %a = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %b = arith.addf %a, %q : !t
  return %b : !t
}

//--- chain.mlir
!t = tensor<1x2x?x64xbf16>
func.func @chain(%q: !t, %k: !t, %v: !t) -> !t {
  %first = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %out = attn.attention %first, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}

//--- copy.mlir
!t = tensor<1x2x?x64xbf16>
func.func @attention(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
func.func @copy(%q: !t) -> !t {
  return %q : !t
}
