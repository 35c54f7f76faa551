// A division that would trap at some position does not: a region is evaluated at
// hidden keys and padding too, and before a select can guard it.

// REQUIRES: attn-run
// RUN: attn-run %s --function=mask --shape=Sq=40,Skv=70 --check | FileCheck %s
// RUN: attn-run %s --function=score --shape=Sq=40,Skv=70 --check | FileCheck %s
// RUN: attn-run %s --function=nested --shape=Sq=40,Skv=70,t:7 --check | FileCheck %s
// CHECK: out {{.*}} passed

func.func @mask(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>, %v: tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32> {
  %o = attn.attention %q, %k, %v mask(#attn.region) visible_region {
  ^bb0(%b: index, %h: index, %p: index, %r: index):
    %c5 = arith.constant 5 : index
    %d = arith.subi %r, %c5 : index
    %x = arith.remsi %p, %d : index
    %y = arith.divui %p, %d : index
    %z = arith.floordivsi %p, %d : index
    %w = arith.ceildivsi %p, %d : index
    %w2 = arith.ceildivui %p, %d : index
    %w3 = index.floordivs %p, %d
    %w4 = index.remu %p, %d
    %s1 = arith.addi %x, %y : index
    %s2 = arith.addi %z, %w : index
    %s3 = arith.addi %w2, %w3 : index
    %s4 = arith.addi %s1, %s2 : index
    %s5 = arith.addi %s4, %s3 : index
    %s6 = arith.addi %s5, %w4 : index
    %c = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %m = arith.remui %s6, %c : index
    %isz = arith.cmpi eq, %d, %c0 : index
    %a = arith.cmpi eq, %m, %c0 : index
    %see = arith.ori %a, %isz : i1
    attn.yield %see : i1
  } : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32> -> tensor<1x1x?x16xf32>
  return %o : tensor<1x1x?x16xf32>
}
func.func @score(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>, %v: tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32> {
  %o = attn.attention %q, %k, %v mask(#attn.causal) score_region {
  ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
    %pi = arith.index_cast %p : index to i32
    %ri = arith.index_cast %r : index to i32
    %min = arith.constant -2147483648 : i32
    %m1 = arith.subi %pi, %ri : i32
    %t = arith.divsi %min, %m1 : i32
    %f = arith.sitofp %t : i32 to f32
    %c = arith.constant 1.0e-10 : f32
    %g = arith.mulf %f, %c : f32
    %c0 = arith.constant 0 : i32
    %is0 = arith.cmpi eq, %m1, %c0 : i32
    %z = arith.constant 0.0 : f32
    %gg = arith.select %is0, %z, %g : f32
    %y = arith.addf %s, %gg : f32
    attn.yield %y : f32
  } : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32> -> tensor<1x1x?x16xf32>
  return %o : tensor<1x1x?x16xf32>
}
func.func @nested(%q: tensor<1x1x?x16xf32>, %k: tensor<1x1x?x16xf32>, %v: tensor<1x1x?x16xf32>, %t: tensor<?xf32>) -> tensor<1x1x?x16xf32> {
  %o = attn.attention %q, %k, %v score(%t : tensor<?xf32>) score_maps [affine_map<(b,h,i,j)->()>] score_region {
  ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %tt: tensor<?xf32>):
    %c = arith.cmpi slt, %p, %r : index
    %y = scf.if %c -> f32 {
      %far = arith.muli %p, %r : index
      %e = tensor.extract %tt[%far] : tensor<?xf32>
      scf.yield %e : f32
    } else {
      %d = arith.divsi %p, %r : index
      %i = arith.index_cast %d : index to i32
      %f = arith.sitofp %i : i32 to f32
      %c0 = arith.constant 0 : index
      %is0 = arith.cmpi eq, %r, %c0 : index
      %z = arith.constant 0.0 : f32
      %g = arith.select %is0, %z, %f : f32
      scf.yield %g : f32
    }
    %w = arith.addf %s, %y : f32
    attn.yield %w : f32
  } : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32> -> tensor<1x1x?x16xf32>
  return %o : tensor<1x1x?x16xf32>
}
