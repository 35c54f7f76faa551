// Kernels run in the simulator: synchronous ones and those of all passes, with
// heads in groups, masks, and lengths that are no multiple of a tile.

// REQUIRES: attn-run
// RUN: attn-run %s --device=sim --function=causal --shape=B=1,Sq=70,Skv=150 --check --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: attn-run %s --device=sim --function=causal --shape=B=1,Sq=70,Skv=150 --check --stages=1 --query-tile=64 --key-tile=64 --schedules=2 --layout=q:bshd | FileCheck %s
// RUN: attn-run %s --device=sim --function=causal --shape=B=1,Sq=70,Skv=150 --check --kernel-passes=canonicalize | FileCheck %s
// RUN: attn-run %s --device=sim --function=causal --shape=B=1,Sq=70,Skv=150 --check --kernel-passes='attn-gpu-async-copy{stages=3},attn-gpu-warp-specialize' | FileCheck %s
// RUN: attn-run %s --device=sim --function=causal --shape=B=2,Sq=3,Skv=0 --check | FileCheck %s
// RUN: attn-run %s --device=sim --function=window --shape=Sq=200,Skv=200 --check | FileCheck %s --check-prefix=WINDOW
// CHECK: causal on sim, seed 0
// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed
// JSON: "device": "sim"
// JSON: "schedules": 8
// WINDOW: window on sim, seed 0
// WINDOW: out {{.*}} passed

// One tensor.empty is the output of both launches.
// RUN: attn-run %s --device=sim --function=twice --shape=Sq=100,Skv=100 --check | FileCheck %s --check-prefix=TWICE
// TWICE: out {{.*}} passed
// TWICE: out_1 {{.*}} passed

// RUN: rm -rf %t.dump
// RUN: attn-run %s --device=sim --function=window --shape=Sq=20,Skv=20 --dump-dir=%t.dump
// RUN: ls %t.dump/window/kernels | FileCheck %s --check-prefix=DUMP
// DUMP: attn-gpu-warp-specialize

// RUN: not attn-run %s --device=sim --function=causal --time --schedules=0 --stages=9 --schedule=static --kernel-passes=attn-gpu-fly 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: option 'schedules' expected 1 to 1000, got 0
// OPTIONS-NEXT: option 'stages' expected 0 to 8, got 9; the nearest is 8
// OPTIONS-NEXT: option 'schedule' expected once, strided or dynamic, got 'static'
// OPTIONS-NEXT: option 'time' needs device cpu: a simulator's time says nothing
// OPTIONS-NEXT: option 'kernel-passes': {{.*}}'attn-gpu-fly' does not refer to a registered pass

// RUN: not attn-run %s --device=sim --function=wide --shape=Sq=8,Skv=8 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: simulator.mlir:[[#@LINE+24]]:{{[0-9]+}}: error: attention has no kernel for a GPU

func.func @causal(%q: tensor<?x4x?x64xbf16>, %k: tensor<?x2x?x64xbf16>, %v: tensor<?x2x?x64xbf16>)
    -> (tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal)
      : tensor<?x4x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16> -> tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>
  return %out, %lse : tensor<?x4x?x64xbf16>, tensor<?x4x?xf32>
}

func.func @window(%q: tensor<1x1x?x128xf16>, %k: tensor<1x1x?x128xf16>, %v: tensor<1x1x?x128xf16>) -> tensor<1x1x?x128xf16> {
  %out = attn.attention %q, %k, %v mask(#attn.window<left = 70, right = 10>)
      : tensor<1x1x?x128xf16>, tensor<1x1x?x128xf16>, tensor<1x1x?x128xf16> -> tensor<1x1x?x128xf16>
  return %out : tensor<1x1x?x128xf16>
}

func.func @twice(%q: tensor<1x1x?x64xbf16>, %k: tensor<1x1x?x64xbf16>, %v: tensor<1x1x?x64xbf16>)
    -> (tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16>) {
  %0 = attn.attention %q, %k, %v : tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16> -> tensor<1x1x?x64xbf16>
  %1 = attn.attention %q, %k, %v mask(#attn.causal)
      : tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16> -> tensor<1x1x?x64xbf16>
  return %0, %1 : tensor<1x1x?x64xbf16>, tensor<1x1x?x64xbf16>
}

func.func @wide(%q: tensor<1x1x?x64xf32>, %k: tensor<1x1x?x64xf32>, %v: tensor<1x1x?x64xf32>) -> tensor<1x1x?x64xf32> {
  %out = attn.attention %q, %k, %v : tensor<1x1x?x64xf32>, tensor<1x1x?x64xf32>, tensor<1x1x?x64xf32> -> tensor<1x1x?x64xf32>
  return %out : tensor<1x1x?x64xf32>
}
