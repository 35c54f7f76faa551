// Every finite score has its place, near the end of f32 too: no row that sees a
// key looks empty. What f32 cannot hold is infinite: +inf gives NaN.

// REQUIRES: attn-run
// RUN: attn-run %s --cases=%S/Inputs/large_scores.json | FileCheck %s
// CHECK: 12 passed, 0 failed

// The same where keys are split, and in tiles that change the maximum often.
// RUN: attn-run %s --cases=%S/Inputs/large_scores.json --key-parts=3 --key-tile=16 | FileCheck %s

// Scores reach beyond f32, and beyond it times log2(e), in the cases of 1.5e37
// and of a scale of 3e37. In the last case one key has a score that overflows:
// the rows that see it are NaN where it is +inf, and do without it where it is
// -inf. A mask by the least f32 (filled) leaves a mean where it hides
// everything.

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
