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

// C7: one result of attention twice was an error of memory that the user had
// not written.
!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
func.func @twice(%q: !t, %k: !t, %v: !t) -> (!t, !l, !t, !l, tensor<2x?x64xbf16>) {
  %0, %lse = attn.attention %q, %k, %v : !t, !t, !t -> !t, !l
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : !t into tensor<2x?x64xbf16>
  // CHECK: :[[#@LINE+6]]:3: error: result 2 of a function for a device is result 0 again, expected another one: attention writes to one place, and nothing is copied; return it once
  // CHECK: :[[#@LINE-3]]:14: note: by this operation
  // CHECK: :[[#@LINE+4]]:3: error: result 3 of a function for a device is result 1 again
  // CHECK: :[[#@LINE-5]]:14: note: by this operation
  // CHECK: :[[#@LINE+2]]:3: error: result 4 of a function for a device is result 0 again
  // CHECK: :[[#@LINE-7]]:14: note: by this operation
  return %0, %lse, %0, %lse, %1 : !t, !l, !t, !l, tensor<2x?x64xbf16>
}

// -----

// C7: the same by way of a condition, an argument there, and what is read.
!t = tensor<1x2x?x64xbf16>
func.func @in_branches(%q: !t, %k: !t, %v: !t, %c: i1) -> (!t, !t) {
  %0:3 = scf.if %c -> (!t, !t, !t) {
    %a = attn.attention %q, %k, %v : !t, !t, !t -> !t
    scf.yield %a, %a, %a : !t, !t, !t
  } else {
    %b = attn.attention %k, %q, %v : !t, !t, !t -> !t
    scf.yield %b, %q, %q : !t, !t, !t
  }
  // CHECK: :[[#@LINE+1]]:8: error: attention for a device reads what is computed in its function
  %1 = attn.attention %q, %k, %0#2 : !t, !t, !t -> !t
  // CHECK: :[[#@LINE+3]]:3: error: result 1 of a function for a device is result 0 again
  // CHECK: :[[#@LINE-9]]:10: note: by this operation
  // CHECK: :[[#@LINE+1]]:3: error: result 1 of a function for a device is an argument
  return %0#0, %0#1 : !t, !t
}

// -----

// C7: what would have to be copied to its place.
!t = tensor<1x2x?x64xbf16>
!e = tensor<1x1x2x?x64xbf16>
!s = tensor<1x2x8x64xbf16>
func.func @copied(%q: !t, %k: !t, %v: !t, %c: i1, %n: index) -> (!e, !s, !t) {
  %0 = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %1 = tensor.expand_shape %0 [[0, 1], [2], [3], [4]] output_shape [1, 1, 2, %n, 64] : !t into !e
  %2 = attn.attention %k, %q, %v : !t, !t, !t -> !t
  %3 = tensor.extract_slice %2[0, 0, 0, 0] [1, 2, 8, 64] [1, 1, 1, 1] : !t to !s
  %4 = attn.attention %q, %v, %k : !t, !t, !t -> !t
  %5 = attn.attention %k, %v, %q : !t, !t, !t -> !t
  %6 = scf.if %c -> !t {
    scf.yield %4 : !t
  } else {
    scf.yield %5 : !t
  }
  // CHECK: :[[#@LINE+6]]:3: error: result 0 of a function for a device is expanded to another shape, expected the shape that attention gives it, or one with dimensions collapsed
  // CHECK: :[[#@LINE-11]]:8: note: by this operation
  // CHECK: :[[#@LINE+4]]:3: error: result 1 of a function for a device is a part of a tensor, expected all that attention computes: slice the queries before it
  // CHECK: :[[#@LINE-11]]:8: note: by this operation
  // CHECK: :[[#@LINE+2]]:3: error: result 2 of a function for a device is chosen by a condition among what attention has computed before it, expected attention in the branches of the condition
  // CHECK: :[[#@LINE-10]]:8: note: the condition
  return %1, %3, %6 : !e, !s, !t
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
