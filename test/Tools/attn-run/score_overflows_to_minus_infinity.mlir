// A score of -inf hides its key. If arithmetic of a region made it, V of that key
// too: in tiles that no mask touches as well. Where q . k itself overflows and
// there is no region, V may spread if it is not finite, and the check says so.

// REQUIRES: attn-run
// RUN: attn-run %s --function=added --check --plant=v:0x0x5x1=nan --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=HIDDEN --input-file=%t.json
// RUN: attn-run %s --function=product --check --plant=q:0x0x0x0=1e10,k:0x0x5x0=-3e38,v:0x0x5x1=nan --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=HIDDEN --input-file=%t.json
// RUN: attn-run %s --function=plain --check --plant=q:0x0x0x0=1e10,k:0x0x5x0=-3e38,v:0x0x5x1=nan --report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPREAD --input-file=%t.json
// CHECK: out {{.*}} passed
// HIDDEN: "spread": 0
// SPREAD: "spread": 1

!q = tensor<1x1x1x4xf32>
!kv = tensor<1x1x64x4xf32>

func.func @added(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %least = arith.constant -3.0e+38 : f32
        %zero = arith.constant 0.0 : f32
        %c5 = arith.constant 5 : index
        %at = arith.cmpi eq, %r, %c5 : index
        %bias = arith.select %at, %least, %zero : f32
        %x = arith.addf %s, %bias : f32
        %y = arith.addf %x, %bias : f32
        attn.yield %y : f32
      } : !q, !kv, !kv -> !q
  return %out : !q
}

func.func @product(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %two = arith.constant 2.0 : f32
        %y = arith.mulf %s, %two : f32
        attn.yield %y : f32
      } : !q, !kv, !kv -> !q
  return %out : !q
}

func.func @plain(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v : !q, !kv, !kv -> !q
  return %out : !q
}
