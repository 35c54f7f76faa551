// What may stand around attention, compiled and checked: tensor operations before
// and after it, attention in loops and conditions, on results of attention, on
// constants, behind calls.

// REQUIRES: attn-run
// RUN: attn-run %s --function=tensors --shape=Sq=20,Skv=70 --check | FileCheck %s
// RUN: attn-run %s --function=transposed --check | FileCheck %s
// RUN: attn-run %s --function=strided --check | FileCheck %s
// RUN: attn-run %s --function=chained --shape=Sq=20,Skv=70,Skv_1=40 --check | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: attn-run %s --function=loop --shape=Sq=70,Skv=70 --check --time --seconds=0 | FileCheck %s
// RUN: attn-run %s --function=condition --shape=Sq=20,Skv=70 --check --seed=1 | FileCheck %s
// RUN: attn-run %s --function=condition --shape=Sq=20,Skv=70 --check --seed=2 | FileCheck %s
// RUN: attn-run %s --function=chosen_and_given --shape=Sq=64,Skv=64 --check --seed=1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: attn-run %s --function=chosen_and_given --shape=Sq=64,Skv=64 --check --seed=2 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: attn-run %s --function=chosen_and_read --shape=Sq=64,Skv=64 --check --seed=1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: attn-run %s --function=chosen_and_read --shape=Sq=64,Skv=64 --check --seed=2 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: attn-run %s --function=parallel --check | FileCheck %s
// RUN: attn-run %s --function=constants --check | FileCheck %s
// RUN: attn-run %s --function=caller --shape=Sq=20,Skv=70 --check --time --seconds=0 | FileCheck %s
// RUN: attn-run %s --function=other_results --check | FileCheck %s --check-prefixes=CHECK,BOTH

// CHECK: out {{.*}} passed
// BOTH: out{{[_1]+}} {{.*}} passed

!t = tensor<1x4x?x16xf32>
!h = tensor<2x4x32x16xbf16>

func.func @tensors(%q: !t, %k: !t, %v: !t) -> !t {
  %c2 = arith.constant 2 : index
  %s = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%s) : !t
  %doubled = linalg.add ins(%q, %q : !t, !t) outs(%e : !t) -> !t
  %sum = arith.addf %doubled, %q : !t
  %tanh = math.tanh %sum : !t
  %o = attn.attention %tanh, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  %r = arith.mulf %o, %q : !t
  return %r : !t
}

func.func @transposed(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16>,
                      %k: tensor<1x4x32x16xbf16>) -> tensor<32x64xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<32x64xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %m = linalg.matmul ins(%x, %w : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %m4 = tensor.expand_shape %m [[0, 1], [2, 3]] output_shape [1, 32, 4, 16] : tensor<32x64xbf16> into tensor<1x32x4x16xbf16>
  %e2 = tensor.empty() : tensor<1x4x32x16xbf16>
  %q = linalg.transpose ins(%m4 : tensor<1x32x4x16xbf16>) outs(%e2 : tensor<1x4x32x16xbf16>) permutation = [0, 2, 1, 3]
  %o = attn.attention %q, %k, %k mask(#attn.causal) : tensor<1x4x32x16xbf16>, tensor<1x4x32x16xbf16>, tensor<1x4x32x16xbf16> -> tensor<1x4x32x16xbf16>
  %e3 = tensor.empty() : tensor<1x32x4x16xbf16>
  %t = linalg.transpose ins(%o : tensor<1x4x32x16xbf16>) outs(%e3 : tensor<1x32x4x16xbf16>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<1x32x4x16xbf16> into tensor<32x64xbf16>
  return %r : tensor<32x64xbf16>
}

// Keys at every other place of the last dimension: no unit stride.
func.func @strided(%q: tensor<2x4x64x16xbf16>, %k: tensor<2x4x32x40xbf16>, %v: !h) -> !h {
  %qs = tensor.extract_slice %q[0, 0, 16, 0] [2, 4, 32, 16] [1, 1, 1, 1] : tensor<2x4x64x16xbf16> to !h
  %ks = tensor.extract_slice %k[0, 0, 0, 3] [2, 4, 32, 16] [1, 1, 1, 2] : tensor<2x4x32x40xbf16> to !h
  %o = attn.attention %qs, %ks, %v mask(#attn.causal) : !h, !h, !h -> !h
  return %o : !h
}

func.func @chained(%q: !t, %k: !t, %v: !t, %k2: !t, %v2: !t) -> (!t, !t) {
  %x = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  %o = attn.attention %x, %k2, %v2 mask(#attn.causal) : !t, !t, !t -> !t
  return %o, %x : !t, !t
}

func.func @loop(%q: !t, %k: !t, %v: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %q) -> !t {
    %a = attn.attention %x, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
    scf.yield %a : !t
  }
  return %o : !t
}

func.func @condition(%q: !t, %k: !t, %v: !t, %n: i32) -> !t {
  %c4 = arith.constant 4 : i32
  %c = arith.cmpi slt, %n, %c4 : i32
  %o = scf.if %c -> !t {
    %a = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
    scf.yield %a : !t
  } else {
    scf.yield %q : !t
  }
  return %o : !t
}

// One branch gives what is a result, too: the other branch wrote over it.
func.func @chosen_and_given(%q: !t, %k: !t, %v: !t, %n: i32) -> (!t, !t) {
  %c0 = arith.constant 0 : i32
  %b = arith.cmpi sgt, %n, %c0 : i32
  %o = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %r = scf.if %b -> !t {
    scf.yield %o : !t
  } else {
    %p = attn.attention %q, %k, %k : !t, !t, !t -> !t
    scf.yield %p : !t
  }
  return %o, %r : !t, !t
}

// The same where a branch goes on with it.
func.func @chosen_and_read(%q: !t, %k: !t, %v: !t, %n: i32) -> (!t, !t) {
  %c0 = arith.constant 0 : i32
  %b = arith.cmpi sgt, %n, %c0 : i32
  %o = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %r = scf.if %b -> !t {
    %e = linalg.exp ins(%o : !t) outs(%o : !t) -> !t
    scf.yield %e : !t
  } else {
    %p = attn.attention %o, %k, %k : !t, !t, !t -> !t
    scf.yield %p : !t
  }
  return %o, %r : !t, !t
}

func.func @parallel(%q: !h, %k: !h) -> !h {
  %e = tensor.empty() : !h
  %o = scf.forall (%i) in (2) shared_outs(%x = %e) -> !h {
    %qs = tensor.extract_slice %q[%i, 0, 0, 0] [1, 4, 32, 16] [1, 1, 1, 1] : !h to tensor<1x4x32x16xbf16>
    %ks = tensor.extract_slice %k[%i, 0, 0, 0] [1, 4, 32, 16] [1, 1, 1, 1] : !h to tensor<1x4x32x16xbf16>
    %a = attn.attention %qs, %ks, %ks : tensor<1x4x32x16xbf16>, tensor<1x4x32x16xbf16>, tensor<1x4x32x16xbf16> -> tensor<1x4x32x16xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %x[%i, 0, 0, 0] [1, 4, 32, 16] [1, 1, 1, 1] : tensor<1x4x32x16xbf16> into !h
    }
  }
  return %o : !h
}

func.func @constants(%q: !h, %v: !h) -> !h {
  %k = arith.constant dense<0.5> : !h
  %n = arith.constant dense<[3, 40]> : tensor<2xi32>
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %o = attn.attention %q, %k, %v mask(#attn.prefix)
      score(%slopes : tensor<4xf32>) score_maps [affine_map<(b, h, i, j) -> (h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %slope: f32):
        %d = arith.index_cast %r : index to i32
        %f = arith.sitofp %d : i32 to f32
        %bias = arith.mulf %f, %slope : f32
        %y = arith.addf %s, %bias : f32
        attn.yield %y : f32
      } prefix(%n : tensor<2xi32>) : !h, !h, !h -> !h
  return %o : !h
}

func.func private @inner(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %o : !t
}
func.func private @outer(%q: !t, %k: !t, %v: !t) -> !t {
  %o = call @inner(%q, %k, %v) : (!t, !t, !t) -> !t
  return %o : !t
}
func.func @caller(%q: !t, %k: !t, %v: !t) -> !t {
  %o = call @outer(%q, %k, %v) : (!t, !t, !t) -> !t
  return %o : !t
}

// An argument returned, a result returned twice.
func.func @other_results(%q: !h, %k: !h) -> (!h, !h, !h) {
  %o = attn.attention %q, %k, %k : !h, !h, !h -> !h
  return %o, %o, %q : !h, !h, !h
}
