// Every error ends in an exit code that is not 0, and says what to do.

// REQUIRES: attn-run
// RUN: not attn-run %s 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: attn-run: error: name one of the functions by --function: f, narrow, negative

// RUN: not attn-run %s --function=g 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no function 'g'; there is f, narrow, negative

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: function 'f' leaves these extents open: Skv; give each, as in --shape=Skv=64

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --layout=q:zigzag 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: unknown layout 'zigzag', expected one of dense, bshd

// RUN: not attn-run %s --function=f --shape=B=2,Sq=8,Skv=8 --layout=out:broadcast_batch 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: error: {{.*}}overlap
// OVERLAP: 'out'

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --input=x=%s 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: function 'f' has no argument 'x'; it has q, k, v

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --input=%s 2>&1 | FileCheck %s --check-prefix=NPY
// NPY: error: argument 'q': {{.*}}errors.mlir: not an npy file

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --output=%t/none/o.npy 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: result 'out': {{.*}}o.npy: No such file or directory

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --report=%t/none/r.json 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: cannot open output file

// RUN: not attn-run %s --function=f --device=cuda 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: device 'cuda' is not supported, expected cpu or sim

// Were taken in silence.
// RUN: not attn-run none.mlir --stages=2 --schedule=once --kernel-passes=cse --schedules=3 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS:      attn-run: error: option 'schedules' is for kernels of a GPU, which device cpu has none of; expected it with device sim
// KERNELS-NEXT: option 'stages' is for
// KERNELS-NEXT: option 'schedule' is for
// KERNELS-NEXT: option 'kernel-passes' is for
// RUN: not attn-run none.mlir --documents=mixed 2>&1 | FileCheck %s --check-prefix=DOCUMENTS
// DOCUMENTS: attn-run: for the --documents option: expected one of sorted, shuffled; got 'mixed'

// RUN: not attn-run %s --function=f --shape=B=1,Sq=8,Skv=8 --cpu=abacus 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: attn-run: error: option 'cpu' or 'features': unknown CPU 'abacus' for x86_64, expected host or a name that `llc -mcpu=help` lists; the nearest is x86-64-v3

// Options are checked before the program is read, all of them.
// RUN: not attn-run none.mlir --cpu=znver9 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: the nearest is znver{{[1-5]}}
// RUN: not attn-run none.mlir --cpu=generic 2>&1 | FileCheck %s --check-prefix=GENERIC
// GENERIC: attn-run: error: option 'cpu' or 'features': 'generic' is not an x86-64 CPU that LLVM knows; try x86-64-v2
// RUN: not attn-run none.mlir --query-tile=-1 --key-tile=100000000 --key-parts=5000 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: attn-run: error: option 'query-tile' expected 0 to 1024, got -1; the nearest is 0
// RANGE: option 'key-tile' expected 0 to 4096, got 100000000; the nearest is 4096
// RANGE: option 'key-parts' expected 0 to 4096, got 5000; the nearest is 4096
// RUN: not attn-run none.mlir --amplitude=nan --seconds=-1 2>&1 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: attn-run: error: option 'amplitude' expected 0 to 3.40282e+38, got nan
// NUMBERS: option 'seconds' expected 0 to 86400, got -1
// RUN: not attn-run none.mlir --layout=q 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: attn-run: error: option 'layout' expected NAME{{:}}LAYOUT, as in q:bshd, got 'q'
// RUN: not attn-run none.mlir --threads=-1 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: attn-run: error: number of threads expected from 1 to 4096, or 0 for the default, got -1

// RUN: not attn-run %s --function=narrow 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: errors.mlir:[[@LINE+28]]:{{.*}} error: 'func.func' op argument 0 expected a ranked tensor {{.*}}, or a scalar of type index, i32, i64, f32 or f64, got bf16

// RUN: not attn-run %s --function=negative 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: error: 'func.call' op calls 'unknown' on tensors, which is only possible where the function can be inlined; expected one with a body, got a declaration

// RUN: not attn-run %t.none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file

// RUN: not attn-run 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: expected a file, see --help

// RUN: not attn-run %s --function=f --plant=k:1 2>&1 | FileCheck %s --check-prefix=PLANT
// PLANT: error: 'k:1' expected ARGUMENT:INDEX=VALUE

// RUN: not attn-run %s --function=f --shape=B=4611686018427387904,Sq=8,Skv=8 2>&1 | FileCheck %s --check-prefix=ADDRESS
// ADDRESS: error: argument 'q': shape 4611686018427387904x1x8x16 x f32 expected to take less than 2^46 bytes

// RUN: not attn-run %s --function=f --shape=B=1,Sq=500000000000,Skv=8 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: error: argument 'q': no memory for a tensor of shape 1x1x500000000000x16 x f32 ({{[0-9]+}} bytes)

func.func @f(%q: tensor<?x1x?x16xf32>, %k: tensor<?x1x?x16xf32>,
             %v: tensor<?x1x?x16xf32>) -> tensor<?x1x?x16xf32> {
  %out = attn.attention %q, %k, %v
      : tensor<?x1x?x16xf32>, tensor<?x1x?x16xf32>, tensor<?x1x?x16xf32>
      -> tensor<?x1x?x16xf32>
  return %out : tensor<?x1x?x16xf32>
}

func.func @narrow(%x: bf16, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %y : tensor<2xf32>
}

func.func private @unknown(tensor<2xf32>) -> tensor<2xf32>

func.func @negative(%y: tensor<2xf32>) -> tensor<2xf32> {
  %z = func.call @unknown(%y) : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}
