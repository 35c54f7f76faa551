// Registers that do not suffice in a loop are a warning at the user's operation.

// REQUIRES: ptxas
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-attn-gpu{query-tile=128 key-tile=96 stages=1},attn-gpu-compile-kernels)' 2>&1 >/dev/null | FileCheck %s

// CHECK: spills_warn.mlir:[[#@LINE+3]]:10: warning: ptxas: registers are spilled in the main loop:
!t = tensor<?x?x?x256xbf16>
func.func @wide(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
