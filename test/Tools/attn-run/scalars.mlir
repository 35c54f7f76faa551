// Scalars that regions capture, of every type that C passes by value: attn-run
// refused what attn-translate compiled.

// REQUIRES: attn-run, attn-translate
// RUN: attn-run %s --check | FileCheck %s
// RUN: attn-run %s --check --seed=3 --plant=slope:=-0.5,n:=7 | FileCheck %s
// RUN: attn-run %s --check --plant=n:=0 | FileCheck %s
// RUN: attn-translate --attn-to-header %s | FileCheck %s --check-prefix=HEADER

// CHECK: slope  scalar
// CHECK: out {{.*}} passed
// HEADER: AttnRtStatus f(const AttnRtTensor *q, const AttnRtTensor *k, float slope, int64_t n, int32_t m, double w, int64_t l, const AttnRtTensor *out);

!t = tensor<1x2x40x16xf32>
#none = affine_map<(b, h, i, j) -> ()>

func.func @f(%q: !t, %k: !t, %slope: f32, %n: index, %m: i32, %w: f64, %l: i64) -> !t {
  %o = attn.attention %q, %k, %k mask(#attn.region)
      score(%slope, %m, %w : f32, i32, f64) score_maps [#none, #none, #none]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %a: f32, %c: i32, %d: f64):
        %f = arith.sitofp %c : i32 to f32
        %g = arith.truncf %d : f64 to f32
        %x = arith.mulf %f, %a : f32
        %y = arith.mulf %s, %x : f32
        %z = arith.addf %y, %g : f32
        attn.yield %z : f32
      }
      visible(%n, %l : index, i64) visible_maps [#none, #none]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %first: index, %more: i64):
        %i = arith.index_cast %more : i64 to index
        %end = arith.addi %first, %i : index
        %c = arith.cmpi slt, %r, %end : index
        attn.yield %c : i1
      } : !t, !t, !t -> !t
  return %o : !t
}
