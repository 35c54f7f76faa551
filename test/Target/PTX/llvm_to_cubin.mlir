// The same with ptxas, and what it warns of.

// REQUIRES: attn-translate, ptxas
// RUN: attn-translate --attn-llvm-to-cubin %s -o %t.cubin 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: llvm-readelf-22 -S %t.cubin | FileCheck %s
// RUN: not attn-translate --attn-llvm-to-cubin --ptxas=/nowhere %s -o %t.none 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: sed -E 's=nvvm.minctasm.*,$==' %s > %t.open.mlir
// RUN: attn-translate --attn-llvm-to-cubin %t.open.mlir -o %t.open.cubin 2>&1 | FileCheck %s --check-prefix=IGNORED

// QUIET-NOT: {{.}}
// CHECK: .text.kernel
// ABSENT: error: no ptxas at '/nowhere', which an option names
// IGNORED: warning: ptxas: C7508: Potential Performance Loss: 'setmaxnreg' ignored
llvm.func @kernel(%out: !llvm.ptr<1>, %x: f32)
    attributes {nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 384>,
                nvvm.kernel} {
  nvvm.setmaxregister decrease 40
  llvm.store %x, %out : f32, !llvm.ptr<1>
  llvm.return
}
