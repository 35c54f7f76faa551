// One query tile of static extents was refused: of the loops that stand alone some
// were steps without a loop. Masks that are empty made the compiler end.

// RUN: attn-run %s --function=one_tile --device=sim --schedules=2 --check | FileCheck %s
// RUN: attn-run %s --function=one_tile_256 --device=sim --schedules=2 --check | FileCheck %s
// RUN: attn-run %s --function=sees_nothing --device=sim --schedules=2 --shape=Sq=10,Skv=10 --check | FileCheck %s
// RUN: attn-run %s --function=sees_nothing_of_both --device=sim --schedules=2 --shape=Sq=10,Skv=10 --check | FileCheck %s
// CHECK: out {{.*}} passed

!q = tensor<1x1x100x64xbf16>
!k = tensor<1x1x300x64xbf16>
func.func @one_tile(%q: !q, %k: !k, %v: !k) -> !q {
  %o = attn.attention %q, %k, %v mask(#attn.causal) : !q, !k, !k -> !q
  return %o : !q
}

!q256 = tensor<1x1x128x256xbf16>
!k256 = tensor<1x1x256x256xbf16>
func.func @one_tile_256(%q: !q256, %k: !k256, %v: !k256) -> !q256 {
  %o = attn.attention %q, %k, %v mask(#attn.causal) : !q256, !k256, !k256 -> !q256
  return %o : !q256
}

!t = tensor<1x1x?x64xbf16>
func.func @sees_nothing(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.prefix<0>) : !t, !t, !t -> !t
  return %o : !t
}
func.func @sees_nothing_of_both(%q: !t, %k: !t, %v: !t) -> !t {
  %o = attn.attention %q, %k, %v mask(#attn.or<#attn.prefix<0>, #attn.prefix<0>>) : !t, !t, !t -> !t
  return %o : !t
}
