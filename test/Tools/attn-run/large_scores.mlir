// Every finite score has its place, near the end of f32 too: no row that sees a
// key looks empty. What f32 cannot hold is infinite: +inf gives NaN.

// REQUIRES: attn-run
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=200 --amplitude=1e9 --check | FileCheck %s
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=200 --amplitude=1e20 --check | FileCheck %s
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=200 --amplitude=1e30 --check | FileCheck %s
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=200 --amplitude=1e30 --key-parts=3 --key-tile=16 --check | FileCheck %s
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=1,Skv=200 --amplitude=1e30 --check | FileCheck %s
// Some scores are beyond f32 here, and some beyond it times log2(e).
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=200 --amplitude=1.5e37 --check | FileCheck %s
// RUN: attn-run %s --function=scaled --shape=B=1,Sq=97,Skv=200 --check | FileCheck %s
// RUN: attn-run %s --function=scaled --shape=B=1,Sq=97,Skv=200 --amplitude=0.5 --check | FileCheck %s
// RUN: attn-run %s --function=f16 --shape=B=1,Sq=97,Skv=200 --amplitude=20000 --check | FileCheck %s
// A mask by the least f32 leaves a mean where it hides everything.
// RUN: attn-run %s --function=filled --shape=B=1,Sq=97,Skv=200 --check | FileCheck %s
// RUN: attn-run %s --function=filled --shape=B=1,Sq=97,Skv=200 --key-parts=2 --check | FileCheck %s
// RUN: attn-run %s --function=filled_f16 --shape=B=1,Sq=97,Skv=200 --check | FileCheck %s
// A sink as large.
// RUN: attn-run %s --function=sinks --shape=Sq=33,Skv=70 --amplitude=1e37 --plant=sinks:0=-3.4e38,sinks:1=3.4e38 --check | FileCheck %s

// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed

// One key whose score overflows: the rows that see it are NaN where it is +inf,
// and do without it where it is -inf.
// RUN: attn-run %s --function=f32 --shape=B=1,Sq=97,Skv=97 --plant=k:0x0x30x3=3e38,q:0x0x40x3=1e30,q:0x0x41x3=-1e30 --check | FileCheck %s

func.func @f32(%q: tensor<?x2x?x16xf32>, %k: tensor<?x2x?x16xf32>,
               %v: tensor<?x2x?x16xf32>)
    -> (tensor<?x2x?x16xf32>, tensor<?x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal)
      : tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>
      -> tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
  return %out, %lse : tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
}

func.func @scaled(%q: tensor<?x2x?x16xf32>, %k: tensor<?x2x?x16xf32>,
                  %v: tensor<?x2x?x16xf32>)
    -> (tensor<?x2x?x16xf32>, tensor<?x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v scale 3.0e37
      : tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>
      -> tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
  return %out, %lse : tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
}

func.func @f16(%q: tensor<?x2x?x16xf16>, %k: tensor<?x2x?x16xf16>,
               %v: tensor<?x2x?x16xf16>)
    -> (tensor<?x2x?x16xf16>, tensor<?x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal) scale 1.0e9
      : tensor<?x2x?x16xf16>, tensor<?x2x?x16xf16>, tensor<?x2x?x16xf16>
      -> tensor<?x2x?x16xf16>, tensor<?x2x?xf32>
  return %out, %lse : tensor<?x2x?x16xf16>, tensor<?x2x?xf32>
}

func.func @filled(%q: tensor<?x2x?x16xf32>, %k: tensor<?x2x?x16xf32>,
                  %v: tensor<?x2x?x16xf32>)
    -> (tensor<?x2x?x16xf32>, tensor<?x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v alignment top_left
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %least = arith.constant -3.40282347E+38 : f32
        %c3 = arith.constant 3 : index
        %after = arith.cmpi sgt, %r, %p : index
        %first = arith.cmpi slt, %p, %c3 : index
        %hidden = arith.ori %after, %first : i1
        %x = arith.select %hidden, %least, %s : f32
        attn.yield %x : f32
      }
      : tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>, tensor<?x2x?x16xf32>
      -> tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
  return %out, %lse : tensor<?x2x?x16xf32>, tensor<?x2x?xf32>
}

func.func @filled_f16(%q: tensor<?x2x?x16xf16>, %k: tensor<?x2x?x16xf16>,
                      %v: tensor<?x2x?x16xf16>)
    -> (tensor<?x2x?x16xf16>, tensor<?x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %least = arith.constant -3.40282347E+38 : f32
        attn.yield %least : f32
      }
      : tensor<?x2x?x16xf16>, tensor<?x2x?x16xf16>, tensor<?x2x?x16xf16>
      -> tensor<?x2x?x16xf16>, tensor<?x2x?xf32>
  return %out, %lse : tensor<?x2x?x16xf16>, tensor<?x2x?xf32>
}

func.func @sinks(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>,
                 %v: tensor<1x2x?x16xf32>, %sinks: tensor<2xf32>)
    -> (tensor<1x2x?x16xf32>, tensor<1x2x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v sinks (%sinks : tensor<2xf32>)
      : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
      -> tensor<1x2x?x16xf32>, tensor<1x2x?xf32>
  return %out, %lse : tensor<1x2x?x16xf32>, tensor<1x2x?xf32>
}
