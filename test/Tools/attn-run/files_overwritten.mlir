// Two things were written to one file, or one over the program, and only the last
// was left.

// REQUIRES: attn-run, python3
// RUN: rm -rf %t && mkdir %t && cp %s %t/f.mlir && ln -s r.json %t/link.json
// RUN: not attn-run %s --report=%t/r.json --output=%t/r.json 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not attn-run %s --report=%t/link.json --output=x=%t/../%basename_t.tmp/r.json 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: not attn-run %s --output=%t/o.npy,%t/o.npy 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not attn-run %t/f.mlir --output=%t/f.mlir 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not attn-run %t/f.mlir --report=%t/f.mlir 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: diff %s %t/f.mlir
// REPORT: attn-run: error: result 0 would overwrite the report, which is written there too: '{{.*}}r.json'; expected a file of its own
// LINK: attn-run: error: result 'x' would overwrite the report
// RESULTS: attn-run: error: result {{[01]}} would overwrite result {{[01]}}
// PROGRAM: attn-run: error: {{the report|result 0}} would overwrite the program: '{{.*}}f.mlir'

// Cases are programs' inputs, too, and write each its own.
// RUN: echo '[{"outputs": {"x": "%t/o.npy"}}, {"outputs": {"x": "%t/o.npy"}}]' > %t/c.json
// RUN: not attn-run %s --cases=%t/c.json --report=%t/c.json 2>&1 | FileCheck %s --check-prefix=CASES
// RUN: not attn-run %s --cases=%t/c.json 2>&1 | FileCheck %s --check-prefix=CASE
// CASES: attn-run: error: the report would overwrite the cases
// CASE: result 'x' of case 1 would overwrite result 'x' of case 0

// One name twice: the last file won.
// RUN: not attn-run %s --output=x=%t/a.npy,x=%t/b.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not attn-run %s --output=%t/a.npy,x=%t/b.npy 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not attn-run %s --layout=x:dense,x:padded 2>&1 | FileCheck %s --check-prefix=LAYOUT
// TWICE: attn-run: error: option 'output' names 'x' twice, expected one file
// ORDER: attn-run: error: expected one file for 'x', got one by name and one in order
// LAYOUT: attn-run: error: option 'layout' names 'x' twice, expected one layout for it

// Devices take everything; arrays are not for terminals.
// RUN: attn-run %s --report=/dev/null --output=/dev/null,/dev/null
// RUN: not python3 %S/../Inputs/in_terminal.py attn-run %s --output=- | FileCheck %s --check-prefix=TERMINAL
// TERMINAL: result 'x': no terminal can show an array; expected a file, or a pipe

func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32> {attn.name = "x"}, tensor<4xf32> {attn.name = "y"}) {
  %b = arith.addf %a, %a : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
