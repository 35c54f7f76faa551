// An extent may be 0 as a constant too: where used lengths cut it, and where only
// some operands say it.

// REQUIRES: attn-run
// RUN: attn-run %s --check --function=used | FileCheck %s
// RUN: attn-run %s --check --function=used_queries | FileCheck %s
// RUN: attn-run %s --check --function=no_keys | FileCheck %s
// RUN: attn-run %s --check --function=documents --shape=Hq=2,Hkv=1 | FileCheck %s
// RUN: attn-run %s --check --function=bias --shape=Sq=5 | FileCheck %s
// RUN: attn-run %s --check --function=packed | FileCheck %s
// CHECK: out {{.*}} passed

func.func @used(%q: tensor<2x4x0x16xf32>, %k: tensor<2x2x0x16xf32>,
                %v: tensor<2x2x0x16xf32>, %u: tensor<2xi32>)
    -> (tensor<2x4x0x16xf32>, tensor<2x4x0xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask (#attn.causal)
      seqused_q (%u : tensor<2xi32>)
      : tensor<2x4x0x16xf32>, tensor<2x2x0x16xf32>, tensor<2x2x0x16xf32>
      -> tensor<2x4x0x16xf32>, tensor<2x4x0xf32>
  return %out, %lse : tensor<2x4x0x16xf32>, tensor<2x4x0xf32>
}

func.func @used_queries(%q: tensor<1x2x0x8xf32>, %k: tensor<1x2x5x8xf32>,
                        %v: tensor<1x2x5x8xf32>, %u: tensor<1xi32>)
    -> tensor<1x2x0x8xf32> {
  %out = attn.attention %q, %k, %v seqused_q (%u : tensor<1xi32>)
      : tensor<1x2x0x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>
      -> tensor<1x2x0x8xf32>
  return %out : tensor<1x2x0x8xf32>
}

func.func @no_keys(%q: tensor<2x2x70x8xf32>, %k: tensor<2x2x0x8xf32>,
                   %v: tensor<2x2x0x8xf32>, %u: tensor<2xi32>,
                   %w: tensor<2xi32>, %s: tensor<2xf32>)
    -> (tensor<2x2x70x8xf32>, tensor<2x2x70xf32>) {
  %out, %lse = attn.attention %q, %k, %v sinks (%s : tensor<2xf32>)
      seqused_q (%u : tensor<2xi32>) seqused_kv (%w : tensor<2xi32>)
      : tensor<2x2x70x8xf32>, tensor<2x2x0x8xf32>, tensor<2x2x0x8xf32>
      -> tensor<2x2x70x8xf32>, tensor<2x2x70xf32>
  return %out, %lse : tensor<2x2x70x8xf32>, tensor<2x2x70xf32>
}

func.func @documents(%q: tensor<?x?x?x8xf32>, %k: tensor<?x?x?x8xf32>,
                     %i: tensor<1x5xi32>, %j: tensor<1x0xi32>)
    -> tensor<?x?x?x8xf32> {
  %out = attn.attention %q, %k, %k mask (#attn.documents)
      documents (%i, %j : tensor<1x5xi32>, tensor<1x0xi32>)
      : tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>
      -> tensor<?x?x?x8xf32>
  return %out : tensor<?x?x?x8xf32>
}

func.func @bias(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x?x8xf32>,
                %b: tensor<?x0xf32>) -> tensor<1x1x?x8xf32> {
  %out = attn.attention %q, %k, %k
      score (%b : tensor<?x0xf32>)
      score_maps [affine_map<(b, h, i, j) -> (i, j)>] score_region {
      ^bb0(%s: f32, %n: index, %h: index, %p: index, %r: index, %x: f32):
        %y = arith.addf %s, %x : f32
        attn.yield %y : f32
      }
      : tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>
      -> tensor<1x1x?x8xf32>
  return %out : tensor<1x1x?x8xf32>
}

func.func @packed(%q: tensor<9x2x8xf32>, %k: tensor<0x2x8xf32>,
                  %cq: tensor<3xi32>, %ck: tensor<3xi32>)
    -> (tensor<9x2x8xf32>, tensor<2x9xf32>) {
  %out, %lse = attn.attention %q, %k, %k
      cu_seqlens (%cq, %ck : tensor<3xi32>, tensor<3xi32>)
      : tensor<9x2x8xf32>, tensor<0x2x8xf32>, tensor<0x2x8xf32>
      -> tensor<9x2x8xf32>, tensor<2x9xf32>
  return %out, %lse : tensor<9x2x8xf32>, tensor<2x9xf32>
}
