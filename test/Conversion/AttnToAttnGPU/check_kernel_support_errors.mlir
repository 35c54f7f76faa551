// Every reason, and all of an operation at once.

// RUN: not attn-opt %s --attn-check-kernel-support --split-input-file 2>&1 | FileCheck %s --implicit-check-not='error:'

// CHECK:      :[[#@LINE+7]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'q', 'k', 'v': expected bf16 or f16, got f32
// CHECK-NEXT:   'q', 'k': expected a head dimension of 64, 128 or 256, got 96
// CHECK-NEXT:   'v': expected a head dimension of 64, 128 or 256, got 192
// CHECK-NEXT: %out =
func.func @types(%q: tensor<1x2x8x96xf32>, %k: tensor<1x2x8x96xf32>,
                 %v: tensor<1x2x8x192xf32>) -> tensor<1x2x8x192xf32> {
  %out = attn.attention %q, %k, %v
      : tensor<1x2x8x96xf32>, tensor<1x2x8x96xf32>, tensor<1x2x8x192xf32> -> tensor<1x2x8x192xf32>
  return %out : tensor<1x2x8x192xf32>
}

// -----

// CHECK:      :[[#@LINE+6]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   score region: expected none
// CHECK-NEXT:   mask region: expected masks given as attributes
// CHECK-NEXT: %out =
!t = tensor<1x2x8x64xbf16>
func.func @regions(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.or<#attn.causal, #attn.region>)
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %t = math.tanh %s : f32
        attn.yield %t : f32
      }
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %even = arith.cmpi eq, %h, %b : index
        attn.yield %even : i1
      } : !t, !t, !t -> !t
  return %out : !t
}

// -----

// CHECK:      :[[#@LINE+7]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'documents': expected a mask without operands
// CHECK-NEXT:   'prefix': expected a constant length, as in #attn.prefix<16>
// CHECK-NEXT:   'sinks': expected none
// CHECK-NEXT: %out =
!t = tensor<1x2x8x64xbf16>
func.func @operands(%q: !t, %k: !t, %v: !t, %ids: tensor<1x8xi32>, %n: tensor<1xi32>, %sinks: tensor<2xf32>) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.and<#attn.documents, #attn.prefix>)
      sinks(%sinks : tensor<2xf32>) documents(%ids, %ids : tensor<1x8xi32>, tensor<1x8xi32>)
      prefix(%n : tensor<1xi32>) : !t, !t, !t -> !t
  return %out : !t
}

// -----

// CHECK:      :[[#@LINE+6]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'seqused_q': expected none
// CHECK-NEXT:   'seqused_kv': expected none
// CHECK-NEXT: %out =
!t = tensor<1x2x8x64xbf16>
func.func @used(%q: !t, %k: !t, %v: !t, %n: tensor<1xi32>) -> !t {
  %out = attn.attention %q, %k, %v
      seqused_q(%n : tensor<1xi32>) seqused_kv(%n : tensor<1xi32>) : !t, !t, !t -> !t
  return %out : !t
}

// -----

// Two operations, each refused.

// CHECK:      :[[#@LINE+9]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'cu_seqlens': expected dense operands [B, H, S, D]
// CHECK-NEXT: %out =
// CHECK:      :[[#@LINE+7]]:12: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'cu_seqlens': expected dense operands [B, H, S, D]
// CHECK-NEXT: %again =
!t = tensor<64x2x128xf16>
!cu = tensor<3xi32>
func.func @packed(%q: !t, %k: !t, %v: !t, %cu: !cu) -> (!t, !t) {
  %out = attn.attention %q, %k, %v cu_seqlens(%cu, %cu : !cu, !cu) : !t, !t, !t -> !t
  %again = attn.attention %k, %k, %v cu_seqlens(%cu, %cu : !cu, !cu) : !t, !t, !t -> !t
  return %out, %again : !t, !t
}

// -----

// C8: was compiled, and failed when it was called.
// CHECK:      :[[#@LINE+8]]:10: error: attention has no kernel for a GPU:
// CHECK-NEXT:   'q': expected extents of at most 2147483647, which the copy engine's coordinates reach, got 2147483648 (dimension 0)
// CHECK-NEXT:   'k': expected extents of at most 2147483647, which the copy engine's coordinates reach, got 2147483648 (dimension 0)
// CHECK-NEXT:   'k': expected extents of at most 2147483647, which the copy engine's coordinates reach, got 4294967296 (dimension 2)
// CHECK-NEXT:   'v': {{.*}}
// CHECK-NEXT:   'v': {{.*}}
// CHECK-NEXT: %out =
func.func @huge(%q: tensor<2147483648x2x8x64xbf16>, %k: tensor<2147483648x2x4294967296x64xbf16>, %v: tensor<2147483648x2x4294967296x64xbf16>) -> tensor<2147483648x2x8x64xbf16> {
  %out = attn.attention %q, %k, %v : tensor<2147483648x2x8x64xbf16>, tensor<2147483648x2x4294967296x64xbf16>, tensor<2147483648x2x4294967296x64xbf16> -> tensor<2147483648x2x8x64xbf16>
  return %out : tensor<2147483648x2x8x64xbf16>
}

// -----

// C5: was compiled for the CPU, and called with memory of a device.
// CHECK: :[[#@LINE+1]]:1: error: 'copy' has no attention, and nothing else is computed on a device; expected attn.attention in it
func.func @copy(%q: tensor<4xf32>) -> tensor<4xf32> {
  return %q : tensor<4xf32>
}

// -----

// C6, C7
!t = tensor<1x2x?x64xbf16>
func.func @around(%q: !t, %k: !t, %v: !t, %n: index, %c: i1) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: :[[#@LINE+1]]:8: error: works on the device's memory, but is not part of a kernel
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> !t {
    %a = attn.attention %x, %k, %v : !t, !t, !t -> !t
    scf.yield %a : !t
  }
  // CHECK: :[[#@LINE+1]]:8: error: works on the device's memory
  %1 = arith.addf %0, %q : !t
  %2 = attn.attention %1, %k, %v : !t, !t, !t -> !t
  // CHECK: :[[#@LINE+2]]:8: error: attention for a device reads what is computed in its function; expected arguments: make two functions of it
  // CHECK: :[[#@LINE-2]]:8: note: by this operation
  %3 = attn.attention %2, %k, %v : !t, !t, !t -> !t
  // CHECK: :[[#@LINE+1]]:3: error: result 1 of a function for a device is an argument, expected a result of attention: nothing else is written there
  return %3, %q : !t, !t
}

// -----

// What moves no elements is part of no kernel, and stays.
!t = tensor<1x2x?x64xbf16>
func.func @fine(%q: !t, %k: tensor<1x2x16x64xbf16>, %c: i1) -> (!t) {
  %k1 = tensor.cast %k : tensor<1x2x16x64xbf16> to !t
  %0 = scf.if %c -> !t {
    %a = attn.attention %q, %k1, %k1 : !t, !t, !t -> !t
    scf.yield %a : !t
  } else {
    %a = attn.attention %q, %k1, %k1 mask(#attn.causal) : !t, !t, !t -> !t
    scf.yield %a : !t
  }
  return %0 : !t
}
