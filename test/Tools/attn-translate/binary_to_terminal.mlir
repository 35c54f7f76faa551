// Objects were written to a terminal.

// REQUIRES: attn-translate, python3
// RUN: not python3 %S/../Inputs/in_terminal.py attn-translate --attn-to-object %s | FileCheck %s
// RUN: not python3 %S/../Inputs/in_terminal.py attn-translate --attn-llvm-to-cubin %s | FileCheck %s --check-prefix=CUBIN
// CHECK: 'attn-to-object' writes bytes that no terminal can show; expected -o FILE, or a pipe
// CHECK-NOT: ELF
// CUBIN: 'attn-llvm-to-cubin' writes bytes that no terminal can show

// A pipe takes them, and a terminal takes text.
// RUN: attn-translate --attn-to-object %s | FileCheck %s --check-prefix=PIPE
// RUN: python3 %S/../Inputs/in_terminal.py attn-translate --attn-to-assembly %s | FileCheck %s --check-prefix=TEXT
// PIPE: ELF
// TEXT: .globl copy

func.func @copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
