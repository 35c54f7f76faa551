// What a call must not be is refused in the same words wherever it runs: the
// simulator had words of its own, about an operation that nobody wrote.

// REQUIRES: attn-run
// RUN: not attn-run %s --device=cpu --function=any --shape=q:1x3x8x64,k:1x2x8x64 2>&1 | FileCheck %s
// RUN: not attn-run %s --device=sim --schedules=1 --function=any --shape=q:1x3x8x64,k:1x2x8x64 2>&1 | FileCheck %s
// RUN: not attn-run %s --device=cpu --function=half --shape=k:1x2x8x64 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not attn-run %s --device=sim --schedules=1 --function=half --shape=k:1x2x8x64 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not attn-run %s --device=cpu --function=half --shape=k:1x0x8x64 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not attn-run %s --device=sim --schedules=1 --function=half --shape=k:1x0x8x64 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:      attn-run: error: invalid shape (status 1):
// CHECK-NEXT: attn-run: error: function 'any':
// CHECK-NEXT: attn-run: error:   argument 'q': extent 1 (Hq) expected a multiple of 2, extent 1 (Hkv) of argument 'k', got 3
// HALF: attn-run: error:   argument 'q': extent 1 expected a multiple of 2, extent 1 (Hkv) of argument 'k', got 3
// NONE: attn-run: error:   argument 'q': extent 1 expected a multiple of 0, extent 1 (Hkv) of argument 'k', got 3
!t = tensor<?x?x?x64xbf16>
func.func @any(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
!q = tensor<1x3x8x64xbf16>
!k = tensor<1x?x8x64xbf16>
func.func @half(%q: !q, %k: !k, %v: !k) -> !q {
  %out = attn.attention %q, %k, %v : !q, !k, !k -> !q
  return %out : !q
}
