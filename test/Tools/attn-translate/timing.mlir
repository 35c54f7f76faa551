// --mlir-timing showed one number for everything: passes did not report.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-object --mlir-timing %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,OBJECT
// RUN: attn-translate --attn-to-ptx --mlir-timing %s -o %t.ptx 2>&1 | FileCheck %s --check-prefixes=CHECK,PTX
// RUN: attn-translate --attn-to-header --mlir-timing --mlir-output-format=json %s -o %t.h 2>&1 | FileCheck %s --check-prefix=JSON
// CHECK: Execution time report
// CHECK: Parser
// CHECK: CheckHostProgramPass
// CHECK: AttnTilePass
// OBJECT: LLVM
// PTX: PTX
// CHECK: Total
// JSON: "name": "InferHostSignaturePass"
!t = tensor<1x2x?x64xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
