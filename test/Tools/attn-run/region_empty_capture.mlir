// A captured tensor without elements reads as 0, wherever it is read.

// REQUIRES: attn-run
// RUN: attn-run %s --shape=Sq=40,Skv=70,t:0x5,u:0x33 --check | FileCheck %s
// RUN: attn-run %s --shape=Sq=40,Skv=70,t:100000x0,u:0x33 --check | FileCheck %s
// RUN: attn-run %s --shape=Sq=40,Skv=70,t:0x100000,u:1x33 --check | FileCheck %s
// CHECK: out {{.*}} passed

func.func @empty(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>, %v: tensor<1x1x?x16xf32>, %t: tensor<?x?xf32>, %u: tensor<?x33xi1>) -> tensor<1x1x?x16xf32> {
  %o = attn.attention %q, %k, %v mask(#attn.region) score(%t : tensor<?x?xf32>) score_maps [affine_map<(b,h,i,j)->()>] score_region {
  ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %tt: tensor<?x?xf32>):
      %e = tensor.extract %tt[%p, %r] : tensor<?x?xf32>
    %w = arith.addf %s, %e : f32
    attn.yield %w : f32
  } visible(%u : tensor<?x33xi1>) visible_maps [affine_map<(b,h,i,j)->()>] visible_region {
  ^bb0(%b: index, %h: index, %p: index, %r: index, %tt: tensor<?x33xi1>):
      %e = tensor.extract %tt[%p, %r] : tensor<?x33xi1>
    %t1 = arith.constant true
    %w = arith.xori %e, %t1 : i1
    attn.yield %w : i1
  } : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32> -> tensor<1x1x?x16xf32>
  return %o : tensor<1x1x?x16xf32>
}
